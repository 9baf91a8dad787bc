// SPDX-License-Identifier: Apache-2.0
// A package as its schema describes it: resources, functions and types, with all references between them resolved.
// Built by bind.h; read-only once built. Any thread.
//
//   Package ─▶ Resource ─▶ Property ─▶ Type ─▶ ObjectType ─▶ Property ...      types may close circles
//           ─▶ Function ─▶ Property
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/pattern.h"

namespace kingpost::schema {

struct Package;
struct Type;
struct ObjectType;
struct EnumType;
struct Resource;

// A bool, an integer, a number or a text.
using Constant = std::variant<bool, int64_t, double, std::string>;

struct DefaultValue {
  std::optional<Constant> value;
  std::vector<std::string> environment;  // variables that come first
};

struct Property {
  std::string name, comment, deprecation;
  const Type* type = nullptr;
  bool required = false, secret = false, replace_on_changes = false;
  std::optional<Constant> constant;
  std::optional<DefaultValue> default_value;
};
using Properties = std::vector<Property>;

struct Type {
  enum class Kind {
    kBool,
    kInteger,
    kNumber,
    kString,
    kArchive,
    kAsset,
    kJson,
    kAny,
    kArray,
    kMap,
    kUnion,
    kObject,
    kEnum,
    kResource,
    kToken  // of a type that nobody defines
  };
  Kind kind = Kind::kAny;
  bool plain = false;                      // where it is an input: no output is accepted for it
  const Type* element = nullptr;           // of arrays and maps
  std::vector<const Type*> elements = {};  // of unions
  const Type* default_type = nullptr;  // of unions: what languages without unions have; of tokens: what it is at heart
  const ObjectType* object = nullptr;
  const EnumType* enumeration = nullptr;
  const Resource* resource = nullptr;
  std::string token = {};  // of objects, enums, resources and tokens
};

struct ObjectType {
  const Package* package = nullptr;
  std::string token;  // "" for the inputs and outputs of a function
  std::string comment;
  Properties properties;  // by name
  bool overlay = false;
  // Of nodejs: which properties its inputs and its outputs need, where that differs.
  std::optional<std::vector<std::string>> node_required_inputs, node_required_outputs;
};

struct EnumValue {
  std::string name, comment, deprecation;
  Constant value;
};

struct EnumType {
  const Package* package = nullptr;
  std::string token, comment;
  Type::Kind element = Type::Kind::kString;
  std::vector<EnumValue> values;
  bool overlay = false;
};

struct Function {
  const Package* package = nullptr;
  std::string token, comment, deprecation;
  const ObjectType* inputs = nullptr;  // null if it takes none
  bool positional = false;             // arguments are given one by one
  const Type* answer = nullptr;        // null if it answers nothing
  bool inline_answer = false;          // the answer is an object type of its own, which has no token
  bool plain_answer = false;           // of methods: no output
  bool plain = true;                   // can also be called without outputs
  bool overlay = false;
  bool method = false;

  const ObjectType* answer_object() const { return answer ? answer->object : nullptr; }
};

struct Method {
  std::string name;
  const Function* function = nullptr;
};

struct Resource {
  const Package* package = nullptr;
  std::string token, comment, deprecation;
  Properties inputs, outputs;                // by name
  const ObjectType* state_inputs = nullptr;  // what a lookup by ID may take beside it
  std::vector<std::string> aliases;          // types
  std::vector<Method> methods;
  bool component = false, provider = false, overlay = false;
};

// The plugin below a parameterized package, and its parameter.
struct BasePlugin {
  std::string name, version;
  std::string parameter;  // base64
  bool extension = false;
};

struct Dependency {
  std::string name, version;
};

struct Package {
  std::string name, display_name, version, description, homepage, license, attribution, repository, download_url,
      publisher, name_space;
  std::vector<std::string> keywords;
  std::optional<Pattern> module_pattern;  // what of a module is its name, where that is not all
  bool support_pack = false;              // SDKs have the version of the schema
  std::shared_ptr<const nlohmann::json> language;
  std::vector<Dependency> dependencies;
  std::optional<BasePlugin> base;

  Properties config;
  const Resource* provider = nullptr;      // null for extensions
  std::vector<const Resource*> resources;  // by token
  std::vector<const Function*> functions;  // by token
  std::vector<const ObjectType*> objects;  // by token
  std::vector<const EnumType*> enums;      // by token
  std::vector<std::shared_ptr<const Package>> referenced;

  // The options of one language; an empty object if there are none.
  nlohmann::json LanguageOptions(const std::string& name) const;
  // "s3" of "aws:s3/bucket:Bucket", as the package's module format says; "" for the module index.
  std::string ModuleOf(const std::string& token) const;
  const ObjectType* FindObject(const std::string& token) const;
  const EnumType* FindEnum(const std::string& token) const;
  const Resource* FindResource(const std::string& token) const;
  const Function* FindFunction(const std::string& token) const;

  // What the pointers above point to.
  std::vector<std::unique_ptr<Type>> owned_types;
  std::vector<std::unique_ptr<ObjectType>> owned_objects;
  std::vector<std::unique_ptr<EnumType>> owned_enums;
  std::vector<std::unique_ptr<Resource>> owned_resources;
  std::vector<std::unique_ptr<Function>> owned_functions;
};

// The paths of properties whose change replaces the resource: "a.b", "list[*].c", "map.*.d".
std::vector<std::string> ReplaceOnChangesPaths(const Resource& resource);

// "Bucket" of "aws:s3/bucket:Bucket".
std::string NameOfToken(const std::string& token);
// "pulumi:providers:aws"
bool IsProviderToken(const std::string& token);

}  // namespace kingpost::schema
