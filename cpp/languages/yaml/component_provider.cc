// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/component_provider.h"

#include "languages/yaml/body_run.h"

namespace kingpost::yaml {

namespace {

Status NotOffered(const char* what) {
  return Status(Code::kUnimplemented, std::string(what) + " is not offered by plugins in YAML");
}

DeploymentInfo InfoOf(const ConstructInfo& from) {
  DeploymentInfo info;
  info.project = from.project;
  info.stack = from.stack;
  info.organization = from.organization;
  info.config = from.config;
  info.config_secret_keys = from.config_secret_keys;
  info.dry_run = from.dry_run;
  info.parallel = from.parallel;
  return info;
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
