// SPDX-License-Identifier: Apache-2.0
// The values of plain scalars of YAML. Any thread; values.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kingpost {

// The meaning of a plain scalar: null, true, 12, 1.5 or itself.
nlohmann::json ResolvePlainScalar(const std::string& text);

// The same for a setting of a stack, which often is a name made of digits. A number that a program would not get back
// as it is written stays a text: an account 012345678912, a commit of twenty digits, a version 1.10. What only a number
// can mean is one: 0x1F, 1_000; and `nested` in a list or an object so is 1.10, because programs compute with it.
nlohmann::json NumberAsWritten(const std::string& text, bool nested);

// A number whose text is not what it comes to: 0x1F, +5, and 1.10 in an object.
bool ChangesWhenParsed(const std::string& text, const nlohmann::json& value);

}  // namespace kingpost
