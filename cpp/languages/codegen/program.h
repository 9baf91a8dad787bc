// SPDX-License-Identifier: Apache-2.0
// A program without a language: settings it reads, resources it declares, and expressions between them. What reads
// states makes one (from_states.h), and what reads programs in YAML (languages/yaml/conversion.h); a writer for each
// language turns it into text (writers.h). Any thread.
//
//   settings    dbPassword                      db_password = config.require_secret("dbPassword")
//   variables   name                            name = pulumi.Output.concat("db-", db.id)
//   resources   db: aws:rds/instance:Instance   db = aws.rds.Instance("db", password=db_password, ...)
//   outputs     address                         pulumi.export("address", db.address)
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "languages/pcl/builtins.h"
#include "languages/schema/package.h"
#include "model/value.h"

namespace kingpost::codegen {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Field {
  std::string name;
  ExpressionPtr value;
};

struct Literal {  // null, a bool, a number or a text
  Value value;
};
struct ListOf {
  std::vector<ExpressionPtr> elements;
};
struct ObjectOf {
  std::vector<Field> fields;
  bool typed =
      false;  // the names are a schema's, which languages spell their way; else keys of a map, kept as they are
};
struct ResourceRef {
  std::string key;  // of a Resource or an Outsider
};
struct PropertyRef {
  std::string key;
  std::string property;   // as the schema has it; "id" is the ID
  bool optional = false;  // the schema lets it be missing
};
struct SettingRef {
  std::string name;
};
struct VariableRef {
  std::string name;
};
// A part of a whole that is not a resource itself: an element of a list, what an object has under a key.
struct PartOf {
  ExpressionPtr whole;
  Value key;           // a text or a number
  bool typed = false;  // the text is a schema's name, which languages spell their way
};
struct JoinedText {
  std::vector<ExpressionPtr> parts;
};
struct CallOf {
  using Function = pcl::Function;
  Function function;
  std::vector<ExpressionPtr> arguments;
};
struct InvokeOf {  // a function of a provider
  std::string token;
  std::vector<Field> arguments, options;  // names of the schema; names as TypeScript has them
  bool takes_arguments = true;            // by its schema
  std::vector<std::string> answers;       // what its answer may hold; none if that is one value, not an object
};
struct PlaceOf {  // what a program knows of where it runs
  enum class What { kDirectory, kProject, kStack, kOrganization, kRootDirectory, kNoParent } what;
};
struct AssetOf {
  AssetData::Kind kind;
  ExpressionPtr content;  // the text, the path or the address
};
struct ArchiveOf {
  ArchiveData::Kind kind;
  ExpressionPtr content;      // the path or the address
  std::vector<Field> assets;  // of kAssets
};

struct Expression {
  using Node = std::variant<Literal, ListOf, ObjectOf, ResourceRef, PropertyRef, SettingRef, VariableRef, PartOf,
                            JoinedText, CallOf, InvokeOf, PlaceOf, AssetOf, ArchiveOf>;
  Node node;
};
template <class T>
ExpressionPtr Make(T node) {
  return std::make_shared<const Expression>(Expression{std::move(node)});
}

// A value of the stack's configuration that the program requires.
struct Setting {
  enum class Kind { kText, kBool, kInteger, kNumber, kObject, kList };
  std::string name;
  Kind kind = Kind::kText;
  Kind element = Kind::kText;  // of kList: what it is a list of
  bool secret = true;
  ExpressionPtr default_value = nullptr;  // null: it is required
};

// A value that has a name.
struct Variable {
  std::string name;
  ExpressionPtr value;
};

// A resource of the program that the text goes into, which it refers to and does not declare.
struct Outsider {
  std::string key;       // its URN
  std::string variable;  // what the user calls it, or what it is best called
};

struct Resource {
  enum class Kind {
    kManaged,    // also providers and components of packages
    kComponent,  // a component of the program itself: a name and a type for its children
    kRead        // looked up by its ID, not managed
  };
  Kind kind = Kind::kManaged;
  std::string key;       // its URN
  std::string variable;  // what it is best called
  std::string name;
  std::string token;
  std::string id;                    // of kRead
  ExpressionPtr id_value = nullptr;  // instead of `id`, where it is no literal
  std::vector<Field> inputs;         // names of the schema; of kRead: what is known of its state
  std::vector<Field> options;        // "protect", "dependsOn", ...: names as TypeScript has them
  std::string plugin_version;        // of its provider; for languages without SDKs
};

using schema::Packages;

struct Program {
  std::vector<Setting> settings;
  std::vector<Outsider> outsiders;
  std::vector<Resource> resources;  // each after those it refers to
  std::vector<Variable> variables;  // likewise
  // How many of the resources come before each variable.
  std::vector<size_t> resources_before;
  std::vector<Field> outputs;  // of the stack
  Packages packages;           // those whose schemas could be had
};

}  // namespace kingpost::codegen
