// SPDX-License-Identifier: Apache-2.0
// From expressions to values. Pure: what is outside comes in through the scope and the log of effects. One thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "languages/pcl/ast.h"
#include "languages/pcl/builtins.h"
#include "languages/pcl/datum.h"
#include "languages/pcl/effects.h"
#include "languages/pcl/size_budget.h"
#include "languages/schema/package.h"

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

// The differences between the languages that are evaluated here: that of snippets, and that of YAML
// programs (languages/yaml/dialect.h).
struct Dialect {
  Signature Builtin::*signature = &Builtin::snippets;                  // how it has the functions of builtins.h
  std::optional<std::string> (*text_of)(const Value& value) = ToText;  // of a part of a template
  // A missing property of an object is null instead of an error, or unknown while parts of the object are.
  bool lenient = false;
  // Functions of providers get their arguments as they were written; what the schema says of them is not enforced.
  bool raw_arguments = false;
};

// The place of the run, for functions of the language that ask for it.
struct EvaluationContext {
  std::string project, stack, organization, working_directory, root_directory;
  bool preview = false;
  schema::Packages packages;
  Dialect dialect;
  // Functions of providers by token, where the packages' names do not tell which schema is meant; null: `packages` do.
  // The answer is null if nobody defines it.
  std::function<const schema::Function*(const std::string& token)> find_function;
  // The size of the values of all expressions that were evaluated so far. Each evaluation adds to it as it ends.
  std::shared_ptr<uint64_t> spent = std::make_shared<uint64_t>(0);

  const schema::Function* FindFunction(const std::string& token) const;
};

class Evaluator {
 public:
  Evaluator(const EvaluationContext& surroundings, EffectLog* effects)
      : around_(surroundings), effects_(*effects), size_{*surroundings.spent, 0} {}

  // Fails with "line,column: ...", or with any error while an effect is wanted: ask stopped() first.
  Result<Datum> Evaluate(const Expression& expression, const Scope& scope);
  bool stopped() const { return effects_.wanted().has_value(); }
  const EvaluationContext& surroundings() const { return around_; }
  uint64_t spent() const { return size_.now; }  // by this evaluation

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
  Result<Datum> EvaluateTuple(const TupleLiteral& node, Position at, const Scope& scope);
  Result<Datum> EvaluateObject(const ObjectLiteral& node, Position at, const Scope& scope);
  struct ForProduct;
  Result<Datum> EvaluateFor(const For& node, Position at, const Scope& scope);
  Status AddForValue(const For& node, const Scope& inner, ForProduct* product);
  Status AddForEntry(const For& node, const Scope& inner, Value value, ForProduct* product);
  Result<Datum> AttributeOf(const Datum& object, const std::string& name, bool open, Position at);
  // The same, and of lists, as lenient dialects have it.
  Result<Datum> LenientPart(const Datum& whole, const Value& key, bool by_name, Position at);
  // A reference to a resource as the object of its outputs.
  Result<Datum> Expand(Datum datum, Position at);

  // evaluate_calls.cc
  Result<Datum> EvaluateCall(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateTry(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateCan(const Call& node, Position at, const Scope& scope);
  Result<Datum> EvaluateRecover(const Call& node, Position at, const Scope& scope);
  Result<Arguments> EvaluateArguments(const Call& node, Position at, const Scope& scope);
  Result<Datum> CallBuiltin(const Call& node, const Signature& builtin, Arguments arguments, Position at);
  Result<Datum> Invoke(const Call& node, const Arguments& arguments, Position at);
  Result<const schema::Function*> InvokedFunction(const Call& node, size_t arguments, Position at);
  // `given` as the function's schema has it; `text` is the token as it is written.
  Result<PropertyMap> InvokeInputs(const std::string& text, const schema::Function& function, const Value& given,
                                   Position at);
  Result<Datum> CallMethod(const Arguments& arguments, Position at);
  Result<Datum> ReadFile(const Call& node, const Arguments& arguments, Position at);
  Result<Datum> Ask(Effect effect, const schema::Function& function, std::vector<Urn> dependencies, Position at);

  const EvaluationContext& around_;
  EffectLog& effects_;
  ProgramSize size_;
};

}  // namespace kingpost::pcl
