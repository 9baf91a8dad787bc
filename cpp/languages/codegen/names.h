// SPDX-License-Identifier: Apache-2.0
// How the SDKs spell names, which fixes how packages, resources and properties are called. In programs each variable
// has a name of its own that is no keyword. Any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "languages/codegen/program.h"

namespace kingpost::codegen {

// "publicIPs" -> "public_ips": as Python SDKs spell properties, before keywords are avoided.
std::string SnakeCase(std::string_view name);
// The same, with "_" after a keyword of Python 2 or 3: "from" -> "from_".
std::string PythonName(std::string_view name);
// The parameter of a constructor for an input: "resource_name" and "opts" have another meaning there.
std::string PythonParameter(std::string_view name);
// "get_ami" of "aws:ec2/getAmi:getAmi".
std::string PythonFunctionName(const std::string& token);
// "app-db password" -> "appDbPassword"
std::string CamelCase(std::string_view words);
std::string UpperFirst(std::string name);

bool IsPythonKeyword(const std::string& name);
bool IsTypeScriptReserved(const std::string& name);  // may name nothing at all
// Also what a module or a strict function may not declare.
bool IsTypeScriptKeyword(const std::string& name);
// Letters, digits and "_" that do not begin with a digit. ASCII: others are allowed by some languages, not by all.
bool IsIdentifier(std::string_view text);

using schema::PackageOf;

// Named by the package's schema, else by the conventions.
struct SdkName {
  std::string import;                // "pulumi_aws", "@pulumi/aws"; "" for the core SDK
  std::vector<std::string> modules;  // "s3"; spelled for the language
  std::string type;                  // "Bucket"
};
SdkName PythonSdk(const std::string& token, const Packages& packages);
SdkName NodeSdk(const std::string& token, const Packages& packages);

// Null if it is not known.
const schema::Resource* FindSchema(const std::string& token, const Packages& packages);

// "aws:s3:Bucket" for "aws:s3/bucket:Bucket": YAML programs may say so, where the schema leaves no doubt what is meant.
std::string ShortToken(const std::string& token, const Packages& packages);

// Gives each variable of a program a name.
class Identifiers {
 public:
  enum class Style { kSnake, kAsIs };
  // `taken`: what the program's text uses already; `reserved` says what no variable may be called.
  Identifiers(Style style, bool (*reserved)(const std::string&), std::set<std::string> taken)
      : style_(style), reserved_(reserved), taken_(std::move(taken)) {}

  // `wish` if nothing else is called so, else with `suffix`, else with a number.
  std::string Take(const std::string& wish, const std::string& suffix);
  // `wish` as it stands, if it can be a name at all: a variable that exists.
  std::string Keep(const std::string& wish);

 private:
  std::string Spell(const std::string& wish) const;

  Style style_;
  bool (*reserved_)(const std::string&);
  std::set<std::string> taken_;
};

// The variables of all settings, resources and undeclared_resources, by their keys and names. Outsiders come first:
// their variables exist.
struct Variables {
  std::map<std::string, std::string> resources, settings, variables;
};
Variables NameAll(const Program& program, Identifiers identifiers);

}  // namespace kingpost::codegen
