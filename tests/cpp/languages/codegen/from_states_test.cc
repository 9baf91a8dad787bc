// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/from_states.h"

#include <catch2/catch.hpp>
#include <string>

#include "languages/codegen/writers.h"
#include "languages/schema/bind.h"

namespace kingpost::from_states_test {

using namespace codegen;

State Bare(const std::string& type, const std::string& name, PropertyMap inputs) {
  State state;
  state.urn = Urn::Make("dev", "site", "", type, name);
  state.type = type;
  state.custom = true;
  state.id = name + "-id";
  state.inputs = std::move(inputs);
  return state;
}

struct Stack {
  Snapshot snapshot;
  StateSource source;

  void Add(State state, bool declared = true) {
    const StatePtr published = std::make_shared<State>(std::move(state));
    snapshot.resources.push_back(published);
    if (declared) source.states.push_back(published);
  }
  void Describe(const std::string& package, const std::string& json) {
    auto parsed = schema::Open(package, json);
    REQUIRE(parsed.ok());
    source.packages[package] = *parsed;
  }
  GeneratedProgram Make() {
    source.snapshot = &snapshot;
    return ProgramOfStates(source);
  }
};

TEST_CASE("a text that is another resource's ID becomes a reference, in an order that can be run", "[codegen]") {
  Stack stack;
  stack.Add(Bare("net:index:Subnet", "subnet", {{"vpcId", "vpc-id"}, {"note", "see vpc-id"}}));
  stack.Add(Bare("net:index:Vpc", "vpc", {{"cidr", "10.0.0.0/8"}}));
  CHECK(WritePython(stack.Make().program) == R"(import pulumi
import pulumi_net as net

vpc = net.Vpc("vpc", cidr="10.0.0.0/8")

subnet = net.Subnet("subnet", note="see vpc-id", vpc_id=vpc.id)
)");
}

TEST_CASE("two resources that hold each other's ID get one reference", "[codegen]") {
  Stack stack;
  stack.Add(Bare("net:index:Vpc", "a", {{"peer", "b-id"}}));
  stack.Add(Bare("net:index:Vpc", "b", {{"peer", "a-id"}}));
  CHECK(WriteTypeScript(stack.Make().program, ModuleKind::kImport) == R"(import * as pulumi from "@pulumi/pulumi";
import * as net from "@pulumi/net";

const b = new net.Vpc("b", {
    peer: "a-id",
});

const a = new net.Vpc("a", {
    peer: b.id,
});
)");
}

TEST_CASE("the property decides which of several resources with one ID is meant, or the ID stays a text", "[codegen]") {
  Stack stack;
  for (const char* type : {"s3:index:Bucket", "s3:index:BucketPolicy", "s3:index:BucketRule"}) {
    State state = Bare(type, "logs", {{"bucket", "logs"}, {"other", "logs"}});
    state.id = "logs";
    stack.Add(std::move(state));
  }
  stack.Add(Bare("s3:index:Object", "object", {{"key", "logs"}}));
  CHECK(WriteYaml(stack.Make().program) == R"(resources:
  logs:
    type: s3:Bucket
    properties:
      bucket: logs
      other: logs
  logsBucketPolicy:
    type: s3:BucketPolicy
    name: logs
    properties:
      bucket: ${logs.id}
      other: logs
  logsBucketRule:
    type: s3:BucketRule
    name: logs
    properties:
      bucket: ${logs.id}
      other: logs
  object:
    type: s3:Object
    properties:
      key: logs
)");
}

TEST_CASE("recorded dependencies say where a value came from, and the rest of them are options", "[codegen]") {
  Stack stack;
  State source = Bare("db:index:Server", "server", {});
  source.outputs = {{"endpoint", "db.local"}, {"id", "server-id"}};
  State other = Bare("db:index:Server", "other", {});
  other.outputs = {{"endpoint", "db.local"}};
  State user = Bare("app:index:App", "app", {{"host", "db.local"}, {"mode", "db.local"}});
  user.dependencies = {source.urn, other.urn};
  user.property_dependencies = {{"host", {source.urn}}};
  user.retain_on_delete = true;
  user.ignore_changes = {"mode"};
  user.custom_timeouts.create_s = 90;
  stack.Add(source);
  stack.Add(other);
  stack.Add(user);
  const std::string code = WritePython(stack.Make().program);
  INFO(code);
  CHECK(code.find(R"(app_app = app.App(
    "app",
    host=server.endpoint,
    mode="db.local",
    opts=pulumi.ResourceOptions(
        depends_on=[other],
        retain_on_delete=True,
        ignore_changes=["mode"],
        custom_timeouts=pulumi.CustomTimeouts(create="90s"),
    ),
))") != std::string::npos);
}

TEST_CASE("parents and providers that are not declared keep the name they were given", "[codegen]") {
  Stack stack;
  State parent = Bare("net:index:Vpc", "main", {});
  State provider = Bare("pulumi:providers:net", "far", {});
  State child = Bare("net:index:Subnet", "child", {});
  child.parent = parent.urn;
  child.provider = provider.urn.str() + "::" + provider.id;
  stack.Add(parent, false);
  stack.Add(provider, false);
  stack.Add(child);
  stack.source.names = {{parent.urn, "myNetwork"}};
  CHECK(WritePython(stack.Make().program) == R"(import pulumi
import pulumi_net as net

child = net.Subnet("child", opts=pulumi.ResourceOptions(parent=myNetwork, provider=far))
)");
}

// The plugin "bridge" 1.1.3 serves the package "net". A program that asked for net 1.1.3 would ask for what nobody has.
TEST_CASE("the version of a plugin is written for its own package, and not for one that it was parameterized to",
          "[codegen]") {
  for (const bool parameterized : {false, true}) {
    const PropertyMap internal = parameterized ? PropertyMap{{"name", "bridge"},
                                                             {"version", "1.1.3"},
                                                             {"parameterization", PropertyMap{{"value", "e30="}}}}
                                               : PropertyMap();
    PropertyMap inputs{{"version", "0.4.0"}};
    if (parameterized) inputs.Set("__internal", internal);
    Stack stack;
    State provider = Bare("pulumi:providers:net", "default", inputs);
    State vpc = Bare("net:index:Vpc", "vpc", {});
    vpc.provider = provider.urn.str() + "::" + provider.id;
    stack.Add(provider, false);
    stack.Add(vpc);
    const GeneratedProgram made = stack.Make();
    REQUIRE(made.program.resources.size() == 1);
    CHECK(made.program.resources[0].plugin_version == (parameterized ? "" : "0.4.0"));
  }
}

TEST_CASE("secrets are settings, and a setting that has the value is used again", "[codegen]") {
  Stack stack;
  stack.Add(Bare("db:index:User", "admin", {{"password", Value::Secret("word")}, {"name", Value::Secret("root")}}));
  stack.source.known_settings = {{"adminPassword", "word"}, {"adminName", "another"}};
  const GeneratedProgram generated = stack.Make();
  CHECK(generated.settings == std::map<std::string, std::string>{{"adminName2", "root"}});
  CHECK(WritePython(generated.program) == R"(import pulumi
import pulumi_db as db

config = pulumi.Config()
admin_name2 = config.require_secret("adminName2")
admin_password = config.require_secret("adminPassword")

admin = db.User("admin", name=admin_name2, password=admin_password)
)");
}

TEST_CASE("notes name missing and unknown inputs, and show no secrets", "[codegen]") {
  Stack stack;
  stack.Describe("db", R"({"name": "db", "resources": {"db:index:User": {
    "inputProperties": {"name": {"type": "string"}, "size": {"type": "integer"}, "mode": {"type": "string", "default": "rw"}},
    "requiredInputs": ["name", "size", "mode"]}}})");
  stack.Add(
      Bare("db:index:User", "admin", {{"extra", Value::Secret("word")}, {"name", "root"}, {"__defaults", Array()}}));
  const GeneratedProgram generated = stack.Make();
  CHECK(generated.notes ==
        std::vector<std::string>{"admin: size is required and was not told; fill it in",
                                 "admin: extra is no input that the package's schema knows; it is left out"});
  CHECK(WriteYaml(generated.program) == R"(resources:
  admin:
    type: db:User
    properties:
      name: root
      size: 0
)");
}

TEST_CASE("components, external resources and stack references are written as code", "[codegen]") {
  Stack stack;
  State component = Bare("my:own:Site", "site", {});
  component.custom = false;
  component.id.clear();
  State read = Bare("net:index:Vpc", "shared", {});
  read.external = true;
  read.parent = component.urn;
  State reference = Bare("pulumi:pulumi:StackReference", "org/net/dev", {{"name", "org/net/dev"}});
  reference.external = true;
  stack.Add(component);
  stack.Add(read);
  stack.Add(reference);
  const GeneratedProgram generated = stack.Make();
  CHECK(WritePython(generated.program) == R"(import pulumi
import pulumi_net as net

site = pulumi.ComponentResource("my:own:Site", "site")

shared = net.Vpc.get("shared", "shared-id", opts=pulumi.ResourceOptions(parent=site))

org_net_dev = pulumi.StackReference("org/net/dev", stack_name="org/net/dev")
)");
  CHECK(WriteTypeScript(generated.program, ModuleKind::kRequire) == R"(const pulumi = require("@pulumi/pulumi");
const net = require("@pulumi/net");

const site = new pulumi.ComponentResource("my:own:Site", "site");

const shared = net.Vpc.get("shared", "shared-id", undefined, {
    parent: site,
});

const org_net_dev = new pulumi.StackReference("org/net/dev", {
    name: "org/net/dev",
});
)");
  CHECK(WriteYaml(generated.program) == R"(resources:
  # The component "site" of the type my:own:Site has no form in YAML; its children are declared without it.
  shared:
    type: net:Vpc
    get:
      id: shared-id
  org_net_dev:
    type: pulumi:pulumi:StackReference
    name: org/net/dev
    properties:
      name: org/net/dev
)");
}

TEST_CASE("numbers in YAML are numbers for readers of any version of it", "[codegen]") {
  Program program;
  program.outputs = {{"large", Make(Literal{1e21})}, {"small", Make(Literal{1e-7})}, {"whole", Make(Literal{3})}};
  CHECK(WriteYaml(program) == "outputs:\n  large: 1.0e+21\n  small: 1.0e-07\n  whole: 3\n");
}

}  // namespace kingpost::from_states_test
