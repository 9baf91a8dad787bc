// SPDX-License-Identifier: Apache-2.0
// A plugin in YAML: its components behind the interface of providers.
#include "languages/pcl/builtins.h"
#include "languages/yaml/body_run.h"
#include "languages/yaml/program_run.h"

namespace kingpost::yaml {

namespace {

Status NotOffered(const char* what) {
  return Status(Code::kUnimplemented, std::string(what) + " is not offered by plugins in YAML");
}

DeploymentInfo InfoOf(const ConstructInfo& from) {
  return {from.project, from.stack,    from.organization, from.config, from.config_secret_keys,
          from.dry_run, from.parallel, /*features=*/{}};
}

// The component itself, with the options that it was asked for with.
RegisterResourceRequest ComponentRequest(const ConstructRequest& from) {
  RegisterResourceRequest request;
  static_cast<Goal&>(request) = from;
  request.inputs = FlattenOutputs(from.inputs);
  request.property_dependencies.clear();
  for (const auto& [key, urns] : from.property_dependencies) {
    if (!urns.empty()) request.property_dependencies[key] = urns;
  }
  request.providers = from.providers;
  request.parent_stack_trace_handle = from.info.stack_trace_handle;
  return request;
}

std::map<std::string, pcl::Datum> InputsOf(const ConstructRequest& request) {
  std::map<std::string, pcl::Datum> inputs;
  for (const auto& [key, value] : request.inputs) {
    pcl::Datum datum = pcl::Open(value);
    const auto dependencies = request.property_dependencies.find(key);
    if (dependencies != request.property_dependencies.end()) datum.marks.Add({false, dependencies->second});
    inputs[key] = std::move(datum);
  }
  return inputs;
}

Value AnyType() { return Value(PropertyMap{{"$ref", "pulumi.json#/Any"}}); }

// `items` of lists, and of lists in them.
Result<PropertyMap> TypeSpec(const std::string& type, const Node& items, pcl::Position at) {
  if (type == "string" || type == "integer" || type == "boolean" || type == "number") {
    return PropertyMap{{"type", type}};
  }
  if (type == "object") return PropertyMap{{"type", "object"}, {"additionalProperties", AnyType()}};
  if (type != "array") {
    return pcl::ErrorAt(
        at, "unknown type: " + type + ": an input is a string, an integer, a number, a boolean, an object or an array");
  }
  const Node* element = FindField(items, "type");
  if (!element || !element->is_text()) return pcl::ErrorAt(at, "missing items: an array needs the type of its items");
  const Node* deeper = FindField(items, "items");
  auto inner = TypeSpec(element->text, deeper ? *deeper : Node(), element->at);
  if (!inner.ok()) return inner;
  return PropertyMap{{"type", "array"}, {"items", Value(std::move(*inner))}};
}

Result<PropertyMap> ResourceSpec(const ComponentDecl& component, const std::string& token) {
  PropertyMap inputs, outputs;
  Array required, given;
  for (const ConfigDecl& input : component.body.config) {
    if (!input.type) return pcl::ErrorAt(input.at, "missing type of the input '" + input.key + "'");
    auto spec = TypeSpec(input.type->value, input.items, input.type->at);
    if (!spec.ok()) return spec;
    if (!input.description.empty()) spec->Set("description", Value(input.description));
    if (input.secret.value_or(false)) spec->Set("secret", Value(true));
    const auto* literal = input.default_value ? input.default_value->as<pcl::Literal>() : nullptr;
    if (literal && !literal->value.is_null()) spec->Set("default", literal->value);
    if (!input.default_value) required.push_back(Value(input.key));
    inputs.Set(input.key, Value(std::move(*spec)));
  }
  for (const NamedExpression& output : component.body.outputs) {
    outputs.Set(output.name, AnyType());
    given.push_back(Value(output.name));
  }
  PropertyMap spec{{"isComponent", Value(true)},
                   {"type", Value(token)},
                   {"inputProperties", Value(std::move(inputs))},
                   {"requiredInputs", Value(std::move(required))},
                   {"properties", Value(std::move(outputs))},
                   {"required", Value(std::move(given))}};
  if (!component.description.empty()) spec.Set("description", Value(component.description));
  return spec;
}

// The schema of a plugin, as JSON. Fails where the type of an input is none that a schema has.
Result<std::string> ComponentSchema(const ProgramDecl& plugin) {
  PropertyMap resources, language;
  for (const ComponentDecl& component : plugin.components) {
    const std::string token = plugin.name + ":index:" + component.name;
    auto spec = ResourceSpec(component, token);
    if (!spec.ok()) return spec.status();
    resources.Set(token, Value(std::move(*spec)));
  }
  for (const char* name : {"nodejs", "python", "csharp", "java", "go"}) {
    language.Set(name, Value(PropertyMap{{"respectSchemaVersion", Value(true)}}));
  }
  PropertyMap schema{{"name", Value(plugin.name)},
                     {"version", Value(plugin.version.empty() ? "0.0.0" : plugin.version)},
                     {"language", Value(std::move(language))},
                     {"resources", Value(std::move(resources))}};
  if (!plugin.description.empty()) schema.Set("description", Value(plugin.description));
  if (plugin.package_namespace) schema.Set("namespace", Value(plugin.package_namespace->value));
  return pcl::ToJson(Value(std::move(schema)));
}

class ComponentProvider final : public Provider {
 public:
  ComponentProvider(LanguageServices services, std::shared_ptr<const LoadedProgram> plugin, std::string schema)
      : services_(std::move(services)),
        plugin_(std::move(plugin)),
        schema_(std::move(schema)),
        book_(std::make_shared<PackageIndex>(services_, plugin_->decls)) {
    features_.supports_preview = features_.accept_secrets = features_.accept_resources = true;
    features_.accept_outputs = features_.accepts_byte_string = true;
  }

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return plugin_->program.version; }
  Task<Result<std::string>> GetSchema(SchemaRequest) override { co_return schema_; }
  Task<Status> Configure(ConfigureRequest) override { co_return Status(); }
  Task<void> Cancel() override { co_return; }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    CheckResponse response;
    response.inputs = std::move(request.new_inputs);
    co_return response;
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest) override {
    DiffResponse response;
    response.changes = DiffChanges::kNone;
    co_return response;
  }
  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override;

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization) override {
    co_return NotOffered("Parameterize");
  }
  Task<Result<CheckResponse>> Check(CheckRequest) override { co_return NotOffered("Check"); }
  Task<Result<DiffResponse>> Diff(DiffRequest) override { co_return NotOffered("Diff"); }
  Task<Result<CreateResponse>> Create(CreateRequest) override { co_return NotOffered("Create"); }
  Task<Result<ReadResponse>> Read(ReadRequest) override { co_return NotOffered("Read"); }
  Task<Result<UpdateResponse>> Update(UpdateRequest) override { co_return NotOffered("Update"); }
  Task<Status> Delete(DeleteRequest) override { co_return NotOffered("Delete"); }
  Task<Result<InvokeResponse>> Invoke(InvokeRequest) override { co_return NotOffered("Invoke"); }
  Task<Result<CallResponse>> Call(CallRequest) override { co_return NotOffered("Call"); }

 private:
  const ComponentDecl* Find(const std::string& type) const {
    for (const ComponentDecl& component : plugin_->program.components) {
      if (type == plugin_->program.name + ":index:" + component.name) return &component;
    }
    return nullptr;
  }

  const LanguageServices services_;
  const std::shared_ptr<const LoadedProgram> plugin_;
  const std::string schema_;
  const std::shared_ptr<PackageIndex> book_;
  ProviderFeatures features_;
};

// Errors come back as the failure of the component, not beside it.
Task<Result<ConstructResponse>> ComponentProvider::Construct(ConstructRequest request) {
  const ComponentDecl* component = Find(request.type);
  if (!component) {
    co_return Status(Code::kNotFound, plugin_->path + " declares no component for the type " + request.type);
  }
  std::string told;
  LanguageServices services = services_;
  services.log = [&told, log = services_.log](Severity severity, std::string text) {
    if (severity != Severity::kError) return log(severity, std::move(text));
    told += (told.empty() ? "" : "\n") + text;
  };
  Monitor* monitor = services.monitor();
  if (!monitor) co_return Status(Code::kUnavailable, "the run was stopped");
  auto registering = monitor->RegisterResource(ComponentRequest(request));
  auto registered = co_await std::move(registering);
  if (!registered.ok()) co_return registered.status();
  BodyRunParts parts{services,        plugin_->path, *component->source, component->body, book_, InfoOf(request.info),
                     registered->urn, request.name,  InputsOf(request)};
  BodyRun run(std::move(parts));
  const bool sound = co_await run.Check();
  if (!sound) co_return Status(Code::kInvalidArgument, told);
  const Status packages = co_await book_->Register();
  if (!packages.ok()) co_return packages;
  const bool well = co_await run.Run();
  monitor = services.monitor();
  if (!well || !monitor) {
    co_return Status(Code::kUnknown, told.empty() ? "a resource of the component failed" : told);
  }
  if (!run.registration_error().empty()) co_return Status(Code::kUnknown, run.registration_error());
  const Status done = co_await monitor->RegisterResourceOutputs(registered->urn.str(), FlattenOutputs(run.outputs()));
  if (!done.ok()) co_return done;
  ConstructResponse response;
  response.urn = registered->urn;
  response.outputs = run.outputs();
  co_return response;
}

}  // namespace

Result<ProviderPtr> NewComponentProvider(LanguageServices services, std::shared_ptr<const LoadedProgram> plugin) {
  if (Status sound = AsStatus(plugin->diagnostics, plugin->program.source); !sound.ok()) return sound;
  auto schema = ComponentSchema(plugin->program);
  if (!schema.ok()) return schema.status().Wrap(plugin->path);
  return ProviderPtr(std::make_shared<ComponentProvider>(std::move(services), std::move(plugin), std::move(*schema)));
}

}  // namespace kingpost::yaml
