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

// How one language has a function.
struct Signature {
  int least = 0, most = 0;  // arguments; most < 0: any number
  // The possible kinds of an argument. Without these, null is a mistake, and one unknown argument makes the result
  // unknown.
  bool takes_null = false, takes_unknown = false;
  bool deep = false;  // an unknown deep inside makes the result unknown, too
  // Null: the language has no such function.
  Result<Value> (*compute)(const EvaluationContext& around, const std::vector<Value>& arguments) = nullptr;
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

// Reads a file, where the dialect offers it: evaluated, not computed.
inline constexpr char kReadFile[] = "readFile";

// As JSON: keys sorted, and <, > and & escaped, so that the text can stand in HTML.
std::string ToJson(const Value& value);

}  // namespace kingpost::pcl
