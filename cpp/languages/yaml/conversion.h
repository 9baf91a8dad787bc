// SPDX-License-Identifier: Apache-2.0
// A program in YAML as a program without a language (languages/codegen/), which writers turn into other languages. Any
// thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "languages/codegen/program.h"
#include "languages/yaml/package_index.h"

namespace kingpost::yaml {

struct ConversionSource {
  const ProgramDecl& program;
  const PackageIndex& book;                              // its packages are loaded
  std::map<std::string, codegen::Setting::Kind> values;  // settings that the project itself gives a value
  std::set<std::string> secrets;                         // settings that some stack keeps encrypted
};

// A construct without a form in other languages is an error in *diagnostics, a possible difference a warning.
codegen::Program ConvertProgram(ConversionSource source, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
