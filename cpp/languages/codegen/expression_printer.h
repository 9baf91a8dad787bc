// SPDX-License-Identifier: Apache-2.0
// Expressions as text. What differs between languages is a notation, and what each says its own way. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/codegen/layout.h"
#include "languages/codegen/names.h"

namespace kingpost::codegen {

struct Notation {
  std::string (*text)(const std::string& text);  // with its quotes
  const char *yes, *no, *nothing;
  std::string (*key)(const std::string& name, bool typed);        // of an object, with what stands before its value
  std::string (*attribute)(const std::string& name, bool named);  // ".name"; "" if it has to stand in brackets
  bool spaced = false;                                            // blanks inside the braces of an object
};

// ".name" for an identifier.
std::string PlainAttribute(const std::string& name, bool named);

class ExpressionPrinter {
 public:
  ExpressionPrinter(const Program& program, Variables variables, const Notation& notation)
      : program_(program), variables_(std::move(variables)), notation_(notation) {}
  virtual ~ExpressionPrinter() = default;

 protected:
  virtual std::string Text(const Expression& expression, int depth) const { return Raw(expression, depth); }
  // As the value of a variable, whose parts may be asked for later.
  std::string Raw(const Expression& expression, int depth) const;
  std::string Constant(const Value& value) const;
  std::string Step(const Value& key, bool named) const;  // ".name", "[0]"
  std::string Fields(const std::vector<NamedExpression>& fields, bool typed, int depth,
                     size_t columns_before = 0) const;

  // The parts of a text, of which those that are computed stand in "${...}".
  std::string Interpolated(const Template& joined, std::string (*escaped)(const std::string& text), int depth) const;

  virtual std::string TextOf(const PropertyRef& reference) const;
  virtual std::string TextOf(const SettingRef& reference) const { return variables_.settings.at(reference.name); }
  virtual std::string TextOf(const PathStep& step, int depth) const;
  virtual std::string TextOf(const Template& text, int depth) const = 0;
  virtual std::string TextOf(const Call& call, int depth) const = 0;

  const Program& program_;
  const Variables variables_;
  const Notation notation_;
};

}  // namespace kingpost::codegen
