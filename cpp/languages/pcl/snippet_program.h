// SPDX-License-Identifier: Apache-2.0
// A snippet ready to run: its text parsed, and checked against the schema of its resource. From here come the requests
// that the engine sends to the monitor. Pure: evaluating may ask for effects (effects.h). Any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kingpost/monitor.h"
#include "languages/pcl/evaluator.h"
#include "languages/pcl/snippet.h"

namespace kingpost::pcl {

// One resource of a snippet: the only one, or one for each element of its range.
struct Instance {
  std::string name;
  std::optional<Value> range_key, range_value;
};

class SnippetProgram {
 public:
  // Errors read "parse snippet: <snippet:name>:line,column: ...".
  static Result<std::shared_ptr<const SnippetProgram>> Parse(Snippet snippet);

  const Snippet& snippet() const { return snippet_; }
  // The package that the snippet's descriptor describes.
  const std::string& package() const { return package_; }
  // All whose schemas are needed to evaluate, `package()` among them.
  const std::set<std::string>& packages() const { return packages_; }

  // Attributes and options against the schema. Errors read "bind snippet: <snippet:name>:line,column: ...".
  Status Check(const schema::Packages& packages) const;

  // Nothing if the range is not known yet.
  Result<std::vector<Instance>> Instances(Evaluator* evaluator, const Scope& scope) const;
  // Without the package reference, which only the monitor can give.
  Result<RegisterResourceRequest> Request(const Instance& instance, Evaluator* evaluator, const Scope& scope) const;

 private:
  Status Located(const Status& status, const char* doing) const;
  Result<const schema::Resource*> FindSchema(const schema::Packages& packages) const;
  const Block* options() const { return body_.blocks.empty() ? nullptr : &body_.blocks.front(); }
  const NamedExpression* range() const { return options() ? options()->body.Find("range") : nullptr; }
  Result<std::string> LogicalName() const;
  void CheckAllNames(const std::function<void(const Status& mistake)>& note) const;
  Status EvaluateInputs(const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                        RegisterResourceRequest* request) const;

  Snippet snippet_;
  Body body_;
  std::string package_;
  std::set<std::string> packages_;
};

}  // namespace kingpost::pcl
