// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a text: of snippets, of programs in YAML, and of programs that are written in another language
// (languages/codegen/program.h). Nodes are immutable once made. Parsed ones have a bounded depth, so that walking
// them cannot exhaust the stack. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "languages/pcl/position.h"
#include "model/value.h"

namespace kingpost::pcl {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Literal {  // null, a bool, a number or a text without sequences
  Value value;
};
struct Template {  // its parts' texts, joined
  std::vector<ExpressionPtr> parts;
};
struct Variable {
  std::string name;
};
struct GetAttribute {  // object.name
  ExpressionPtr object;
  std::string name;
};
struct GetIndex {  // collection[key]
  ExpressionPtr collection, key;
};
struct Unary {
  std::string op;  // - !
  ExpressionPtr operand;
};
struct Binary {
  std::string op;
  ExpressionPtr left, right;
};
struct Conditional {
  ExpressionPtr condition, then, otherwise;
};
struct Call {
  std::string function;
  std::vector<ExpressionPtr> arguments;
  bool expand_last = false;  // f(list...)
};
struct TupleLiteral {
  std::vector<ExpressionPtr> elements;
};
struct ObjectLiteral {
  struct Item {
    ExpressionPtr key, value;
  };
  std::vector<Item> items;
  bool typed = false;  // the keys are names of a schema, which languages spell their way

  void Add(const std::string& key, ExpressionPtr value);
};
struct For {
  std::string key_name = {};  // "" if not wanted
  std::string value_name;
  ExpressionPtr collection;
  ExpressionPtr key = {};  // null: a tuple is made
  ExpressionPtr value;
  ExpressionPtr condition = {};  // null: all
  bool group = false;            // values of one key are gathered
  bool splat = false;  // collection[*].value: a single value is walked over as a list of it, and null as no list
};
struct Parentheses {
  ExpressionPtr inner;
};

// The meaning of a name, if the tree is to be written in another language; such a tree is not evaluated.
struct ResourceRef {
  std::string key;  // of a resource of the program
};
struct PropertyRef {
  std::string key;
  std::string property;   // as the schema has it; "id" is the ID
  bool optional = false;  // the schema lets it be missing
};
struct SettingRef {
  std::string name;
};

struct Expression {
  using Node = std::variant<Literal, Template, Variable, GetAttribute, GetIndex, Unary, Binary, Conditional, Call,
                            TupleLiteral, ObjectLiteral, For, Parentheses, ResourceRef, PropertyRef, SettingRef>;
  Node node;
  Position at;
  int depth = 1;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

ExpressionPtr Make(Expression::Node node, Position at = {});

// The direct parts of an expression, in the order of the text.
std::vector<ExpressionPtr> PartsOf(const Expression& expression);
// Visits the expression and all that it is made of, in the order of the text.
void Walk(const Expression& expression, const std::function<void(const Expression&)>& visit);

// The text of a literal text; nullptr for anything else.
const std::string* LiteralText(const ExpressionPtr& expression);
// The token of the provider's function that the expression calls; nullptr if it is no such call.
const std::string* InvokedToken(const Expression& expression);

// The last step of a path: object.name, or collection[key] with a key that is written out.
struct PathStep {
  ExpressionPtr whole;
  Value key;           // a text or a number
  bool named = false;  // object.name
};
std::optional<PathStep> LastStepOf(const Expression& expression);

// The path that an expression spells, "a.b[0]", without computing it; nullopt if it is none.
std::optional<std::string> SpelledPath(const Expression& expression);

struct NamedExpression {  // name = value
  std::string name;
  ExpressionPtr value;
  Position at = {};
};
// Null if none has the name.
const NamedExpression* FindNamed(const std::vector<NamedExpression>& list, const std::string& name);

struct Block;
struct Body {
  std::vector<NamedExpression> attributes;
  std::vector<Block> blocks;
  Position end;

  const NamedExpression* Find(const std::string& name) const { return FindNamed(attributes, name); }
};
struct Block {  // type "label" { body }
  std::string type;
  std::vector<std::string> labels;
  Position at;
  Body body;
};

}  // namespace kingpost::pcl
