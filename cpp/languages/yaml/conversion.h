// SPDX-License-Identifier: Apache-2.0
// A program in YAML as a program without a language (languages/codegen/), which writers turn into other languages. Any
// thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "languages/codegen/program.h"
#include "languages/yaml/package_book.h"

namespace kingpost::yaml {

struct ConversionSource {
  const ProgramDecl& program;
  const PackageBook& book;                               // its packages are loaded
  std::map<std::string, codegen::Setting::Kind> values;  // settings that the project itself gives a value
  std::set<std::string> secrets;                         // settings that some stack keeps encrypted
};

// What has no form in other languages is an error in *diagnostics, what may differ there a warning.
codegen::Program ConvertProgram(ConversionSource source, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
