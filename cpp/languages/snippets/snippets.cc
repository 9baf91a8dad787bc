// SPDX-License-Identifier: Apache-2.0
#include "languages/snippets/snippets.h"

#include <algorithm>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "languages/pcl/resource_value.h"
#include "languages/pcl/snippet_program.h"
#include "languages/schema/bind.h"

namespace kingpost::snippets {

namespace {

using pcl::PackageDescriptor;
using SchemaPtr = std::shared_ptr<const schema::Package>;

// Schemas of packages, asked from their plugins once in a run.
class PackageSchemas {
 public:
  PackageSchemas(Loop& loop, PluginHost& host) : host_(host), loading_(loop) {}

  Task<Result<SchemaPtr>> Get(PackageDescriptor package) {
    if (package.name == "pulumi") co_return schema::CorePackage();
    auto permit = co_await loading_.Acquire();
    const auto known = std::ranges::find(schemas_, package, &std::pair<PackageDescriptor, SchemaPtr>::first);
    if (known != schemas_.end()) co_return known->second;
    ProviderSpec spec{package.name, package.version, package.download_url, {}, {}, ""};
    Result<std::string> text = co_await host_.LoadSchema(std::move(spec), package.parameterization);
    if (!text.ok()) co_return text.status().Wrap("unknown package '" + package.name + "'");
    auto schema = schema::Open(package.name, *text);
    if (schema.ok()) schemas_.emplace_back(std::move(package), *schema);
    co_return schema;
  }

 private:
  PluginHost& host_;
  Mutex loading_;  // one at a time, so that nothing is loaded twice
  std::vector<std::pair<PackageDescriptor, SchemaPtr>> schemas_;
};

// One snippet, from its text to its registered resources. Owns what it knows on the way.
//
//   parse -> schemas -> check -> references -> package -> range -> for each: evaluate -> register
//
// Evaluation is pure (languages/pcl/); what it asks for from outside is fetched between two attempts.
class SnippetRun : public RegistrationSource {
 public:
  SnippetRun(pcl::Snippet snippet, std::shared_ptr<PackageSchemas> schemas, const std::string& folder)
      : snippet_(std::move(snippet)), schemas_(std::move(schemas)) {
    around_.working_directory = around_.root_directory = folder;
  }

  Task<Status> Run(Monitor& monitor, WaitFor wait_for) override;

 private:
  Task<Status> Bind();
  Task<Status> AwaitReferences(WaitFor wait_for);
  Task<Status> RegisterPackage();
  Task<Status> RegisterInstance(pcl::Instance instance);
  // Computes, and again after each effect it asks for.
  Task<Status> Settle(pcl::Compute compute);
  Task<Result<pcl::EffectAnswer>> Perform(pcl::Effect effect);
  std::string PackageRefOf(const std::string& token) const;

  const pcl::Snippet snippet_;
  const std::shared_ptr<PackageSchemas> schemas_;  // of all snippets of the run
  Monitor* monitor_ = nullptr;
  std::shared_ptr<const pcl::SnippetProgram> program_;
  pcl::EvaluationContext around_;
  pcl::Scope scope_;
  std::string package_ref_;  // of a parameterized package
};

Task<Status> SnippetRun::Run(Monitor& monitor, WaitFor wait_for) {
  monitor_ = &monitor;
  KP_CO_TRY(co_await Bind());
  KP_CO_TRY(co_await AwaitReferences(std::move(wait_for)));
  KP_CO_TRY(co_await RegisterPackage());
  std::vector<pcl::Instance> instances;
  pcl::Compute expand = [this, &instances](pcl::Evaluator* evaluator) {
    auto expanded = program_->Instances(evaluator, scope_);
    if (expanded.ok()) instances = std::move(*expanded);
    return expanded.status();
  };
  KP_CO_TRY(co_await Settle(std::move(expand)));
  for (const pcl::Instance& instance : instances) KP_CO_TRY(co_await RegisterInstance(instance));
  co_return Status();
}

Task<Status> SnippetRun::Bind() {
  auto program = pcl::SnippetProgram::Parse(snippet_);
  if (!program.ok()) co_return program.status();
  program_ = *program;
  const DeploymentInfo info = monitor_->GetDeploymentInfo();
  around_.project = info.project;
  around_.stack = info.stack;
  around_.organization = info.organization;
  around_.preview = info.dry_run;
  for (const std::string& name : program_->packages()) {
    PackageDescriptor package;
    if (name == program_->package()) package = snippet_.package;
    if (package.name.empty()) package.name = name;
    Result<SchemaPtr> schema = co_await schemas_->Get(std::move(package));
    if (!schema.ok()) co_return schema.status().Wrap("bind snippet: " + snippet_.file());
    around_.packages[name] = *schema;
  }
  co_return program_->Check(around_.packages);
}

Task<Status> SnippetRun::AwaitReferences(WaitFor wait_for) {
  for (const auto& [name, text] : snippet_.references) {
    auto urn = Urn::Parse(text);
    if (!urn.ok()) co_return urn.status().Wrap("invalid URN for reference \"" + name + "\"");
    Result<PublishedResource> published = co_await wait_for(*urn);
    if (published.status().code() == Code::kUnavailable) co_return published.status();
    if (!published.ok()) {
      co_return published.status().Wrap("snippet " + snippet_.name + ": waiting for reference \"" + name + "\" (" +
                                        text + ")");
    }
    const pcl::ResourceResult resource{published->urn, published->id, published->outputs};
    scope_.Set(name, pcl::ResourceDatum(resource, {}, around_.preview), /*open=*/around_.preview);
  }
  co_return Status();
}

Task<Status> SnippetRun::RegisterPackage() {
  const PackageDescriptor& package = snippet_.package;
  if (!package.parameterization) co_return Status();
  RegisterPackageRequest request{package.name, package.version, package.download_url, {}, {}, {}};
  const auto& base = around_.packages.at(program_->package())->base;
  const bool extends = base && base->extension;
  (extends ? request.extension : request.parameterization) = package.parameterization;
  Result<std::string> ref = co_await monitor_->RegisterPackage(std::move(request));
  if (!ref.ok()) co_return ref.status().Wrap("register package \"" + package.name + "\"");
  package_ref_ = *ref;
  co_return Status();
}

std::string SnippetRun::PackageRefOf(const std::string& token) const {
  return schema::PackageOf(token) == program_->package() ? package_ref_ : std::string();
}

Task<Result<pcl::EffectAnswer>> SnippetRun::Perform(pcl::Effect effect) {
  if (effect.kind != pcl::Effect::Kind::kCall) {
    effect.invoke.package_ref = PackageRefOf(effect.invoke.token);
    co_return co_await monitor_->Invoke(std::move(effect.invoke));
  }
  effect.call.package_ref = PackageRefOf(effect.call.token);
  effect.call.snippet_id = snippet_.uuid;
  Result<CallResponse> called = co_await monitor_->Call(std::move(effect.call));
  if (!called.ok()) co_return called.status();
  co_return pcl::EffectAnswer{std::move(called->result), std::move(called->failures), false};
}

Task<Status> SnippetRun::Settle(pcl::Compute compute) {
  return pcl::Settle(around_, std::move(compute), [this](pcl::Effect effect) { return Perform(std::move(effect)); });
}

Task<Status> SnippetRun::RegisterInstance(pcl::Instance instance) {
  RegisterResourceRequest request;
  pcl::Compute evaluate = [this, &instance, &request](pcl::Evaluator* evaluator) {
    auto evaluated = program_->Request(instance, evaluator, scope_);
    if (evaluated.ok()) request = std::move(*evaluated);
    return evaluated.status();
  };
  KP_CO_TRY(co_await Settle(std::move(evaluate)));
  request.package_ref = PackageRefOf(request.type);
  // The code that fails reports a failed resource; here it only means that there is nothing more to do.
  Result<RegisterResourceResponse> registered = co_await monitor_->RegisterResource(std::move(request));
  if (registered.ok() || registered.status().code() == Code::kUnavailable) co_return registered.status();
  co_return registered.status().Wrap("execute snippet: failed to register resource " + instance.name);
}

}  // namespace

Result<RegistrationSources> FindSnippets(Loop& loop, const Operation& operation) {
  auto snippets = pcl::ParseSnippets(operation.base->snippets_json);
  if (!snippets.ok()) return snippets.status();
  const auto schemas = std::make_shared<PackageSchemas>(loop, *operation.host);
  RegistrationSources sources;
  for (pcl::Snippet& snippet : *snippets) {
    sources.push_back(std::make_unique<SnippetRun>(std::move(snippet), schemas, operation.project_root));
  }
  return sources;
}

}  // namespace kingpost::snippets
