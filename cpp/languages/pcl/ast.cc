// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/ast.h"

namespace kingpost::pcl {

namespace {

struct Parts {
  std::vector<ExpressionPtr>* out;

  void Add(const ExpressionPtr& part) const {
    if (part) out->push_back(part);
  }
  void operator()(const Literal&) const {}
  void operator()(const Variable&) const {}
  void operator()(const SplatElement&) const {}
  void operator()(const Template& node) const { *out = node.parts; }
  void operator()(const GetAttribute& node) const { Add(node.object); }
  void operator()(const GetIndex& node) const {
    Add(node.collection);
    Add(node.key);
  }
  void operator()(const Splat& node) const {
    Add(node.source);
    Add(node.each);
  }
  void operator()(const Unary& node) const { Add(node.operand); }
  void operator()(const Binary& node) const {
    Add(node.left);
    Add(node.right);
  }
  void operator()(const Conditional& node) const {
    Add(node.condition);
    Add(node.then);
    Add(node.otherwise);
  }
  void operator()(const Call& node) const { *out = node.arguments; }
  void operator()(const TupleLiteral& node) const { *out = node.elements; }
  void operator()(const ObjectLiteral& node) const {
    for (const ObjectLiteral::Item& item : node.items) {
      Add(item.key);
      Add(item.value);
    }
  }
  void operator()(const For& node) const {
    Add(node.collection);
    Add(node.key);
    Add(node.value);
    Add(node.condition);
  }
  void operator()(const Parentheses& node) const { Add(node.inner); }
};

}  // namespace

std::vector<ExpressionPtr> PartsOf(const Expression& expression) {
  std::vector<ExpressionPtr> parts;
  std::visit(Parts{&parts}, expression.node);
  return parts;
}

const Attribute* Body::Find(const std::string& name) const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

}  // namespace kingpost::pcl
