// SPDX-License-Identifier: Apache-2.0
// Small texts that both languages need. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/encoding.h"
#include "base/text.h"
#include "languages/schema/package.h"

namespace kingpost::sdkgen {

// Lines without the empty ones at the end.
std::vector<std::string> LinesOf(const std::string& text);
// "fooBar" of "foo-bar"
std::string Unhyphenated(std::string_view text);
// "Asterisk" of "*", "One" of "1": members of enums that are a single sign. Several "_" in a row become one.
std::string SpelledSign(const std::string& name);
std::string SingleUnderscores(const std::string& text);
// Without quotes, and numbers without an exponent: 1.5, 3.
std::string ConstantText(const schema::Constant& value);
// The name of an enum's member, as the schema gives it: its value where it has none.
std::string MemberName(const schema::EnumValue& value);
// The folder of a path: "" of "b", "a" of "a/b".
std::string FolderOf(const std::string& path);
// "b" of "a/b"
std::string LastOf(const std::string& path);
// The path from one module's folder to another's: "..", "../b", "."
std::string RelativePath(const std::string& from, const std::string& to);
// The head of a generated file. `comment` begins a line of it.
std::string GeneratedNote(const std::string& comment);

// The files of the folder shared/.
extern const char kPythonUtilities[], kNodeUtilities[], kNodePostInstall[];

}  // namespace kingpost::sdkgen
