// SPDX-License-Identifier: Apache-2.0
// The one table of functions: what snippets and programs in YAML may call, what their values are, and what writers of
// other languages know them by. Those that ask outside, or do not compute all their arguments (`invoke`, `call`, `try`,
// `can`, `recover`), are in evaluate_calls.cc. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "languages/pcl/datum.h"
#include "languages/schema/package.h"

namespace kingpost::pcl {

struct EvaluationContext;  // evaluator.h

// The values that a function takes in one place. Snippets convert numbers and bools where it takes nothing but a text.
struct Parameter {
  enum Kinds : unsigned { kAny = 0, kNull = 1, kText = 2, kList = 4, kObject = 8 };
  unsigned kinds = kAny;
  const char* complaint = "";  // of another value, whose kind follows: "the separator must be a text, not "
};

// How one language has a function.
struct Signature {
  using Values = std::vector<Value>;

  int least = 0, most = 0;  // arguments; most < 0: any number
  // Null: the language has no such function.
  Result<Value> (*compute)(const EvaluationContext& around, const Values& arguments) = nullptr;
  Parameter parameters[2] = {};  // the first ones
  bool takes_null = false;       // else null is a mistake in every place
  bool deep = false;             // an unknown deep inside of an argument makes the result unknown, too

  // Checks the arguments, whose number is right, before it computes.
  Result<Value> Compute(const EvaluationContext& around, Values arguments) const;
};

struct Builtin {
  const char* name;
  Signature snippets, yaml;
  schema::Type::Kind result = schema::Type::Kind::kAny;
  const char* unsupported_text = "";  // the reference has it, and snippets do not
};

std::span<const Builtin> AllBuiltins();
// Null if there is none of this name. `secret` and `unsecret` are here only by name: they are about marks.
const Builtin* FindBuiltin(const std::string& name);

}  // namespace kingpost::pcl
