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
#include "languages/schema/package.h"

namespace kingpost::pcl {

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

// The error of a name that stands for nothing.
Status UndefinedVariable(Position at, const std::string& name);

// The languages that are evaluated here. Programs in YAML have functions of their own (Builtin::yaml) and other texts
// of values in a template. A missing property of an object is null there instead of an error, or unknown while parts of
// the object are. Functions of providers get their arguments as they were written, whatever their schema says.
enum class Dialect { kSnippets, kYaml };

// Fails if the language has no such function, or does not offer it. In evaluate_calls.cc.
Status CheckFunction(const std::string& function, Dialect dialect, Position at);

// The place of the run, for functions of the language that ask for it.
struct EvaluationContext {
  std::string project, stack, organization, working_directory, root_directory;
  bool preview = false;
  schema::Packages packages;
  Dialect dialect = Dialect::kSnippets;
  // Functions of providers by token, where the packages' names do not tell which schema is meant; null: `packages` do.
  // The answer is null if nobody defines it.
  std::function<const schema::Function*(const std::string& token)> find_function;
  // The size of the values of all expressions that were evaluated so far. Each evaluation adds to it as it ends.
  std::shared_ptr<uint64_t> spent = std::make_shared<uint64_t>(0);

  const schema::Function* FindFunction(const std::string& token) const;
  bool yaml() const { return dialect == Dialect::kYaml; }
};

class Evaluator {
 public:
  Evaluator(const EvaluationContext& surroundings, EffectLog* effects)
      : around_(surroundings), effects_(*effects), spent_before_(*surroundings.spent) {}

  // Fails with "line,column: ...", or with any error while an effect is wanted: ask stopped() first.
  Result<Datum> Evaluate(const Expression& expression, const Scope& scope);
  bool stopped() const { return effects_.wanted().has_value(); }
  const EvaluationContext& surroundings() const { return around_; }
  uint64_t spent() const { return spent_; }  // by this evaluation

 private:
  // After the first error nothing is asked and each value is unknown, so that the evaluation comes back soon.
  bool failed() const { return !status_.ok(); }
  Datum Fail(Status status);
  Datum Fail(Position at, const std::string& message) { return Fail(ErrorAt(at, message)); }

  Datum Compute(const Expression& expression, const Scope& scope);
  Datum Of(const Literal& node, Position at, const Scope& scope);
  Datum Of(const Template& node, Position at, const Scope& scope);
  Datum Of(const Variable& node, Position at, const Scope& scope);
  Datum Of(const Unary& node, Position at, const Scope& scope);
  Datum Of(const Binary& node, Position at, const Scope& scope);
  Datum Of(const Conditional& node, Position at, const Scope& scope);
  Datum Of(const Parentheses& node, Position at, const Scope& scope);
  Datum OfLogical(const Binary& node, const Scope& scope);
  double NumberOf(const Datum& datum, const std::string& op, Position at);
  // Null if it is not known.
  std::optional<bool> Test(const Expression& expression, const Scope& scope, Marks* marks);
  // Adds a part of a value to the size of the value, with all that the part refers to. Fails once there is more than
  // kValueSizeMax in one value, or kProgramSizeMax in all.
  void Charge(uint64_t bytes, uint64_t* size, Position at);

  // evaluate_collections.cc
  Datum Of(const GetAttribute& node, Position at, const Scope& scope);
  Datum Of(const GetIndex& node, Position at, const Scope& scope);
  Datum Of(const TupleLiteral& node, Position at, const Scope& scope);
  Datum Of(const ObjectLiteral& node, Position at, const Scope& scope);
  struct ForProduct;
  Datum Of(const For& node, Position at, const Scope& scope);
  void AddForElement(const For& node, Value key, const Value& element, const Scope& scope, ForProduct* product);
  void AddForEntry(const For& node, const Scope& inner, Value value, ForProduct* product);
  std::optional<std::string> KeyOf(const Datum& key, Position at);
  Datum AttributeOf(const Datum& whole, const std::string& name, bool open, Position at);
  Datum ElementOf(const Datum& list, const Value& key, Position at);
  // An attribute or an element in YAML. `by_name`: the key is written behind a dot.
  Datum PartInYaml(const Datum& whole, const Value& key, bool by_name, Position at);
  // A reference to a resource as the object of its outputs.
  Datum Expand(Datum datum, Position at);

  // evaluate_calls.cc
  using Arguments = std::vector<Datum>;
  Datum Of(const Call& node, Position at, const Scope& scope);
  Datum Try(const Call& node, Position at, const Scope& scope);
  Datum Can(const Call& node, Position at, const Scope& scope);
  Arguments ArgumentsOf(const Call& node, const Scope& scope);
  Datum CallBuiltin(const Call& node, const Signature& builtin, Arguments arguments, Position at);
  Datum Invoke(const Call& node, const Arguments& arguments, Position at);
  // Null where it fails.
  const schema::Function* InvokedFunction(const Call& node, size_t arguments, Position at);
  Datum CallMethod(const Arguments& arguments, Position at);
  Datum ReadFile(const Call& node, const Arguments& arguments, Position at);
  // Null where the evaluation stops.
  const Result<EffectAnswer>* Ask(Effect effect, Position at);
  // The answer of a provider's function, with what it depends on.
  Datum AnswerOf(Effect effect, const schema::Function& function, const Marks& marks, Position at);

  const EvaluationContext& around_;
  EffectLog& effects_;
  const uint64_t spent_before_;
  uint64_t spent_ = 0;
  Status status_;
};

}  // namespace kingpost::pcl
