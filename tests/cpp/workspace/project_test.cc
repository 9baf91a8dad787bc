// SPDX-License-Identifier: Apache-2.0
// Checks Pulumi.yaml: every field, and errors with file and line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/temp_folder.h"
#include "workspace/project_config.h"

namespace kingpost::project_test {

Result<Project> Load(const std::string& text) {
  TempFolder folder;
  Spit(folder / "Pulumi.yaml", text);
  return Project::Load(folder / "Pulumi.yaml");
}

ConfigMap Map(const std::string& json) {
  ConfigMap map;
  const auto parsed = nlohmann::json::parse(json);
  for (const auto& [key, value] : parsed.items()) map[key] = value;
  return map;
}

TEST_CASE("a project has all fields of its Pulumi.yaml", "[workspace]") {
  const auto project = Load(R"(name: shop
description: A shop
runtime:
  name: python
  options: {virtualenv: venv, typechecker: mypy}
main: src/
backend: {url: "file://~"}
options: {refresh: always}
stackConfigDir: stacks
requiredPulumiVersion: ">=3.0.0"
author: nobody
config:
  aws:region: us-west-2
  size: 3
  shop:zones:
    type: array
    items: {type: string}
    default: [a, b]
  password: {type: string, secret: true}
  proxy:
plugins:
  providers:
    - {name: random, path: ../bin, version: 1.2.3}
  analyzers:
    - {name: policy, path: /p}
packages:
  random: random@4.0.0
  terraform:
    source: terraform-provider
    version: 1.0.0
    parameters: [hashicorp/random, 3]
)");
  REQUIRE(project.ok());
  CHECK(project->name == "shop");
  CHECK(*project->description == "A shop");
  CHECK(project->runtime == "python");
  CHECK((*project->runtime_options)["virtualenv"] == "venv");
  CHECK(project->ProgramFolder() == project->folder() + "/src");
  CHECK(project->backend_url == "file://~");
  CHECK(project->refresh == "always");
  CHECK(project->StackConfigFile("dev") == project->folder() + "/stacks/Pulumi.dev.yaml");
  CHECK(project->required_pulumi_version == ">=3.0.0");
  CHECK(*project->config.at("aws:region").value == "us-west-2");
  CHECK(*project->config.at("size").default_value == 3);
  CHECK(project->config.at("password").secret);
  CHECK(project->provider_plugins.at(0).version == "1.2.3");
  CHECK(project->analyzer_plugins.at(0).path == "/p");
  CHECK(project->packages.at("random").version == "4.0.0");
  CHECK(project->packages.at("terraform").parameters == std::vector<std::string>{"hashicorp/random", "3"});

  CHECK(Load("name: a\nruntime: nodejs\n")->runtime == "nodejs");
  CHECK(Load("name: a\nconfig: folder\n")->stack_config_dir == "folder");
  CHECK(Load("{\"name\": \"a\"}")->name == "a");
}

TEST_CASE("mistakes in a project name file and line", "[workspace]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "Pulumi.yaml:1: a project file is a map"},
      {"- a\n", "Pulumi.yaml:1: a project file is a map"},
      {"runtime: x\n", "Pulumi.yaml:1: project is missing a 'name' attribute"},
      {"runtime: x\nName: y\n", "Pulumi.yaml:2: project is missing a 'name' attribute; found 'Name' instead"},
      {"name: ''\n", "Pulumi.yaml:1: project is missing a non-empty string 'name' attribute"},
      {"name: [a]\n", "Pulumi.yaml:1: project is missing a non-empty string 'name' attribute"},
      {"name: ..\n", "Pulumi.yaml:1: a project cannot be called '..'"},
      {"name: a/b\n", "Pulumi.yaml:1: project names may only contain"},
      {"name: a\nruntime: [x]\n", "Pulumi.yaml:2: 'runtime' must be"},
      {"name: a\nruntime:\n  name: x\n  options: 3\n", "Pulumi.yaml:4: 'options' must be a map"},
      {"name: a\nmain: {}\n", "Pulumi.yaml:2: 'main' must be a string"},
      {"name: a\nbackend: x\n", "Pulumi.yaml:2: 'backend' must be a map"},
      {"name: a\nconfig: [x]\n", "Pulumi.yaml:2: 'config' must be a map"},
      {"name: a\nconfig: x\nstackConfigDir: y\n", "Pulumi.yaml:2: should not use both"},
      {"name: a\nconfig:\n  b:\n    value: 1\n    default: 2\n", "Pulumi.yaml:3: project config 'b' cannot have both"},
      {"name: a\nconfig:\n  aws:b:\n    default: 2\n", "Did you mean to use the 'value' attribute"},
      {"name: a\nconfig:\n  aws:b:\n    type: string\n", "should not define a type"},
      {"name: a\nconfig:\n  aws:b: {}\n", "must provide an attribute 'value'"},
      {"name: a\nconfig:\n  b:\n\n    type: text\n",
       "Pulumi.yaml:5: configuration key 'b' has the unknown type 'text'"},
      {"name: a\nconfig:\n  b: {type: array}\n", "via the 'items' attribute"},
      {"name: a\nconfig:\n  b: {secret: maybe}\n", "'secret' must be true or false"},
      {"name: a\nplugins:\n  providers:\n    - {name: x}\n", "Pulumi.yaml:4: the plugin 'x' needs a 'path'"},
      {"name: a\nplugins: {providers: x}\n", "'plugins.providers' must be a list"},
      {"name: a\npackages: {x: [1]}\n", "package must be either"},
      {"name: a\nname: b\n", "Pulumi.yaml:2: the key 'name' is already set in line 1"},
      {"name: \"a\n", "not valid YAML"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    const Status failed = Load(text).status();
    CHECK_FALSE(failed.ok());
    CHECK(failed.message().find(message) != std::string::npos);
    CHECK(failed.message().find('\n') == std::string::npos);
  }
}

TEST_CASE("the project is searched for upwards", "[workspace]") {
  TempFolder folder;
  Spit(folder / "a/Pulumi.yml", "name: outer\n");
  Spit(folder / "a/b/c/file", "");
  std::filesystem::create_directories(folder / "a/b/Pulumi.yaml");  // a folder is no project file
  CHECK(*Project::Find(folder / "a/b/c") == folder / "a/Pulumi.yml");
  CHECK(Project::FindAndLoad(folder / "a/b/c")->StackConfigFile("x") == folder / "a/Pulumi.x.yml");
  Spit(folder / "a/b/c/Pulumi.json", "{\"name\":\"inner\"}");
  CHECK(Project::FindAndLoad(folder / "a/b/c")->name == "inner");
  const Status none = Project::Find(folder.path()).status();
  CHECK(none.code() == Code::kNotFound);
  CHECK(none.message().find("no Pulumi.yaml project file found (searching upwards from " + folder.path() + ")") == 0);
}

TEST_CASE("values of the project are used where the stack has none", "[workspace]") {
  const auto project = Load(
      "name: shop\nconfig:\n  aws:region: us-west-2\n  size: 3\n  zones:\n    default: [a]\n  need: {type: string}\n"
      "  other:\n  nested.deep: 7\n");
  REQUIRE(project.ok());
  const auto merged =
      MergeProjectConfig(*project, "dev", Map(R"({"shop:size":"9","shop:need":"x","shop:other":"y"})"), true);
  REQUIRE(merged.ok());
  CHECK(*merged ==
        Map(R"({"shop:size":"9","shop:need":"x","shop:other":"y","aws:region":"us-west-2","shop:zones":["a"],)"
            R"("shop:nested":{"deep":7}})"));
  CHECK(MergeProjectConfig(*project, "dev", {}, true).status().message() ==
        "Stack 'dev' is missing configuration values 'need' and 'other'");
  CHECK(MergeProjectConfig(*project, "dev", Map(R"({"shop:need":"x"})"), true).status().message() ==
        "Stack 'dev' is missing configuration value 'other'");
  CHECK(MergeProjectConfig(*project, "dev", {}, false).ok());
}

TEST_CASE("types that the project declares are checked", "[workspace]") {
  const auto project = Load(
      "name: p\nconfig:\n  s: {type: string}\n  i: {type: integer}\n  b: {type: boolean}\n  o: {type: object}\n"
      "  a: {type: array, items: {type: array, items: {type: integer}}}\n  x: {type: string, secret: true}\n");
  REQUIRE(project.ok());
  const auto check = [&](const std::string& json) {
    const ConfigMap config = Map(json);
    const auto manager = *OpenSecretsManager("b64", "null", nullptr);
    return ValidateProjectConfig(*project, "dev", config, *DecryptConfig(config, manager.get()));
  };
  CHECK(check(R"({"p:s":"t","p:i":3,"p:b":true,"p:o":{"k":1},"p:a":[[1,"2"]],"p:x":{"secure":"YWJj"}})").ok());
  CHECK(check(R"({"p:i":"3","p:b":"false"})").ok());
  CHECK(check(R"({"p:i":"3x"})").message() == "Stack 'dev' with configuration key 'i' must be of type 'integer'");
  CHECK(check(R"({"p:i":""})").message().find("'integer'") != std::string::npos);
  CHECK(check(R"({"p:b":"yes"})").message().find("'boolean'") != std::string::npos);
  CHECK(check(R"({"p:o":"{}"})").message().find("'object'") != std::string::npos);
  CHECK(check(R"({"p:a":[["x"]]})").message().find("'array<array<integer>>'") != std::string::npos);
  CHECK(check(R"({"p:x":"clear"})").message().find("must be encrypted as it's secret") != std::string::npos);
}

}  // namespace kingpost::project_test
