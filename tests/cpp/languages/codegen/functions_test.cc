// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "languages/codegen/program_writer.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/builtins.h"

namespace kingpost::functions_test {

using namespace codegen;

TEST_CASE("each function of programs in YAML has a form in the languages that are written", "[codegen]") {
  for (const auto& forms : {PythonFunctions().forms, NodeFunctions().forms}) {
    const auto has_form = [&](const std::string& function) {
      return std::any_of(forms.begin(), forms.end(), [&](const FunctionForm& form) { return form.name == function; });
    };
    for (const pcl::Builtin& builtin : pcl::AllBuiltins()) {
      const std::string name = builtin.name;
      INFO(name);
      // The conversion knows what these two say of a resource.
      if (builtin.yaml.compute && !name.starts_with("pulumiResource")) CHECK(has_form(name));
    }
    for (const char* own : {kAsText, kTextLength, kNoParent, kSplitByNothing, "cwd", "project", "stack", "organization",
                            "rootDirectory"}) {
      INFO(own);
      CHECK(has_form(own));
    }
  }
}

TEST_CASE("a setting, a step and a call are printed by the notation of each language", "[codegen]") {
  Program program;
  program.settings.push_back({"word", Setting::Kind::kText, Setting::Kind::kText, /*secret=*/false});
  const ExpressionPtr list = Make(TupleLiteral{{MakeText("a"), Make(SettingRef{"word"})}});
  const ExpressionPtr object = MakeObject({{"someKey", list}}, /*typed=*/true);
  const ExpressionPtr key = Make(pcl::GetAttribute{object, "someKey"});
  const ExpressionPtr joined = MakeCall("join", {MakeText("-"), Make(pcl::GetIndex{key, Make(Literal{Value(0.0)})})});
  program.outputs = {{"joined", joined}};
  CHECK(WritePython(program) == R"(import pulumi

config = pulumi.Config()
word = config.require("word")

pulumi.export("joined", "-".join({"some_key": ["a", word]}.some_key[0]))
)");
  CHECK(WriteTypeScript(program, ModuleKind::kImport) == R"(import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const word = config.require("word");

export const joined = { someKey: ["a", word] }.someKey[0].join("-");
)");
}

TEST_CASE("a program imports what its functions need of the language's library", "[codegen]") {
  Program program;
  program.outputs = {{"place", MakeCall("cwd")}};
  CHECK(WritePython(program) == R"(import os

import pulumi

pulumi.export("place", os.getcwd())
)");
}

}  // namespace kingpost::functions_test
