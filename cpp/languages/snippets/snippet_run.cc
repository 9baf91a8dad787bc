// SPDX-License-Identifier: Apache-2.0
#include "languages/snippets/snippet_run.h"

#include "languages/pcl/settle.h"

namespace kingpost::snippets {

namespace {

// A resource as snippets see it: its outputs, and what identifies it.
pcl::Datum ResourceDatum(const PublishedResource& published, bool preview) {
  PropertyMap object = published.outputs;
  const bool unknown_id = published.id == kUnknownString || (preview && published.id.empty());
  object.Set("urn", Value(published.urn.str()));
  object.Set("id", unknown_id ? Value(Computed()) : Value(published.id));
  object.Set("__name", Value(published.urn.name()));
  object.Set("__type", Value(published.urn.type()));
  return {Value(std::move(object)), {false, {published.urn}}};
}

}  // namespace

Task<Status> SnippetRun::Bind() {
  auto program = pcl::SnippetProgram::Parse(snippet_);
  if (!program.ok()) co_return program.status();
  program_ = *program;
  const DeploymentInfo info = parts_.monitor.GetDeploymentInfo();
  around_.project = info.project;
  around_.stack = info.stack;
  around_.organization = info.organization;
  around_.working_directory = around_.root_directory = parts_.folder;
  around_.preview = info.dry_run;
  for (const std::string& name : program_->packages()) {
    pcl::PackageDescriptor package;
    if (name == program_->package()) package = snippet_.package;
    if (package.name.empty()) package.name = name;
    Result<PackageSchemas::SchemaPtr> schema = co_await parts_.schemas.Get(std::move(package));
    if (!schema.ok()) co_return schema.status().Wrap("bind snippet: " + snippet_.file());
    around_.packages[name] = *schema;
  }
  co_return program_->Check(around_.packages);
}

Task<Status> SnippetRun::AwaitReferences() {
  for (const auto& [name, text] : snippet_.references) {
    auto urn = Urn::Parse(text);
    if (!urn.ok()) co_return urn.status().Wrap("invalid URN for reference \"" + name + "\"");
    Result<PublishedResource> published = co_await parts_.wait_for(*urn);
    if (published.status().code() == Code::kUnavailable) co_return published.status();
    if (!published.ok()) {
      co_return published.status().Wrap("snippet " + snippet_.name + ": waiting for reference \"" + name + "\" (" +
                                        text + ")");
    }
    scope_.Set(name, ResourceDatum(*published, around_.preview), /*open=*/around_.preview);
  }
  co_return Status();
}

Task<Status> SnippetRun::RegisterPackage() {
  const pcl::PackageDescriptor& package = snippet_.package;
  if (!package.parameterization) co_return Status();
  RegisterPackageRequest request;
  request.name = package.name;
  request.version = package.version;
  request.download_url = package.download_url;
  const auto& base = around_.packages.at(program_->package())->base;
  const bool extends = base && base->extension;
  (extends ? request.extension : request.parameterization) = package.parameterization;
  Result<std::string> ref = co_await parts_.monitor.RegisterPackage(std::move(request));
  if (!ref.ok()) co_return ref.status().Wrap("register package \"" + package.name + "\"");
  package_ref_ = *ref;
  co_return Status();
}

std::string SnippetRun::PackageRefOf(const std::string& token) const {
  return schema::PackageOf(token) == program_->package() ? package_ref_ : std::string();
}

Task<Result<pcl::EffectAnswer>> SnippetRun::Perform(pcl::Effect effect) {
  pcl::EffectAnswer answer;
  if (effect.kind == pcl::Effect::Kind::kCall) {
    effect.call.package_ref = PackageRefOf(effect.call.token);
    effect.call.snippet_id = snippet_.uuid;
    Result<CallResponse> called = co_await parts_.monitor.Call(std::move(effect.call));
    if (!called.ok()) co_return called.status();
    answer.result = std::move(called->result);
    answer.failures = std::move(called->failures);
    co_return answer;
  }
  effect.invoke.package_ref = PackageRefOf(effect.invoke.token);
  Result<ResourceInvokeResponse> invoked = co_await parts_.monitor.Invoke(std::move(effect.invoke));
  if (!invoked.ok()) co_return invoked.status();
  answer.result = std::move(invoked->result);
  answer.failures = std::move(invoked->failures);
  answer.unknown = invoked->unknown;
  co_return answer;
}

Task<Status> SnippetRun::Settle(std::function<Status(pcl::Evaluator*)> compute) {
  return pcl::Settle(around_, std::move(compute), [this](pcl::Effect effect) { return Perform(std::move(effect)); });
}

Task<Status> SnippetRun::RegisterInstance(pcl::Instance instance) {
  RegisterResourceRequest request;
  std::function<Status(pcl::Evaluator*)> evaluate = [this, &instance, &request](pcl::Evaluator* evaluator) {
    auto evaluated = program_->Request(instance, evaluator, scope_);
    if (evaluated.ok()) request = std::move(*evaluated);
    return evaluated.status();
  };
  KP_CO_TRY(co_await Settle(std::move(evaluate)));
  request.package_ref = PackageRefOf(request.type);
  // The code that fails reports a failed resource; here it only means that there is nothing more to do.
  Result<RegisterResourceResponse> registered = co_await parts_.monitor.RegisterResource(std::move(request));
  if (registered.ok() || registered.status().code() == Code::kUnavailable) co_return registered.status();
  co_return registered.status().Wrap("execute snippet: failed to register resource " + instance.name);
}

Task<Status> SnippetRun::Run() {
  Status done = co_await Bind();
  if (!done.ok()) co_return done;
  done = co_await AwaitReferences();
  if (!done.ok()) co_return done;
  done = co_await RegisterPackage();
  if (!done.ok()) co_return done;

  std::vector<pcl::Instance> instances;
  std::function<Status(pcl::Evaluator*)> expand = [this, &instances](pcl::Evaluator* evaluator) {
    auto expanded = program_->Instances(evaluator, scope_);
    if (expanded.ok()) instances = std::move(*expanded);
    return expanded.status();
  };
  done = co_await Settle(std::move(expand));
  for (size_t i = 0; done.ok() && i < instances.size(); ++i) {
    done = co_await RegisterInstance(instances[i]);
  }
  co_return done;
}

}  // namespace kingpost::snippets
