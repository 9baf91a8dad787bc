// SPDX-License-Identifier: Apache-2.0
// What a package says of its resources and functions, as far as snippets ask: names, types, defaults, secrets.
// Types may name each other in circles, so they are looked into only as far as a value goes. Any thread.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/pattern.h"
#include "model/value.h"

namespace kingpost::pcl {

class PackageSchema;
struct PropertySchema;

// A handle into a schema, which must outlive it.
class TypeSchema {
 public:
  enum class Kind { kAny, kBool, kNumber, kText, kList, kMap, kObject, kUnion };

  TypeSchema() = default;  // kAny
  TypeSchema(const PackageSchema* package, const nlohmann::json* spec) : package_(package), spec_(spec) {}

  Kind kind() const;
  TypeSchema element() const;                      // of lists and maps
  std::vector<PropertySchema> properties() const;  // of objects
  std::vector<TypeSchema> alternatives() const;    // of unions
  std::string text() const;                        // for messages: "list of number"
  bool integer() const;                            // of numbers
  std::vector<Value> choices() const;              // of an enumeration: all its values; else none
  std::string reference() const;                   // its $ref as it stands: "pulumi.json#/Asset"; "" if it has none
  // The same type has the same identity.
  const nlohmann::json* identity() const { return Resolved(); }

 private:
  const nlohmann::json* Resolved() const;  // the type that a $ref names; null if it is outside of this package

  const PackageSchema* package_ = nullptr;
  const nlohmann::json* spec_ = nullptr;
};

struct PropertySchema {
  std::string name;
  TypeSchema type;
  bool required = false, secret = false, replace_on_changes = false;
  bool constant = false;  // has the one value, or, in its inputs, may be left out
  std::optional<Value> constant_value;
  std::optional<Value> default_value;
};

struct ResourceSchema {
  std::string token;
  bool component = false;
  std::vector<PropertySchema> inputs, outputs;
  std::map<std::string, std::string> methods;  // name -> function token
  std::vector<std::string> alias_types;        // what the type was called before
};

struct FunctionSchema {
  std::string token;
  std::vector<PropertySchema> inputs;
  bool positional = false;  // arguments are given one by one
  bool scalar = false;      // the answer is the only value of its object
  std::vector<PropertySchema> outputs;
  TypeSchema returns;  // of a scalar
};

struct TokenParts {
  std::string package, module, name;
};
// "pkg:module:name"; "pkg:name" and "pkg::name" mean the module index. nullopt if malformed.
std::optional<TokenParts> SplitToken(const std::string& token);
// The package whose schema says what the token means: "aws" of "pulumi:providers:aws".
std::string PackageOfToken(const TokenParts& parts);

class PackageSchema {
 public:
  static Result<std::shared_ptr<const PackageSchema>> Parse(const std::string& package, const std::string& json);
  // The package "pulumi", which is no plugin.
  static std::shared_ptr<const PackageSchema> Builtin();
  ~PackageSchema();

  // By token, also in its short forms: "aws:s3:Bucket" for "aws:s3/bucket:Bucket", "random:RandomPet" for
  // "random:index/randomPet:RandomPet". Providers are resources of their package.
  std::optional<ResourceSchema> FindResource(const std::string& token) const;
  std::optional<FunctionSchema> FindFunction(const std::string& token) const;
  // The package's parameter extends its provider instead of replacing it.
  bool is_extension() const;
  std::string version() const;  // "" if the schema does not say
  // Packages tell by a pattern which part of a token's middle is the module: "s3" of "s3/bucket". "" for the index.
  std::string ModuleOf(const TokenParts& parts) const;

  // Parts that types refer to.
  const nlohmann::json* FindType(const std::string& token) const;
  std::vector<PropertySchema> ReadProperties(const nlohmann::json& owner, const char* properties,
                                             const char* required) const;

 private:
  explicit PackageSchema(std::unique_ptr<const nlohmann::json> document);
  const nlohmann::json* FindToken(const char* section, const std::string& token, std::string* found) const;

  std::unique_ptr<const nlohmann::json> document_;
  std::optional<Pattern> module_pattern_;
};

using Schemas = std::map<std::string, std::shared_ptr<const PackageSchema>>;  // by package

// Paths of properties whose change replaces the resource: "a.b", "list[*].c", "map.*.d".
std::vector<std::string> ReplaceOnChangesPaths(const std::vector<PropertySchema>& properties);

}  // namespace kingpost::pcl
