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
#include <string>
#include <vector>

#include "languages/pcl/ast.h"
#include "languages/schema/package.h"
#include "model/value.h"

namespace kingpost::codegen {

using pcl::Call;
using pcl::Expression;
using pcl::ExpressionPtr;
using pcl::Literal;
using pcl::LiteralText;
using pcl::Make;
using pcl::NamedExpression;
using pcl::ObjectLiteral;
using pcl::PathStep;
using pcl::PropertyRef;
using pcl::ResourceRef;
using pcl::SettingRef;
using pcl::Template;
using pcl::TupleLiteral;
using pcl::Variable;

// Expressions call the functions of programs in YAML (languages/pcl/builtins.h), including those about the program's
// place ("cwd"), `invoke`, and the following, which no language has under these names.
inline constexpr char kInvoke[] = "invoke";          // token, arguments, and options or nothing
inline constexpr char kAsText[] = "asText";          // a value as it stands in a text: true, 1000000, <nil>
inline constexpr char kTextLength[] = "textLength";  // also of a text: characters as people count them
inline constexpr char kNoParent[] = "noParent";

inline ExpressionPtr MakeText(const std::string& text) { return Make(Literal{Value(text)}); }
ExpressionPtr MakeTexts(const std::vector<std::string>& texts);
ExpressionPtr MakeObject(const std::vector<NamedExpression>& fields, bool typed);
ExpressionPtr MakeCall(const std::string& function, std::vector<ExpressionPtr> arguments = {});

std::vector<NamedExpression> FieldsOf(const ObjectLiteral& object);
// The call of a function of this name; null for any other expression.
const Call* FindCall(const Expression& expression, const std::string& function);

// A call of a provider's function. The options have names as TypeScript has them.
struct Invocation {
  std::string token;
  std::vector<NamedExpression> arguments, options;
};
Invocation InvocationOf(const Call& call);

// The name of a function in programs in YAML.
std::string NameInYaml(const std::string& function);

// A value of the stack's configuration that the program requires.
struct Setting {
  enum class Kind { kText, kBool, kInteger, kNumber, kObject, kList };
  std::string name;
  Kind kind = Kind::kText;
  Kind element = Kind::kText;  // of kList: what it is a list of
  bool secret = true;
  ExpressionPtr default_value = nullptr;  // null: it is required
};

// A resource of the program that the text goes into, which it refers to and does not declare.
struct UndeclaredResource {
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
  std::string name, token;
  ExpressionPtr id = nullptr;                 // of kRead
  std::vector<NamedExpression> inputs = {};   // names of the schema; of kRead: what is known of its state
  std::vector<NamedExpression> options = {};  // "protect", "dependsOn", ...: names as TypeScript has them
  std::string plugin_version = {};            // of its provider; for languages without SDKs
  std::string note = {};                      // a line above it
};

// A function of a provider, as far as its schema matters to those who call it.
struct FunctionShape {
  bool takes_arguments = true;
  std::vector<std::string> answers;  // what its answer may hold; none if that is one value, not an object
};

using schema::Packages;

struct Program {
  std::vector<Setting> settings;
  std::vector<UndeclaredResource> undeclared_resources;
  std::vector<Resource> resources;         // each after those it refers to
  std::vector<NamedExpression> variables;  // likewise
  // How many of the resources come before each variable.
  std::vector<size_t> resources_before;
  std::vector<NamedExpression> outputs;            // of the stack
  Packages packages;                               // those whose schemas could be had
  std::map<std::string, FunctionShape> functions;  // of providers: those that are called, by token
};

std::vector<const Call*> CallsIn(const Program& program);

// The declarations in their order: a resource, or a variable.
struct Statement {
  const Resource* resource = nullptr;
  const NamedExpression* variable = nullptr;
};
std::vector<Statement> StatementsOf(const Program& program);

// Null if the program does not declare it.
const Resource* FindResource(const Program& program, const std::string& key);
bool IsSecret(const Program& program, const SettingRef& reference);

}  // namespace kingpost::codegen
