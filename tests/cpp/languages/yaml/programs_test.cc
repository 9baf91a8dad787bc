// SPDX-License-Identifier: Apache-2.0
// Checks the requests of YAML programs to the monitor: resources, options, configuration, order, and unknown values.
#include <catch2/catch.hpp>

#include "languages/yaml/yaml_stage.h"

namespace kingpost::programs_test {

using yaml_stage::Shown;
using yaml_stage::Stage;

const std::string kHead = "name: shop\nruntime: yaml\n";
const std::string kUrn = "urn:pulumi:dev::shop::gadgets:index:Gadget::";

TEST_CASE("a resource is registered with its inputs and their dependencies") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  second:
    type: gadgets:Gadget
    name: the-second
    properties:
      name: ${first.label}
      size: 4
      part: {size: 1, names: ["${first.id}", x]}
      password: plain
      other: ${first}
  first:
    type: gadgets:index:Gadget
  wire: {type: "gadgets:net:Wire", properties: {length: 3}}
)");
  CHECK(stage.Errors() == "");
  CHECK(stage.monitor.registered[0].type == "pulumi:pulumi:Stack");
  CHECK(stage.monitor.registered[0].name == "shop-dev");
  const auto& first = stage.monitor.of("first");
  CHECK(first.type == "gadgets:index:Gadget");
  CHECK(first.custom);
  CHECK(first.parent == Urn("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"));
  CHECK(Shown(Value(first.inputs)) == R"({"kind":"gadget"})");  // a constant of the schema
  CHECK(first.source_position == "file:///nowhere/Pulumi.yaml#13,3");
  const auto& second = stage.monitor.of("the-second");
  CHECK(Shown(Value(second.inputs)) ==
        R"({"kind":"gadget","name":"label of first","other":")" + kUrn +
            R"(first","part":{"names":["first-id","x"],"size":1},"password":{"secret":"plain"},"size":4})");
  REQUIRE(second.inputs.Find("other")->is_reference());
  CHECK(second.dependencies.size() == 3);
  CHECK(second.property_dependencies.find("name")->second == std::vector<Urn>{Urn(kUrn + "first")});
  CHECK(second.property_dependencies.find("part")->second == std::vector<Urn>{Urn(kUrn + "first")});
  CHECK(second.property_dependencies.find("size")->second.empty());
  CHECK(stage.monitor.of("wire").type == "gadgets:net/wire:Wire");
  // These come from the schema's description of outputs.
  CHECK(first.additional_secret_outputs == std::vector<std::string>{"hidden", "password"});
  CHECK(first.replace_on_changes == std::vector<std::string>{"fixed"});
  REQUIRE(first.aliases.size() == 1);
  CHECK(first.aliases[0].type == "gadgets:index:OldGadget");
}

TEST_CASE("a property read through a component's reference depends on the resource that the reference names") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  inner: {type: "gadgets:Gadget"}
  box: {type: "gadgets:Box", properties: {any: "${inner}"}}
  user: {type: "gadgets:Gadget", properties: {name: "${box.any.label}"}}
  bearer: {type: "gadgets:Gadget", properties: {other: "${box.any}"}}
)");
  CHECK(stage.Errors() == "");
  const std::string box = "urn:pulumi:dev::shop::gadgets:index:Box::box";
  const auto& user = stage.monitor.of("user");
  CHECK(Shown(Value(user.inputs)) == R"({"kind":"gadget","name":"read of inner"})");
  CHECK(user.property_dependencies.find("name")->second == std::vector<Urn>{Urn(box), Urn(kUrn + "inner")});
  CHECK(user.dependencies.size() == 2);
  // The reference alone is the component's.
  CHECK(stage.monitor.of("bearer").property_dependencies.find("other")->second == std::vector<Urn>{Urn(box)});
  CHECK(stage.monitor.of("box").property_dependencies.find("any")->second.empty());
}

TEST_CASE("dependsOn adds no dependency to the properties") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  first: {type: "gadgets:Gadget"}
  second: {type: "gadgets:Gadget", properties: {name: x}, options: {dependsOn: ["${first}"]}}
)");
  CHECK(stage.Errors() == "");
  const auto& second = stage.monitor.of("second");
  CHECK(second.dependencies == std::vector<Urn>{Urn(kUrn + "first")});
  REQUIRE(second.property_dependencies.find("name") !=
          second.property_dependencies.end());  // a request without any has the monitor take all for each
  CHECK(second.property_dependencies.find("name")->second.empty());
}

TEST_CASE("a key without a value is not sent, and keeps its place in lists and in JSON") {
  Stage stage;
  stage.Run(kHead + R"(variables: {nothing: null, some: {a: null, b: [null, {c: null}]}}
resources:
  first: {type: "gadgets:Gadget", properties: {name: null, any: "${some}", size: 1}}
  second: {type: "gadgets:Gadget", properties: {name: "${first.fixed}", any: {x: "${first.fixed}", y: 1}}}
outputs:
  nothing: ${nothing}
  some: ${some}
  hidden: {"fn::secret": "${some}"}
  text: {"fn::toJSON": "${some}"}
  found: {"fn::gadgets:half": {number: 4, name: null}}
  mixed: {x: "${first.fixed}", y: "${first.size}"}
)");
  CHECK(stage.Errors() == "");
  const auto& first = stage.monitor.of("first");
  CHECK(Shown(Value(first.inputs)) == R"({"any":{"b":[null,{}]},"kind":"gadget","size":1})");
  CHECK(first.property_dependencies.find("name") == first.property_dependencies.end());
  const auto& second =
      stage.monitor.of("second");  // a null from an output may have a value in another run, so it makes a dependency
  CHECK(Shown(Value(second.inputs)) == R"({"any":{"x":null,"y":1},"kind":"gadget","name":null})");
  CHECK(second.property_dependencies.find("any")->second == std::vector<Urn>{Urn(kUrn + "first")});
  CHECK(
      stage.Outputs() ==
      R"({"found":4,"hidden":{"secret":{"b":[null,{}]}},"mixed":{"y":1},"some":{"b":[null,{}]},"text":"{\"a\":null,\"b\":[null,{\"c\":null}]}"})");
  CHECK(!stage.monitor.invokes[0].args.Has("name"));
}

TEST_CASE("every option of a resource reaches the monitor") {
  Stage stage;
  stage.Run(kHead + R"(variables: {old: before}
resources:
  a: {type: "gadgets:Gadget"}
  p: {type: "pulumi:providers:gadgets", properties: {region: west}}
  b:
    type: gadgets:Gadget
    options:
      additionalSecretOutputs: [label]
      aliases:
        - urn:pulumi:dev::shop::gadgets:index:Gadget::c
        - {name: "${old}", type: "gadgets:index:X", parent: "${a}", stack: s, project: q}
        - {noParent: true}
      customTimeouts: {create: 5m, delete: 1h, update: 10s, read: 2s}
      deleteBeforeReplace: true
      dependsOn: ["${a}"]
      ignoreChanges: ["tags.a", name]
      import: some-id
      parent: ${a}
      protect: true
      provider: ${p}
      version: 1.2.3
      pluginDownloadURL: https://example.com
      replaceOnChanges: [size]
      retainOnDelete: true
      replaceWith: ["${a}"]
      deletedWith: ${a}
      hideDiffs: [tags]
      replacementTrigger: [1, "${a.label}"]
  box: {type: "gadgets:Box", options: {providers: ["${p}"], deleteBeforeReplace: false}}
  c: {type: "gadgets:Gadget", options: {replacementTrigger: "${a.label}"}}
  q: {type: "pulumi:providers:gadgets", options: {envVarMappings: {NEW: OLD}}}
)");
  CHECK(stage.Errors() == "");
  const auto& b = stage.monitor.of("b");
  CHECK(b.additional_secret_outputs[0] == "label");
  REQUIRE(b.aliases.size() == 4);
  CHECK(b.aliases[0].urn.name() == "c");
  CHECK(b.aliases[1].name == "before");
  CHECK(b.aliases[1].parent_urn.str() == kUrn + "a");
  CHECK(b.aliases[1].stack + b.aliases[1].project + b.aliases[1].type == "sqgadgets:index:X");
  CHECK(b.aliases[2].no_parent);
  CHECK(b.timeout_create + b.timeout_delete + b.timeout_update + b.timeout_read == "5m1h10s2s");
  CHECK(b.delete_before_replace == true);
  CHECK(b.dependencies == std::vector<Urn>{Urn(kUrn + "a")});
  CHECK(b.ignore_changes == std::vector<std::string>{"tags.a", "name"});
  CHECK(b.import_id == "some-id");
  CHECK(b.parent == Urn(kUrn + "a"));
  CHECK(b.protect == true);
  CHECK(b.provider == "urn:pulumi:dev::shop::pulumi:providers:gadgets::p::p-id");
  CHECK(b.version == "1.2.3");
  CHECK(b.plugin_download_url == "https://example.com");
  CHECK(b.replace_on_changes[0] == "size");
  CHECK(b.retain_on_delete == true);
  CHECK(b.replace_with == std::vector<Urn>{Urn(kUrn + "a")});
  CHECK(b.deleted_with == Urn(kUrn + "a"));
  CHECK(b.hide_diffs == std::vector<std::string>{"tags"});
  CHECK(Shown(b.replacement_trigger) == R"([1,"label of a"])");
  CHECK(stage.monitor.of("c").dependencies == std::vector<Urn>{Urn(kUrn + "a")});  // for its trigger
  CHECK(stage.schemas_loaded.count("gadgets@1.2.3") == 1);
  const auto& box = stage.monitor.of("box");
  CHECK((box.remote && !box.custom && box.delete_before_replace == false));
  CHECK(box.providers.at("gadgets").ends_with("::p::p-id"));
  CHECK(stage.monitor.of("q").env_var_mappings.at("NEW") == "OLD");
  CHECK(stage.monitor.of("q").additional_secret_outputs == std::vector<std::string>{"token"});  // a provider has texts
}

TEST_CASE("the children of a component get its provider") {
  for (const std::string options : {"provider: '${p}'", "providers: ['${p}']", "protect: false"}) {
    Stage stage;
    const std::string implied = options == "protect: false" ? ", defaultProvider: true" : "";
    stage.Run(kHead + "resources:\n  p: {type: 'pulumi:providers:gadgets'" + implied + "}\n" +
              "  box: {type: 'gadgets:Box', options: {" + options + "}}\n");
    INFO(options);
    CHECK(stage.Errors() == "");
    REQUIRE(stage.monitor.of("box").providers.count("gadgets") == 1);
    CHECK(stage.monitor.of("box").providers.at("gadgets").ends_with("::p::p-id"));
  }
}

TEST_CASE("a default provider serves its package, functions among it") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget"}
  p: {type: "pulumi:providers:gadgets", defaultProvider: true}
  b: {type: "gadgets:Gadget", options: {provider: "${q}"}}
  q: {type: "pulumi:providers:gadgets"}
outputs:
  out: {"fn::gadgets:getGadget": {name: a}}
)");
  CHECK(stage.Errors() == "");
  CHECK(stage.monitor.of("a").provider.ends_with("::p::p-id"));
  CHECK(stage.monitor.of("b").provider.ends_with("::q::q-id"));
  CHECK(stage.monitor.of("q").provider == "");
  CHECK(stage.monitor.invokes.at(0).provider.ends_with("::p::p-id"));
}

TEST_CASE("an option calls a function of a provider that the program registers") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  a:
    type: gadgets:Gadget
    options: {aliases: [{name: {"fn::invoke": {function: "gadgets:getGadget", arguments: {name: x}, return: label}}}]}
  p: {type: "pulumi:providers:gadgets", defaultProvider: true}
)");
  CHECK(stage.Errors() == "");
  CHECK(stage.monitor.invokes.at(0).provider.ends_with("::p::p-id"));
  CHECK(stage.monitor.of("a").aliases.at(0).name == "found x");
}

TEST_CASE("of two spellings of an option the last counts") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget"}
  b: {type: "gadgets:Gadget"}
  c:
    type: gadgets:Gadget
    options: {dependsOn: ["${a}"], dependson: ["${b}"], Version: 1.0.0, version: 2.0.0}
)");
  CHECK(stage.monitor.of("c").dependencies == std::vector<Urn>{Urn(kUrn + "b")});
  CHECK(stage.monitor.of("c").version == "2.0.0");
}

TEST_CASE("resources that something else manages are read") {
  Stage stage;
  stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget", get: {id: "x-${pulumi.stack}", state: {name: n}}}
  ref: {type: "pulumi:pulumi:StackReference", properties: {name: acme/other/dev}}
  plain: {type: "pulumi:pulumi:StackReference"}
outputs: {label: "${a.label}", id: "${a.id}", port: "${ref.outputs.port}"}
)");
  CHECK(stage.Errors() == "");
  REQUIRE(stage.monitor.reads.size() == 3);
  CHECK(stage.monitor.reads[0].id == "x-dev");
  CHECK(Shown(Value(stage.monitor.reads[0].properties)) == R"({"kind":"gadget","name":"n"})");
  CHECK(stage.monitor.reads[1].id == "acme/other/dev");
  CHECK(stage.monitor.reads[2].id == "plain");
  CHECK(stage.Outputs() == R"({"id":"x-dev","label":"read x-dev","port":80})");
}

TEST_CASE("in a preview the outputs of new resources are unknown, and so are values that depend on them") {
  Stage stage;
  stage.monitor.info.dry_run = true;
  stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget", properties: {name: known, tags: {x: y}}}
  b: {type: "gadgets:Gadget", properties: {name: "<${a.label}>", size: 1}}
  read: {type: "gadgets:Gadget", get: {id: "${a.id}"}}
variables:
  later: {"fn::gadgets:getGadget": {name: "${a.label}"}}
outputs:
  name: ${a.name}
  tag: ${a.tags.x}
  label: ${a.label}
  id: ${a.id}
  text: "at ${a.label}"
  later: ${later.label}
  read: ${read.label}
  joined: {"fn::join": [",", [x, "${a.id}"]]}
  list: [1, "${a.id}"]
)");
  CHECK(stage.Errors() == "");
  CHECK(
      stage.Outputs() ==
      R"({"id":"?","joined":"?","label":"?","later":"?","list":[1,"?"],"name":"known","read":"?","tag":"y","text":"?"})");
  CHECK(Shown(*stage.monitor.of("b").inputs.Find("name")) == R"("?")");
  CHECK(stage.monitor.of("b").dependencies == std::vector<Urn>{Urn(kUrn + "a")});
  CHECK(stage.monitor.invokes.empty());
  CHECK(stage.monitor.reads.empty());
}

struct ConfigRow {
  const char* declared;  // below config:
  const char* text;      // in the stack's configuration; null: not set
  bool secret;
  const char* json;  // of ${x}, or an error's text
};

TEST_CASE("configuration has the values that its declared types say, else those that its texts look like") {
  const ConfigRow rows[] = {
      {"{type: string}", "word", false, R"("word")"},
      {"{type: string}", "1048576", false, R"("1048576")"},
      {"{type: string}", "05", false, R"("05")"},
      {"{type: String}", "0.010", false, R"("0.010")"},
      {"{type: string}", "true", false, R"("true")"},
      {"{type: string}", R"({"a": 1})", false, R"("{\"a\": 1}")"},
      {"{type: string, name: number}", nullptr, false, R"("12")"},
      {"{type: \"list<string>\"}", R"([5, "05", true])", false, R"(["5","05","true"])"},
      {"{type: integer}", "05", false, "5"},
      {"{type: integer}", "-7", false, "-7"},
      {"{type: number}", "2.5", false, "2.5"},
      {"{type: boolean}", "true", false, "true"},
      {"{type: object}", R"({"a": [1, "2"]})", false, R"({"a":[1,"2"]})"},
      {"{type: \"list<integer>\"}", "[1, 2]", false, "[1,2]"},
      {"{type: array, items: {type: string}}", R"(["a"])", false, R"(["a"])"},
      {"{type: string}", "word", true, R"({"secret":"word"})"},
      {"{type: string, secret: true}", "word", false, R"({"secret":"word"})"},
      {"{default: here}", nullptr, false, R"("here")"},
      {"{type: integer, default: 4}", nullptr, false, "4"},
      {"{default: [1, 2]}", nullptr, false, "[1,2]"},
      {"{type: string, name: renamed}", "word", false, R"("renamed word")"},
      {"{type: string}", nullptr, false, "missing required configuration variable 'shop:x'"},
      {"{type: integer}", "word", false, "config key \"x\" cannot have conflicting types integer, a text"},
      {"{type: integer, default: word}", nullptr, false, "type mismatch: default value of type a text"},
      {"{type: strange}", "1", false, "unexpected configuration type 'strange': valid types are"},
      {"{secret: true}", "1", false, "unable to infer type: either 'default' or 'type' is required"},
  };
  for (const ConfigRow& row : rows) {
    INFO(row.declared << " <- " << (row.text ? row.text : "nothing"));
    Stage stage;
    stage.monitor.info.config["shop:renamed"] = "renamed word";
    stage.monitor.info.config["shop:number"] = "12";
    stage.monitor.info.config["other:key"] = "9";
    if (row.text) stage.monitor.info.config["shop:x"] = row.text;
    if (row.secret) stage.monitor.info.config_secret_keys = {"shop:x"};
    const auto response = stage.Run(kHead + "config:\n  x: " + row.declared +
                                    "\noutputs: {x: \"${x}\", same: \"${shop:x}\", other: \"${other:key}\"}\n");
    if (response.bail) {
      CHECK(stage.Errors().find(row.json) != std::string::npos);
    } else {
      const std::string json = row.json;
      CHECK(stage.Outputs().ends_with("\"x\":" + json + "}"));
      CHECK(stage.Outputs().find("\"other\":9") != std::string::npos);
    }
  }
}

TEST_CASE("the old block of configuration still works, and is warned of") {
  Stage stage;
  stage.Run(kHead + "configuration: {x: {default: 1}}\noutputs: {x: \"${x}\"}\n");
  CHECK(stage.Outputs() == R"({"x":1})");
  REQUIRE(stage.warnings.size() == 1);
  CHECK(stage.warnings[0].find("root-level `configuration` field is deprecated") != std::string::npos);
}

TEST_CASE("properties may come from an expression") {
  Stage stage;
  stage.Run(kHead + R"(variables: {all: {"fn::secret": {name: n, size: 2}}}
resources:
  a: {type: "gadgets:Gadget", properties: "${all}"}
)");
  CHECK(stage.Errors() == "");
  CHECK(Shown(Value(stage.monitor.of("a").inputs)) == R"({"kind":"gadget","name":{"secret":"n"},"size":{"secret":2}})");
}

TEST_CASE("packages that files describe are registered, and their resources refer to them") {
  Stage stage;
  stage.decls = {{"gadgets", "2.0.0", "", std::nullopt, std::nullopt}};
  stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget"}
  b: {type: "gadgets:Gadget", options: {version: 3.0.0}}
variables: {v: {"fn::gadgets:getGadget": {name: x}}}
)");
  CHECK(stage.Errors() == "");
  REQUIRE(stage.monitor.packages.size() == 1);
  CHECK(stage.monitor.packages[0].version == "2.0.0");
  CHECK(stage.monitor.of("a").package_ref == "ref-gadgets");
  CHECK(stage.monitor.of("b").package_ref == "");
  CHECK(stage.monitor.invokes[0].package_ref == "ref-gadgets");
  CHECK(stage.schemas_loaded == std::set<std::string>{"gadgets@2.0.0", "gadgets@3.0.0"});
}

TEST_CASE("an extension of a provider is a package of its own, and one of the provider's") {
  const yaml::PackageDecl extension{"gadgets", "2.0.0", "", std::nullopt, Parameterization{"more", "1.0.0", "value"}};
  for (const std::string package : {"more", "gadgets"}) {
    Stage stage;
    stage.decls = {extension};
    stage.Run(kHead + "resources: {a: {type: '" + package + ":Gizmo'}, b: {type: 'gadgets:Gadget'}}\n" +
              "outputs: {v: {'fn::invoke': {function: '" + package +
              ":find', arguments: {name: x}, return: label}}}\n");
    INFO(package);
    CHECK(stage.Errors() == "");
    CHECK(stage.monitor.of("a").type == "more:index:Gizmo");
    CHECK(stage.monitor.of("a").package_ref == "ref-more");
    CHECK(stage.monitor.of("b").package_ref == "");
    REQUIRE(stage.monitor.invokes.size() == 1);
    CHECK(stage.monitor.invokes[0].package_ref == "ref-more");
  }
}

TEST_CASE("a function that an extension and its provider define is the extension's") {
  Stage stage;
  stage.decls = {{"gadgets", "2.0.0", "", std::nullopt, Parameterization{"more", "1.0.0", "value"}}};
  stage.Run(kHead + R"(resources: {a: {type: "gadgets:Gadget", options: {version: 1.0.0}}}
outputs: {v: {"fn::invoke": {function: "gadgets:getGadget", arguments: {name: x}, return: label}}}
)");
  CHECK(stage.Errors() == "");
  CHECK(stage.monitor.invokes.at(0).package_ref == "ref-more");
}

TEST_CASE("a failed resource stops its dependents only, and the stack gets no outputs") {
  Stage stage;
  stage.monitor.failing = {"a"};
  const auto response = stage.Run(kHead + R"(resources:
  a: {type: "gadgets:Gadget"}
  b: {type: "gadgets:Gadget", properties: {name: "${a.label}"}}
  c: {type: "gadgets:Gadget"}
outputs: {out: "${c.label}"}
)");
  CHECK(response.bail);
  CHECK(stage.monitor.of("b").name == "");
  CHECK(stage.monitor.of("c").name == "c");
  CHECK(stage.Outputs() == "none");
}

}  // namespace kingpost::programs_test
