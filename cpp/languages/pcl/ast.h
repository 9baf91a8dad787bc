// SPDX-License-Identifier: Apache-2.0
// What the text of a snippet says, as a tree. Nodes are immutable once parsed; their depth is bounded, so that walking
// them cannot exhaust the stack. Any thread.
#pragma once

#include <memory>
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
struct Splat {  // source[*].each, source.*.each
  ExpressionPtr source;
  ExpressionPtr each;  // with SplatElement for the element
};
struct SplatElement {};
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
};
struct For {
  std::string key_name;  // "" if not wanted
  std::string value_name;
  ExpressionPtr collection;
  ExpressionPtr key;  // null: a tuple is made
  ExpressionPtr value;
  ExpressionPtr condition;  // null: all
  bool group = false;       // values of one key are gathered
  bool join = false;        // of a template: the values' texts, joined
};
struct Parentheses {
  ExpressionPtr inner;
};

struct Expression {
  using Node = std::variant<Literal, Template, Variable, GetAttribute, GetIndex, Splat, SplatElement, Unary, Binary,
                            Conditional, Call, TupleLiteral, ObjectLiteral, For, Parentheses>;
  Node node;
  Position at;
  int depth = 1;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// The direct parts of an expression, in the order of the text.
std::vector<ExpressionPtr> PartsOf(const Expression& expression);

struct Attribute {  // name = value
  std::string name;
  Position at;
  ExpressionPtr value;
};
struct Block;
struct Body {
  std::vector<Attribute> attributes;
  std::vector<Block> blocks;
  Position end;

  const Attribute* Find(const std::string& name) const;
};
struct Block {  // type "label" { body }
  std::string type;
  std::vector<std::string> labels;
  Position at;
  Body body;
};

}  // namespace kingpost::pcl
