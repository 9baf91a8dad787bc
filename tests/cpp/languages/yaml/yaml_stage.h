// SPDX-License-Identifier: Apache-2.0
// A YAML program on a monitor that keeps its requests, and a package `gadgets` that is only a schema.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/pcl/builtins.h"
#include "languages/yaml/program_run.h"
#include "model/stack_reference.h"

namespace kingpost::yaml_stage {

inline constexpr char kGadgets[] = R"json({
  "name": "gadgets",
  "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
  "types": {
    "gadgets:index:Part": {"type": "object", "required": ["size"], "properties": {
      "size": {"type": "number"}, "names": {"type": "array", "items": {"type": "string"}},
      "color": {"$ref": "#/types/gadgets:index:Color"}}},
    "gadgets:index:Color": {"type": "string", "enum": [{"value": "red"}, {"value": "blue"}]}
  },
  "provider": {"inputProperties": {"region": {"type": "string"}, "token": {"type": "string", "secret": true}},
               "properties": {"region": {"type": "string"}, "token": {"type": "string", "secret": true},
                              "ports": {"type": "array", "items": {"type": "number"}, "secret": true}}},
  "resources": {
    "gadgets:index:Gadget": {
      "inputProperties": {
        "name": {"type": "string"}, "size": {"type": "number"}, "on": {"type": "boolean"},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "part": {"$ref": "#/types/gadgets:index:Part"},
        "parts": {"type": "array", "items": {"$ref": "#/types/gadgets:index:Part"}},
        "password": {"type": "string", "secret": true},
        "file": {"$ref": "pulumi.json#/Asset"}, "files": {"$ref": "pulumi.json#/Archive"},
        "any": {"$ref": "pulumi.json#/Any"}, "other": {"$ref": "#/resources/gadgets:index:Gadget"}},
      "properties": {
        "name": {"type": "string"}, "size": {"type": "number"}, "label": {"type": "string"},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "parts": {"type": "array", "items": {"$ref": "#/types/gadgets:index:Part"}},
        "hidden": {"type": "string", "secret": true}, "fixed": {"type": "string", "replaceOnChanges": true},
        "password": {"type": "string", "secret": true},
        "any": {"$ref": "pulumi.json#/Any"}, "kind": {"type": "string", "const": "gadget"}},
      "aliases": [{"type": "gadgets:index:OldGadget"}]
    },
    "gadgets:net/wire:Wire": {
      "inputProperties": {"length": {"type": "integer"}}, "requiredInputs": ["length"],
      "properties": {"length": {"type": "integer"}}},
    "gadgets:index:Box": {"isComponent": true,
      "inputProperties": {"name": {"type": "string"}, "any": {"$ref": "pulumi.json#/Any"}},
      "properties": {"label": {"type": "string"}, "any": {"$ref": "pulumi.json#/Any"}}}
  },
  "functions": {
    "gadgets:index:getGadget": {
      "inputs": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
      "outputs": {"properties": {"label": {"type": "string"}, "sizes": {"type": "array", "items": {"type": "number"}},
                                 "secret": {"type": "string"}}}},
    "gadgets:index:double": {
      "inputs": {"properties": {"number": {"type": "number"}}}, "returnType": {"type": "number"}},
    "gadgets:index:half": {"inputs": {"properties": {"number": {"type": "number"}}}, "outputs": {"type": "number"}},
    "gadgets:index:pair": {
      "inputs": {"properties": {"number": {"type": "number"}}},
      "outputs": {"type": "array", "items": {"type": "number"}}},
    "gadgets:index:named": {
      "inputs": {"properties": {"number": {"type": "number"}}},
      "outputs": {"type": "object", "additionalProperties": {"type": "number"}}},
    "gadgets:index:rest": {"outputs": {"type": "object"}},
    "gadgets:index:measure": {
      "inputs": {"properties": {"number": {"type": "number"}}}, "outputs": {"$ref": "#/types/gadgets:index:Part"}}
  }
})json";

const char* const kMoreGadgets = R"json({
  "name": "more",
  "resources": {"more:index:Gizmo": {"properties": {"label": {"type": "string"}}}},
  "functions": {
    "more:index:find": {"outputs": {"properties": {"label": {"type": "string"}}}},
    "gadgets:index:getGadget": {"inputs": {"properties": {"name": {"type": "string"}}},
                                "outputs": {"properties": {"label": {"type": "string"}}}}}
})json";

// Answers with the inputs, and with a label made of the name. In a preview what is computed is missing.
class FakeMonitor final : public Monitor {
 public:
  explicit FakeMonitor(Loop& loop) : released_(loop) {}

  DeploymentInfo info;
  std::set<std::string> failing, held;  // names of resources
  std::vector<RegisterResourceRequest> registered;
  std::vector<ReadResourceRequest> reads;
  std::vector<ResourceInvokeRequest> invokes;
  std::vector<RegisterPackageRequest> packages;
  std::optional<PropertyMap> stack_outputs;

  const RegisterResourceRequest& of(const std::string& name) const;
  void Release() { released_.Set(); }

  DeploymentInfo GetDeploymentInfo() override { return info; }
  bool SupportsFeature(const std::string&) override { return true; }
  Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) override;
  Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap outputs) override;
  Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) override;
  Task<Result<ExistsResourceResponse>> ExistsResource(ExistsResourceRequest) override {
    co_return Status(Code::kUnimplemented, "YAML asks for no resource");
  }
  Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) override;
  Task<Result<CallResponse>> Call(ResourceCallRequest) override;
  Task<Status> RegisterStackTransform(Callback) override { co_return Status(); }
  Task<Status> RegisterStackInvokeTransform(Callback) override { co_return Status(); }
  Task<Status> RegisterResourceHook(std::string, Callback, bool, bool) override { co_return Status(); }
  Task<Status> RegisterErrorHook(std::string, Callback) override { co_return Status(); }
  Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) override;
  Task<Status> SignalAndWaitForShutdown() override { co_return Status(); }

 private:
  Event released_;
};

struct Stage {
  Loop loop;
  FakeMonitor monitor{loop};
  std::string folder = "/nowhere";
  std::string engine_version = "3.274.1";
  std::vector<yaml::PackageDecl> decls;
  std::vector<std::string> errors, warnings;
  std::set<std::string> schemas_loaded;

  Stage();
  LanguageServices MakeServices();
  RunResponse Run(const std::string& text);
  // All errors, one below the other.
  std::string Errors() const;
  // The stack's outputs as JSON; secrets are {"secret": ...}, what is not known is "?".
  std::string Outputs() const;
};

std::string Shown(const Value& value);

inline const RegisterResourceRequest& FakeMonitor::of(const std::string& name) const {
  for (const RegisterResourceRequest& request : registered) {
    if (request.name == name) return request;
  }
  static const RegisterResourceRequest kNone;
  return kNone;
}

inline Task<Result<RegisterResourceResponse>> FakeMonitor::RegisterResource(RegisterResourceRequest request) {
  registered.push_back(request);
  if (held.count(request.name) > 0) {
    co_await released_;
    co_return Status(Code::kUnavailable, "the run was stopped");
  }
  if (failing.count(request.name) > 0) co_return Status(Code::kUnavailable, "it failed");
  RegisterResourceResponse response;
  response.urn = Urn::Make(info.stack, info.project, request.parent.qualified_type(), request.type, request.name);
  if (request.custom) response.id = info.dry_run ? "" : request.name + "-id";
  response.outputs = FlattenOutputs(request.inputs);
  if (!info.dry_run) {
    response.outputs.Set("label", Value("label of " + request.name));
    response.outputs.Set("hidden", Value::Secret(Value("hush")));
  }
  co_return response;
}

inline Task<Status> FakeMonitor::RegisterResourceOutputs(std::string, PropertyMap outputs) {
  stack_outputs = std::move(outputs);
  co_return Status();
}

inline Task<Result<ReadResourceResponse>> FakeMonitor::ReadResource(ReadResourceRequest request) {
  reads.push_back(request);
  ReadResourceResponse response;
  response.urn = Urn::Make(info.stack, info.project, Urn(request.parent).qualified_type(), request.type, request.name);
  response.outputs = request.properties;
  response.outputs.Set("label", Value("read " + request.id));
  if (request.type == kStackReferenceType) {
    response.outputs.Set("outputs", Value(PropertyMap{{"port", Value(80)}, {"key", Value("hidden key")}}));
    response.outputs.Set("secretOutputNames", Value(Array{Value("key")}));
  }
  co_return response;
}

inline Task<Result<ResourceInvokeResponse>> FakeMonitor::Invoke(ResourceInvokeRequest request) {
  invokes.push_back(request);
  ResourceInvokeResponse response;
  if (request.token == "gadgets:index:rest") co_return response;
  if (request.token == "gadgets:index:double") {
    response.result.Set("result", Value(2 * StripSecrets(*request.args.Find("number")).as_number()));
    co_return response;
  }
  if (const Value* argument = request.args.Find("number")) {
    const Value number(StripSecrets(*argument).as_number());
    const bool plain = request.token == "gadgets:index:half" || request.token == "gadgets:index:measure";
    const Value pair =
        request.token == "gadgets:index:pair" ? Value(Array{number, number}) : Value(PropertyMap{{"number", number}});
    response.result.Set("size", plain ? number : pair);
    co_return response;
  }
  if (request.token == "pulumi:pulumi:getResource") {
    const Urn urn(request.args.Find("urn")->as_string());
    response.result.Set("state", Value(PropertyMap{{"label", Value("read of " + std::string(urn.name()))}}));
    co_return response;
  }
  const Value* name = request.args.Find("name");
  if (!name) {
    response.failures.push_back({"name", "is missing"});
    co_return response;
  }
  response.result.Set("label", Value("found " + StripSecrets(*name).as_string()));
  response.result.Set("sizes", Value(Array{Value(1), Value(2.5)}));
  if (StripSecrets(*name).as_string() == "safe") response.result.Set("secret", Value::Secret(Value("word")));
  co_return response;
}

inline Task<Result<CallResponse>> FakeMonitor::Call(ResourceCallRequest) {
  co_return Status(Code::kUnimplemented, "programs in YAML call no methods");
}

inline Task<Result<std::string>> FakeMonitor::RegisterPackage(RegisterPackageRequest request) {
  packages.push_back(request);
  co_return "ref-" + (request.extension ? request.extension->name : request.name);
}

inline Stage::Stage() {
  monitor.info.project = "shop";
  monitor.info.stack = "dev";
  monitor.info.organization = "acme";
}

inline LanguageServices Stage::MakeServices() {
  LanguageServices services;
  services.loop = &loop;
  services.monitor = [this] { return &monitor; };
  services.program_folder = services.root_folder = folder;
  services.load_schema = [this](ProviderSpec spec, std::optional<Parameterization> more) -> Task<Result<std::string>> {
    schemas_loaded.insert(spec.name + "@" + spec.version);
    if (more && more->name == "more") co_return std::string(kMoreGadgets);
    if (spec.name == "gadgets") co_return std::string(kGadgets);
    co_return Status(Code::kNotFound, "no resource plugin 'pulumi-resource-" + spec.name + "' found");
  };
  services.log = [this](Severity severity, std::string text) {
    (severity == Severity::kError ? errors : warnings).push_back(std::move(text));
  };
  services.require_version = [this](const std::string& range) {
    return range == ">=99" ? Status(Code::kFailedPrecondition, "this is " + engine_version) : Status();
  };
  services.set_root_resource = [](const std::string&) {};
  return services;
}

inline RunResponse Stage::Run(const std::string& text) {
  auto loaded = std::make_shared<yaml::LoadedProgram>();
  loaded->program = yaml::ParseProgram({"Pulumi.yaml", text}, &loaded->diagnostics);
  loaded->path = folder + "/Pulumi.yaml";
  loaded->decls = decls;
  return loop.RunUntilDone(yaml::RunProgram(MakeServices(), loaded, monitor.info));
}

inline std::string Stage::Errors() const {
  std::string all;
  for (const std::string& error : errors) all += error;
  return all;
}

inline std::string Stage::Outputs() const {
  return monitor.stack_outputs ? Shown(Value(*monitor.stack_outputs)) : "none";
}

inline Value Plain(const Value& part) {
  if (part.is_secret()) return Value(PropertyMap{{"secret", part.as_secret().element}});
  if (part.is_computed()) return Value("?");
  if (part.is_asset()) return Value(PropertyMap{{"asset", Value(part.as_asset().text)}});
  if (!part.is_archive()) return part;
  if (part.as_archive().kind != ArchiveData::Kind::kAssets) {
    return Value(PropertyMap{{"archive", Value(part.as_archive().text)}});
  }
  return Value(PropertyMap{{"archive", Value(Rewrite(part.as_archive().assets, Plain))}});
}

inline std::string Shown(const Value& value) { return pcl::ToJson(Rewrite(value, Plain)); }

}  // namespace kingpost::yaml_stage
