// SPDX-License-Identifier: Apache-2.0
// A package as its schema describes it: resources, functions and types, with all references between them resolved. Made
// by bind.h: whole, or opened, so that each part is bound on its first access. A package that was bound whole is
// read-only, and for any thread; one that was opened belongs to one thread.
//
//   Package ─▶ Resource ─▶ Property ─▶ Type ─▶ ObjectType ─▶ Property ...      types may close circles
//           ─▶ Function ─▶ Property
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/pattern.h"
#include "languages/schema/token.h"
#include "model/value.h"

namespace kingpost::schema {

class Binder;
struct Package;
struct Type;
struct ObjectType;
struct EnumType;
struct Resource;

// A bool, an integer, a number or a text.
using Constant = std::variant<bool, int64_t, double, std::string>;
Value ValueOf(const Constant& constant);

// A list that is made on its first access: from one resource of a large package, types lead to thousands of others, and
// a program needs few of them.
template <class T>
class LazyList {
 public:
  LazyList() = default;
  explicit LazyList(std::vector<T> made) : made_(std::move(made)) {}
  explicit LazyList(std::function<std::vector<T>()> make) : make_(std::move(make)) {}

  const std::vector<T>& get() const {
    if (make_) {
      const auto make = std::exchange(make_, nullptr);
      made_ = make();
    }
    return made_;
  }
  operator const std::vector<T>&() const { return get(); }  // NOLINT: implicit by design
  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  size_t size() const { return get().size(); }
  bool empty() const { return get().empty(); }
  const T& operator[](size_t index) const { return get()[index]; }

 private:
  mutable std::function<std::vector<T>()> make_;
  mutable std::vector<T> made_;
};

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
using LazyProperties = LazyList<Property>;
const Property* FindProperty(const Properties& properties, const std::string& name);  // null if there is none

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
    kToken  // of an undefined type
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

  bool is_collection() const { return kind == Kind::kArray || kind == Kind::kMap; }
  // The structure of the type, without names: an enumeration is the type of its values.
  Kind plain_kind() const;
  bool is_number() const { return plain_kind() == Kind::kInteger || plain_kind() == Kind::kNumber; }
};
// The type of a kind that says all: no list, map, union, nor what has a name.
const Type& PlainType(Type::Kind kind);
inline const Type& AnyType() { return PlainType(Type::Kind::kAny); }
// "boolean", "integer", "number", "string", "archive", "asset"; "any" of all other kinds.
const char* NameOf(Type::Kind kind);
// For messages: "List<string>", "{a: number}", the token of a type that has one.
std::string TypeText(const Type& type);

// Whether each value of the union, as it is on the wire, can only be of one of its types. The constants of `kind`
// distinguish {kind: "circle", radius} and {kind: "square", side}. An integer and a number cannot be distinguished, nor
// two lists, as both may be empty.
bool IsDistinguishableOnWire(const Type& type);

struct ObjectType {
  const Package* package = nullptr;
  std::string token;  // "" for the inputs and outputs of a function
  std::string comment;
  LazyProperties properties;  // by name; arguments that are given one by one: in their order
  bool overlay = false;
  // For nodejs: the properties that its inputs and its outputs need, where that differs.
  std::optional<std::vector<std::string>> node_required_inputs, node_required_outputs;
};

const Properties& PropertiesOf(const ObjectType* object);  // of null: none

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
  bool one_value = false;              // the answer is no object: it comes as the only value of one
  bool plain_answer = false;           // of methods: no output
  bool plain = true;                   // can also be called without outputs
  bool overlay = false;
  bool method = false;

  const ObjectType* answer_object() const { return answer ? answer->object : nullptr; }
  const Properties& input_properties() const { return PropertiesOf(inputs); }
  // None of an answer that is one value.
  const Properties& output_properties() const { return PropertiesOf(answer_object()); }
};

struct Method {
  std::string name;
  const Function* function = nullptr;
};

struct Resource {
  const Package* package = nullptr;
  std::string token, comment, deprecation;
  LazyProperties inputs, outputs;            // by name
  const ObjectType* state_inputs = nullptr;  // what a lookup by ID may take beside it
  std::vector<std::string> aliases;          // types
  LazyList<Method> methods;
  bool component = false, provider = false, overlay = false;

  const Function* FindMethod(const std::string& name) const;  // null if there is none
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
  Package();
  ~Package();

  std::string name, display_name, version, description, homepage, license, attribution, repository, download_url,
      name_space;
  std::vector<std::string> keywords;
  std::optional<Pattern> module_pattern;  // what of a module is its name, where that is not all
  bool support_pack = false;              // SDKs have the version of the schema
  std::vector<Dependency> dependencies;
  std::optional<BasePlugin> base;

  // For a package that was bound whole: all of them, by token.
  Properties config;
  std::vector<const Resource*> resources;
  std::vector<const Function*> functions;
  std::vector<const ObjectType*> objects;
  std::vector<const EnumType*> enums;

  const Resource* provider = nullptr;                      // null for extensions
  std::vector<std::shared_ptr<const Package>> referenced;  // by the types that were bound

  std::string DocumentText() const;  // of the schema, as JSON
  // The options of one language; an empty object if there are none.
  nlohmann::json LanguageOptions(const std::string& name) const;
  // "s3" of "aws:s3/bucket:Bucket", as the package's module format says; "" for the module index.
  std::string ModuleOf(const std::string& token) const;
  // Null if the package does not define it.
  const ObjectType* FindObject(const std::string& token) const;
  const EnumType* FindEnum(const std::string& token) const;
  // By token, also in the short forms that programs have: "aws:s3:Bucket" for "aws:s3/bucket:Bucket",
  // "random:RandomPet" for "random:index/randomPet:RandomPet".
  const Resource* FindResource(const std::string& token) const;
  const Function* FindFunction(const std::string& token) const;

  std::unique_ptr<Binder> binder;  // owns the document, and what the pointers above point to
};
using PackagePtr = std::shared_ptr<const Package>;
using Packages = std::map<std::string, PackagePtr>;  // by name

// The paths of properties whose change replaces the resource: "a.b", "list[*].c", "map.*.d".
std::vector<std::string> ReplaceOnChangesPaths(const Resource& resource);

}  // namespace kingpost::schema
