// SPDX-License-Identifier: Apache-2.0
// Checks options on the wire: each field of a message is in the table of options, and each option alone arrives.
#include "wire/option_fields.h"

#include <catch2/catch.hpp>
#include <set>

#include "pulumi/provider.pb.h"
#include "pulumi/resource.pb.h"
#include "support/other_field.h"
#include "wire/component_messages.h"
#include "wire/convert_options.h"
#include "wire/monitor_decode.h"

namespace kingpost::option_fields_test {

using testing::MakeOther;
using testing::SameField;

// Returns the fields of a message that neither a row of the table nor `others` names.
std::string Unnamed(const google::protobuf::Descriptor* message, OptionNames names, std::set<std::string> others) {
  std::set<const google::protobuf::FieldDescriptor*> named;
  for (const auto* field : FindOptionFields(message, names)) named.insert(field);
  std::string unnamed;
  for (int i = 0; i < message->field_count(); ++i) {
    const auto* field = message->field(i);
    if (named.count(field) == 0 && others.erase(field->name()) == 0) unnamed += field->name() + " ";
  }
  for (const std::string& other : others) unnamed += "(there is no " + other + ") ";
  return unnamed;
}

TEST_CASE("every option of a message has a row in the table") {
  CHECK(Unnamed(pulumirpc::TransformResourceOptions::descriptor(), OptionNames::kOptions, {}) == "");
  CHECK(Unnamed(pulumirpc::ResourceOptions::descriptor(), OptionNames::kOptions, {"parent"}) == "");
  CHECK(Unnamed(pulumirpc::RegisterResourceRequest::descriptor(), OptionNames::kRequest,
                {"type",
                 "name",
                 "custom",
                 "object",
                 "propertyDependencies",
                 "acceptSecrets",
                 "aliasURNs",
                 "customTimeouts",
                 "deleteBeforeReplaceDefined",
                 "supportsPartialValues",
                 "remote",
                 "acceptResources",
                 "aliasSpecs",
                 "sourcePosition",
                 "transforms",
                 "supportsResultReporting",
                 "packageRef",
                 "stackTrace",
                 "parentStackTraceHandle",
                 "snippetId",
                 "accepts_byte_string",
                 "state_migrations",
                 "uses_output_values"}) == "");
  CHECK(Unnamed(pulumirpc::ConstructRequest::descriptor(), OptionNames::kConstruct,
                {"project", "stack", "config", "dryRun", "parallel", "monitorEndpoint", "type", "name", "parent",
                 "inputs", "inputDependencies", "providers", "configSecretKeys", "organization",
                 "accepts_output_values", "stack_trace_handle"}) == "");
}

TEST_CASE("each option alone goes to a transform and comes back") {
  int options = 0;
  ForEachResourceField([&](const auto& field) {
    RegisterResourceRequest sent, received;
    if constexpr (requires { MakeOther(&(sent.*field.goal)); }) {
      if (field.options.empty()) return;
      INFO(std::string(field.name));
      MakeOther(&(sent.*field.goal));
      pulumirpc::TransformResourceOptions wire;
      REQUIRE(ToWireOptions(sent, &wire).message() == "");
      CHECK(wire.ByteSizeLong() > 0);
      REQUIRE(FromWireOptions(wire, &received).message() == "");
      CHECK(SameField(received.*field.goal, sent.*field.goal));
      // An option that the function leaves out loses its former value.
      REQUIRE(FromWireOptions(pulumirpc::TransformResourceOptions(), &received).message() == "");
      CHECK(SameField(received.*field.goal, RegisterResourceRequest().*field.goal));
      ++options;
    }
  });
  CHECK(options == pulumirpc::TransformResourceOptions::descriptor()->field_count());
}

TEST_CASE("each option alone arrives with a registration") {
  ForEachResourceField([&](const auto& field) {
    RegisterResourceRequest sent;
    if constexpr (requires { MakeOther(&(sent.*field.goal)); }) {
      if (field.request.empty()) return;
      INFO(std::string(field.name));
      MakeOther(&(sent.*field.goal));
      pulumirpc::RegisterResourceRequest wire;
      const auto& fields = OptionFieldsOf<pulumirpc::RegisterResourceRequest, OptionNames::kRequest>();
      REQUIRE(WriteOptionFields(sent, fields, {}, &wire).message() == "");
      const auto received = DecodeRegisterResource(wire, false);
      REQUIRE(received.status().message() == "");
      CHECK(SameField((*received).*field.goal, sent.*field.goal));
    }
  });
}

TEST_CASE("each option alone reaches the provider that constructs a component") {
  ForEachResourceField([&](const auto& field) {
    ConstructRequest request;
    if constexpr (requires { MakeOther(&(request.*field.goal)); }) {
      if (field.construct.empty()) return;
      INFO(std::string(field.name));
      const auto plain = ConstructMessage(request, "", {});
      MakeOther(&(request.*field.goal));
      const auto told = ConstructMessage(request, "", {});
      REQUIRE(plain.ok());
      REQUIRE(told.status().message() == "");
      CHECK(told->ByteSizeLong() > plain->ByteSizeLong());
    }
  });
}

TEST_CASE("a component's provider gets its hooks, those for errors included") {
  ConstructRequest request;
  request.hooks.of(HookKind::kOnError) = {"mine"};
  request.hooks.of(HookKind::kAfterCreate) = {"yours"};
  const auto told = ConstructMessage(request, "", {});
  REQUIRE(told.ok());
  CHECK(told->resource_hooks().on_error(0) == "mine");
  CHECK(told->resource_hooks().after_create(0) == "yours");
}

TEST_CASE("what a component does not know yet stays unknown, also outside previews") {
  pulumirpc::ConstructResponse wire;
  wire.set_urn(testing::OtherUrn().str());
  WireOptions options;
  options.keep_unknowns = true;
  REQUIRE(ToStruct({{"later", Computed()}}, options, wire.mutable_state()).ok());
  ConstructRequest request;
  for (const bool dry_run : {false, true}) {
    request.info.dry_run = dry_run;
    const auto constructed = ReadConstructed(wire, request);
    REQUIRE(constructed.status().message() == "");
    REQUIRE(constructed->outputs.Find("later"));
    CHECK(constructed->outputs.Find("later")->is_computed());
  }
}

TEST_CASE("hooks get the recorded options, without the trigger") {
  State state;
  state.replacement_trigger = Value("t");
  state.aliases = {testing::OtherUrn()};
  state.dependencies = {testing::OtherUrn()};
  state.parent = testing::OtherUrn();
  state.retain_on_delete = true;
  pulumirpc::ResourceOptions wire;
  ToWireOptions(state, &wire);
  CHECK_FALSE(wire.has_replacement_trigger());
  CHECK(wire.aliases(0).urn() == testing::OtherUrn().str());
  CHECK(wire.depends_on(0) == testing::OtherUrn().str());
  CHECK(wire.parent() == testing::OtherUrn().str());
  CHECK(wire.retain_on_delete());
  CHECK(wire.has_protect());
  CHECK_FALSE(wire.has_delete_before_replace());
}

TEST_CASE("aliases of old Node.js SDKs are corrected, and URNs come before specs") {
  pulumirpc::RegisterResourceRequest wire;
  wire.add_aliases()->mutable_spec()->set_name("spec");
  wire.add_aliasurns(testing::OtherUrn().str());
  const auto of_node = DecodeRegisterResource(wire, true);
  REQUIRE(of_node.ok());
  CHECK(of_node->has_legacy_aliases);
  REQUIRE(of_node->aliases.size() == 2);
  CHECK(of_node->aliases[0].urn == testing::OtherUrn());
  CHECK(of_node->aliases[1].name == "spec");
  CHECK_FALSE(DecodeRegisterResource(wire, false)->has_legacy_aliases);
  wire.set_aliasspecs(true);
  CHECK_FALSE(DecodeRegisterResource(wire, true)->has_legacy_aliases);
}

TEST_CASE("an unset deleteBeforeReplace differs from one that is off") {
  pulumirpc::RegisterResourceRequest wire;
  CHECK(DecodeRegisterResource(wire, false)->delete_before_replace == std::nullopt);
  wire.set_deletebeforereplacedefined(true);
  CHECK(DecodeRegisterResource(wire, false)->delete_before_replace == false);
  wire.set_deletebeforereplace(true);
  CHECK(DecodeRegisterResource(wire, false)->delete_before_replace == true);
}

}  // namespace kingpost::option_fields_test
