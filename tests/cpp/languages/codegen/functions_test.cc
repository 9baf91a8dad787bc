// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "languages/codegen/language_expressions.h"
#include "languages/pcl/builtins.h"

namespace kingpost::functions_test {

using namespace codegen;

TEST_CASE("each function of programs in YAML has a form in the languages that are written", "[codegen]") {
  for (const auto& forms : {PythonFunctions(), NodeFunctions()}) {
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
  Variables names;
  names.settings["word"] = "word";
  const auto python = PythonExpressions(program, names), node = NodeExpressions(program, names);
  CHECK(python->Text(*joined, 0) == R"("-".join({"some_key": ["a", word]}.some_key[0]))");
  CHECK(node->Text(*joined, 0) == R"({ someKey: ["a", word] }.someKey[0].join("-"))");
  CHECK(python->modules().empty());
  CHECK(python->Text(*MakeCall("cwd"), 0) == "os.getcwd()");
  CHECK(python->modules() == std::set<std::string>{"os"});
}

}  // namespace kingpost::functions_test
