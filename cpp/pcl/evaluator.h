// SPDX-License-Identifier: Apache-2.0
// From expressions to values. Pure: what is outside comes in through the scope and the log of effects. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pcl/ast.h"
#include "pcl/datum.h"
#include "pcl/effects.h"
#include "pcl/package_schema.h"

namespace kingpost::pcl {

inline constexpr char kElement[] = "*";  // names the element of a splat; no identifier is spelled so

// Names and what they stand for; those of the outer scope show through.
class Scope {
 public:
  struct Entry {
    Datum datum;
    bool open = false;  // an attribute it lacks is not known yet, rather than a mistake
  };

  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}
  void Set(const std::string& name, Datum datum, bool open = false) { entries_[name] = {std::move(datum), open}; }
  const Entry* Find(const std::string& name) const {
    auto found = entries_.find(name);
    if (found != entries_.end()) return &found->second;
    return outer_ ? outer_->Find(name) : nullptr;
  }

 private:
  const Scope* outer_;
  std::map<std::string, Entry> entries_;
};

// What functions of the language tell about where they run.
struct Surroundings {
  std::string project, stack, organization, working_directory, root_directory;
  bool preview = false;
  Schemas schemas;
};

class Evaluator {
 public:
  Evaluator(const Surroundings& surroundings, EffectLog* effects) : around_(surroundings), effects_(*effects) {}

  // Fails with "line,column: ...", or with any error while an effect is wanted: ask stopped() first.
  Result<Datum> Evaluate(const Expression& expression, const Scope& scope);
  bool stopped() const { return effects_.wanted().has_value(); }
  const Surroundings& surroundings() const { return around_; }

 private:
  using Arguments = std::vector<Datum>;

  Result<Datum> EvaluateTemplate(const Template& node, Position at, const Scope& scope);
  Result<Datum> EvaluateUnary(const Unary& node, Position at, const Scope& scope);
  Result<Datum> EvaluateBinary(const Binary& node, Position at, const Scope& scope);
  Result<Datum> EvaluateLogical(const Binary& node, Position at, const Scope& scope);
  Result<Datum> EvaluateConditional(const Conditional& node, Position at, const Scope& scope);
  Result<bool> EvaluateBool(const Expression& expression, const Scope& scope, Marks* marks, bool* known);

  // evaluate_collections.cc
  Result<Datum> EvaluateAttribute(const GetAttribute& node, Position at, const Scope& scope);
  Result<Datum> EvaluateIndex(const GetIndex& node, Position at, const Scope& scope);
  Result<Datum> EvaluateSplat(const Splat& node, const Scope& scope);
  Result<Datum> EvaluateTuple(const TupleLiteral& node, const Scope& scope);
  Result<Datum> EvaluateObject(const ObjectLiteral& node, const Scope& scope);
  struct ForProduct;
  Result<Datum> EvaluateFor(const For& node, Position at, const Scope& scope);
  Status AddForValue(const For& node, const Scope& inner, ForProduct* product);
  Status AddForEntry(const For& node, const Scope& inner, Value value, ForProduct* product);
  Result<Datum> AttributeOf(const Datum& object, const std::string& name, bool open, Position at);
  // A reference to a resource as the object of its outputs.
  Result<Datum> Expand(Datum datum, Position at);

  // evaluate_calls.cc
  Result<Datum> EvaluateCall(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateTry(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateCan(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateRecover(const Call& node, Position at, const Scope& scope);
  Result<Arguments> EvaluateArguments(const Call& node, Position at, const Scope& scope);
  Result<Datum> CallBuiltin(const Call& node, Arguments arguments, Position at);
  Result<Datum> Invoke(const Call& node, const Arguments& arguments, Position at);
  Result<Datum> CallMethod(const Arguments& arguments, Position at);
  Result<Datum> Ask(Effect effect, const FunctionSchema& function, std::vector<Urn> dependencies, Position at);

  const Surroundings& around_;
  EffectLog& effects_;
};

}  // namespace kingpost::pcl
