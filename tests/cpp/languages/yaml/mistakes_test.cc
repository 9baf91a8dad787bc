// SPDX-License-Identifier: Apache-2.0
// Checks the messages for programs with mistakes, and the places that they name.
#include <catch2/catch.hpp>

#include "languages/yaml/yaml_stage.h"

namespace kingpost::mistakes_test {

using yaml_stage::Stage;

struct Row {
  const char* text;   // below name and runtime, from line 3
  const char* error;  // the summary
  const char* place;  // "line 5, column 7:"
};

const Row kRows[] = {
    {"outputs: {x: \"${y}\"}", "resource, variable, or config value \"y\" not found", "line 3, column 14:"},
    {"variables: {a: \"${b}\", b: \"${a}\"}", "circular dependency of variable 'a' transitively on itself",
     "line 3, column 27:"},
    {"resources: {a: {type: \"gadgets:Gadget\", options: {dependsOn: [\"${a}\"]}}}",
     "circular dependency of resource 'a' transitively on itself", "line 3, "},
    {"variables: {x: 1}\nresources:\n  x: {type: \"gadgets:Gadget\"}",
     "variable x cannot have the same name as resource x", "line 3, column 13:"},
    {"variables: {pulumi: 1}", "variable pulumi uses the reserved name pulumi", "line 3, column 13:"},
    {"resources:\n  a: {properties: {}}", "Required field 'type' is missing on resource \"a\"", "line 4, column 3:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", defaultProvider: true}",
     "cannot set defaultProvider on non-provider resource", "line 4, column 3:"},
    {"resources:\n  a: {type: \"gadgets:Gadet\"}",
     "error resolving type of resource a: unable to find resource type \"gadgets:Gadet\" in resource provider "
     "\"gadgets\"",
     "line 4, column 13:"},
    {"resources:\n  a: {type: nonsense}", "invalid type token \"nonsense\"", "line 4, column 13:"},
    {"resources:\n  a: {type: \"nobody:Thing\"}", "error loading schema for \"nobody\": no resource plugin",
     "line 4, column 13:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", properties: {xname: x}}",
     "Property xname does not exist on 'gadgets:index:Gadget'", "line 4, column 44:"},
    {"resources:\n  a: {type: \"gadgets:net:Wire\"}", "Missing required property 'length'", "line 4, column 3:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", properties: {size: big}}", "number is not assignable from string",
     "line 4, column 50:"},
    {"resources:\n  a:\n    type: gadgets:Gadget\n    properties:\n      part: {size: 1, color: green}",
     "gadgets:index:Color is not assignable from string: color", "line 7, column 30:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", properties: {part: {}}}", "Missing required property 'size'",
     "line 4, column 50:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", properties: {tags: [x]}}",
     "Map<string> is not assignable from List<string>", "line 4, column 50:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", properties: {file: text}}", "asset is not assignable from string",
     "line 4, column 50:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", protect: true}",
     "Resource gadgets:index:Gadget has invalid key 'protect'", "line 4, column 31:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", options: {protekt: true}}",
     "protekt does not exist on resource options", "line 4, column 41:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\", get: {id: x}, properties: {name: y}}",
     "Resource fields properties and get are mutually exclusive", "line 4, column 3:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\"}\noutputs:\n  x: ${a.xlabel}", "xlabel does not exist on a",
     "line 6, column 6:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\"}\noutputs:\n  x: ${a.label.y}",
     "cannot access a property on 'a.label' (type string)", "line 6, column 6:"},
    {"resources:\n  a: {type: \"gadgets:Gadget\"}\noutputs:\n  x: ${a.parts[\"k\"]}",
     "Cannot index via string into 'a.parts'", "line 6, column 6:"},
    {"variables: {l: [1]}\noutputs: {x: \"${l[3]}\"}", "list index 3 out-of-bounds for list of length 1", "line 4, "},
    {"outputs: {x: {\"fn::join\": [a]}}", "the argument to fn::join must be a two-valued list", "line 3, column 27:"},
    {"outputs: {x: {\"fn::join\": [a, [1]]}}",
     "join: the second argument to fn::join must be a list of strings, found a number at index 0", "line 3, "},
    {"outputs: {x: {\"fn::fromBase64\": \"***\"}}", "fromBase64: fn::fromBase64 unable to decode ***", "line 3, "},
    {"outputs: {x: {\"fn::singleOrNone\": [1, 2]}}", "fn::singleOrNone expected a list of 0 or 1 elements, got 2",
     "line 3, "},
    {"outputs: {x: {\"fn::invoke\": {arguments: {}}}}", "missing function name ('function')", "line 3, column 29:"},
    {"outputs: {x: {\"fn::gadgets:getNothing\": {}}}", "unable to find function \"gadgets:getNothing\"", "line 3, "},
    {"outputs: {x: {\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: a}, return: xlabel}}}",
     "xlabel does not exist on gadgets:index:getGadget", "line 3, "},
    {"outputs: {x: {\"fn::gadgets:getGadget\": {}}}", "'gadgets:index:getGadget' failed: name: is missing", "line 3, "},
    {"outputs: {x: {\"fn::stringAsset\": a, b: c}}", "fn::stringAsset must have its own object", "line 3, column 15:"},
    {"outputs: {x: \"${a\"}", "unterminated interpolation", "line 3, column 14:"},
    {"outputs: {x: \"${a[\"}", "missing closing bracket in list index", "line 3, column 14:"},
    {"outputs: {x: \"${a[z]}\"}", "invalid list index", "line 3, column 14:"},
    {"outputs: [x]", "outputs must be an object", "line 3, column 10:"},
    {"outputs: {1: x}", "mapping keys must be strings", "line 3, column 11:"},
    {"variables: &v {a: b}\noutputs: *v", "alias nodes are not supported", "line 4, column 10:"},
    {"pulumi: {requiredVersion: \">=99\"}", "this is 3.274.1", "line 3, column 27:"},
    {"components: {c: {}}", "components are only supported in plugins, not in programs", "line 3, column 14:"},
    {"outputs:\n  x: [", "invalid YAML file: Pulumi.yaml:", ""},
};

TEST_CASE("mistakes are reported with their place and their line") {
  for (const Row& row : kRows) {
    INFO(row.text);
    Stage stage;
    const std::string text = std::string("name: shop\nruntime: yaml\n") + row.text + "\n";
    const auto response = stage.Run(text);
    CHECK(response.bail);
    CHECK(stage.Outputs() == "none");
    INFO(stage.Errors());
    CHECK(stage.Errors().find(row.error) != std::string::npos);
    CHECK(stage.Errors().find(row.place) != std::string::npos);
  }
}

TEST_CASE("the line that is wrong is shown") {
  Stage stage;
  stage.Run("name: shop\nruntime: yaml\noutputs:\n  out: ${missing}\n");
  REQUIRE(stage.errors.size() == 1);
  CHECK(stage.errors[0] ==
        "resource, variable, or config value \"missing\" not found\n\n"
        "  on Pulumi.yaml line 4, column 8:\n   4:   out: ${missing}\n");
}

TEST_CASE("a cycle is reported with its path") {
  Stage stage;
  stage.Run("name: shop\nruntime: yaml\nvariables: {a: \"${b}\", b: \"${c}\", c: \"${a}\"}\n");
  CHECK(stage.Errors().find("a -> b -> c -> a") != std::string::npos);
}

TEST_CASE("nothing is registered if the program has mistakes") {
  Stage stage;
  stage.Run(
      "name: shop\nruntime: yaml\nresources:\n  a: {type: \"gadgets:Gadget\"}\n  b: {type: \"gadgets:Gadget\", "
      "properties: {size: x}}\n");
  CHECK(stage.monitor.registered.size() == 1);  // the stack
}

TEST_CASE("values that multiply end at a limit, and the error has the line") {
  const auto [first, times, between] = GENERATE(table<std::string, int, std::string>({
      {"[1, 2]", 10, ", "},                      // lists of lists
      {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 8, ""}  // texts of texts
  }));
  std::string program = "name: lol\nruntime: yaml\nvariables:\n  v0: " + first + "\n";
  for (int i = 1; i < 12; ++i) {
    std::string parts;
    for (int part = 0; part < times; ++part) {
      const std::string reference = "${v" + std::to_string(i - 1) + "}";
      parts += (part > 0 ? between : "") + (between.empty() ? reference : "\"" + reference + "\"");
    }
    program += "  v" + std::to_string(i) + ": " + (between.empty() ? parts : "[" + parts + "]") + "\n";
  }
  Stage stage;
  stage.Run(program + "outputs: {x: \"${v11}\"}\n");
  CHECK(stage.Errors().find("this comes to more than 128 MiB of values") != std::string::npos);
  CHECK(stage.Errors().find("on Pulumi.yaml line ") != std::string::npos);
}

TEST_CASE("values that functions multiply end at the same limit") {
  // Lists and texts that come to less than the limit, and more of it by each function.
  std::string variables = "  x0: xxxxxxxxxxxxxxxx\n  q0: '\"\"\"\"\"\"\"\"'\n  l0: [a, a, a, a]\n";
  for (int i = 1; i <= 5; ++i) {
    const std::string n = std::to_string(i), m = std::to_string(i - 1);
    const auto eight = [&m](const char* name) {
      std::string parts;
      for (int part = 0; part < 8; ++part) parts += std::string("${") + name + m + "}";
      return parts;
    };
    variables += "  x" + n + ": " + eight("x") + "\n  q" + n + ": '" + eight("q") + "'\n";
  }
  const std::string function =
      GENERATE(as<std::string>(),  //
               "{'fn::join': ['${x5}${x5}', {'fn::split': ['', '${x4}']}]}",
               "{'fn::length': {'fn::split': ['', '${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}"
               "${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}${x5}']}}",
               "{'fn::toJSON': {'fn::toJSON': {'fn::toJSON': {'fn::toJSON': {'fn::toJSON': "
               "{'fn::toJSON': {'fn::toJSON': {'fn::toJSON': {'fn::toJSON': '${q5}'}}}}}}}}}");
  Stage stage;
  stage.Run("name: lol\nruntime: yaml\nvariables:\n" + variables + "  out: " + function + "\noutputs: {x: '${out}'}\n");
  CHECK(stage.Errors().find("this comes to more than 128 MiB of values") != std::string::npos);
}

TEST_CASE("many values that are each below the limit end at one for all of them") {
  std::string program = "name: lol\nruntime: yaml\nvariables:\n  v0: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
  for (int i = 1; i <= 7; ++i) {
    program += "  v" + std::to_string(i) + ": ";
    for (int part = 0; part < 8; ++part) program += "${v" + std::to_string(i - 1) + "}";
    program += "\n";
  }
  for (int i = 0; i < 40; ++i) program += "  w" + std::to_string(i) + ": ${v7}x\n";
  Stage stage;
  stage.Run(program);
  CHECK(stage.Errors().find("come to more than 1 GiB") != std::string::npos);
}

// The word "canary" stands in a secret of each program. Messages must not contain it.
TEST_CASE("errors of programs show no secrets") {
  const char* programs[] = {
      "outputs: {x: {\"fn::fromBase64\": {\"fn::secret\": \"***canary***\"}}}",
      "outputs: {x: {\"fn::join\": [{\"fn::secret\": [canary]}, []]}}",
      "variables: {s: {\"fn::secret\": canary}}\noutputs: {x: \"${s.y}\"}",
      "variables: {s: {\"fn::secret\": canary}}\nresources: {a: {type: \"gadgets:Gadget\", options: {protect: "
      "\"${s}\"}}}",
      "variables: {s: {\"fn::secret\": canary}}\noutputs: {x: {\"fn::readFile\": \"/${s}\"}}",
  };
  for (const char* program : programs) {
    INFO(program);
    Stage stage;
    stage.Run(std::string("name: shop\nruntime: yaml\n") + program + "\n");
    std::string told;
    for (const std::string& error : stage.errors) {
      told += error.substr(0, error.find("\n\n  on "));  // the line itself is the program's own text
    }
    CHECK(told != "");
    CHECK(told.find("canary") == std::string::npos);
  }
}

}  // namespace kingpost::mistakes_test
