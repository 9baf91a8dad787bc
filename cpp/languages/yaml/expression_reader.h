// SPDX-License-Identifier: Apache-2.0
// From nodes to expressions of the one evaluator (languages/pcl/): texts with ${...}, lists, objects, and objects that
// call a function:
//
//     ${bucket.tags["a"]}              GetIndex(GetAttribute(Variable bucket, tags), "a")
//     fn::join: [", ", ${names}]       Call join(", ", Variable names)
//     fn::aws:getRegions: {all: true}  Call invoke("aws:getRegions", {all: true})
//
// Any thread.
#pragma once

#include <set>
#include <string>

#include "languages/pcl/ast.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

class ExpressionReader {
 public:
  explicit ExpressionReader(Diagnostics* diagnostics) : diagnostics_(*diagnostics) {}

  pcl::ExpressionPtr Parse(const Node& node);
  // A text with its interpolations.
  pcl::ExpressionPtr ParseText(const std::string& text, pcl::Position at);

  // The stacks that fn::stackReference names.
  const std::set<std::string>& stacks() const { return stacks_; }

 private:
  pcl::ExpressionPtr ParseObject(const Node& node);
  // Null if the entry calls no function.
  pcl::ExpressionPtr ParseFunction(const Entry& entry);
  pcl::ExpressionPtr ParseInvoke(const Node& node, pcl::Position at);
  pcl::ExpressionPtr ParseInvokeOptions(const Node& node);
  pcl::ExpressionPtr ParseAssetArchive(const Node& node, pcl::Position at);
  pcl::ExpressionPtr ParseStackReference(const Node& node, pcl::Position at);
  pcl::ExpressionPtr Fail(pcl::Position at, const std::string& message);

  Diagnostics& diagnostics_;
  std::set<std::string> stacks_;
};

// One resource: key, type, properties, options.
ResourceDecl ParseResource(const Entry& entry, ExpressionReader* expressions, Diagnostics* diagnostics);

using pcl::LiteralText;

// "'Arguments' looks like a miscapitalization of 'arguments'", unless they are the same.
void WarnOfCase(const std::string& found, const std::string& expected, pcl::Position at, Diagnostics* diagnostics);
bool SameButCase(const std::string& a, const std::string& b);

}  // namespace kingpost::yaml
