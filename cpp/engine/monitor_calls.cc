// SPDX-License-Identifier: Apache-2.0
// Functions and methods of providers, called by the program (rows 1.26 to 1.28).
#include <algorithm>

#include "base/encoding.h"
#include "engine/monitor_service.h"
#include "engine/providers/provider_calls.h"
#include "engine/providers/provider_diff.h"
#include "model/output_values.h"

namespace kingpost::engine {

namespace {

// "pkg" of "pkg:module:function".
std::string PackageOfToken(const std::string& token) { return token.substr(0, token.find(':')); }

// The URN and the ID that a "__self__" argument names, as a reference or as a plain object.
struct Self {
  bool present = false;
  std::string urn, id;
};

std::string Text(const Value* value) {
  if (!value) return "";
  if (value->is_computed()) return std::string(kUnknownString);
  return value->is_string() ? value->as_string() : "";
}

Self ReadSelf(const PropertyMap& args) {
  Self self;
  const Value* value = args.Find("__self__");
  while (value && (value->is_output() || value->is_secret())) {
    value = value->is_output() ? &value->as_output().element : &value->as_secret().element;
  }
  if (!value) return self;
  self.present = true;
  if (value->is_reference()) {
    self.urn = value->as_reference().urn.str();
    self.id = Text(value->as_reference().id.get());
  } else if (value->is_object()) {
    self.urn = Text(value->as_object().Find("urn"));
    self.id = Text(value->as_object().Find("id"));
  }
  return self;
}

// The dependencies of an invoke: those that it names, and those of its arguments.
Result<std::vector<Urn>> RootsOf(const std::vector<std::string>& texts, const PropertyMap& args) {
  std::vector<Urn> roots = CarriedDependencies(args);
  for (const std::string& text : texts) {
    auto urn = Urn::Parse(text);
    if (!urn.ok()) {
      return Status(Code::kUnknown, "invalid dependsOn URN " + Quote(text) + ": " + urn.status().message());
    }
    AddUnique(&roots, *urn);
  }
  return roots;
}

}  // namespace

Task<Result<ResourceInvokeResponse>> MonitorService::Invoke(ResourceInvokeRequest request) {
  const Result<Urn> parent = ParseParent(request.parent);
  if (!parent.ok()) co_return parent.status();
  const std::string package = PackageOfToken(request.token);
  if (request.provider.empty()) request.provider = ProviderOfParent(*parent, package);
  TransformInvokeRequest transformed;
  transformed.token = request.token;
  transformed.args = std::move(request.args);
  transformed.options.provider = ResolveProvider(request.provider, {}, *parent, package);
  transformed.options.version = request.version;
  transformed.options.plugin_download_url = request.plugin_download_url;
  transformed.options.plugin_checksums = request.plugin_checksums;
  Result<TransformInvokeResponse> options = co_await transforms_.ApplyToInvoke(std::move(transformed));
  if (!options.ok()) co_return options.status();

  auto wanted = RequestFor(package, options->options.version, options->options.plugin_download_url,
                           options->options.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  const CallTarget target{options->options.provider, request.token, request.package_ref};
  Result<ProviderPtr> provider = co_await ProviderFor(*wanted, target);
  if (!provider.ok()) co_return Status(Code::kUnknown, "Invoke: getProviderFromSource: " + provider.status().message());

  Result<std::vector<Urn>> roots = RootsOf(request.depends_on, options->args);
  if (!roots.ok()) co_return roots.status();
  ResourceInvokeResponse response;
  for (Urn& root : *roots) parts_.run.rows().migrations().Follow(&root);
  if (!roots->empty()) response.unknown = co_await settled_.HasUnresolved(std::move(*roots));
  if (response.unknown) co_return response;
  InvokeRequest call;
  call.token = request.token;
  call.args = std::move(options->args);
  call.preview = parts_.operation.options.preview;
  Result<InvokeResponse> answer = co_await providers::Invoke(*provider, std::move(call));
  if (!answer.ok()) {
    co_return Status(Code::kUnknown,
                     "invocation of " + request.token + " returned an error: " + answer.status().message());
  }
  response.result = request.accept_output_values ? std::move(answer->result) : FlattenOutputs(answer->result);
  response.failures = std::move(answer->failures);
  co_return response;
}

std::string MonitorService::ProviderOfParent(const Urn& parent, const std::string& package) const {
  const auto goal = for_children_.find(parent);
  if (parent.empty() || goal == for_children_.end()) return "";
  return decisions::ExplicitProviderOf(goal->second->provider, package);
}

Result<std::string> MonitorService::ProviderOfSelf(const ResourceCallRequest& request,
                                                   ProviderRequest* fallback) const {
  const Self self = ReadSelf(request.args);
  if (IsProviderType(request.token)) {
    // "pulumi:providers:package/method": the provider itself is meant.
    const std::string name(ProviderPackage(request.token));
    const size_t slash = name.find('/');
    if (slash == std::string::npos || name.find('/', slash + 1) != std::string::npos) {
      return Status(Code::kUnknown, "invalid provider method token " + request.token);
    }
    if (!self.present) return Status(Code::kUnknown, "missing __self__ argument for provider method call");
    if (self.urn.empty()) return Status(Code::kUnknown, "missing __self__.urn for provider method call");
    if (self.id.empty()) return Status(Code::kUnknown, "missing __self__.id for provider method call");
    fallback->plugin = name.substr(0, slash);
    return self.urn + "::" + self.id;
  }
  if (!request.provider.empty()) return request.provider;
  if (!self.present) return std::string();
  if (self.urn.empty()) return Status(Code::kUnknown, "missing __self__.urn for method call");
  auto goal = for_children_.find(Urn(self.urn));
  if (goal == for_children_.end()) return Status(Code::kUnknown, "unknown resource " + self.urn);
  return goal->second->provider;
}

Task<Result<CallResponse>> MonitorService::Call(ResourceCallRequest request) {
  auto wanted = RequestFor(PackageOfToken(request.token), request.version, request.plugin_download_url,
                           request.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  auto given = ProviderOfSelf(request, &*wanted);
  if (!given.ok()) co_return given.status();
  const CallTarget target{*given, request.token, request.package_ref};
  Result<ProviderPtr> provider = co_await ProviderFor(*wanted, target);
  if (!provider.ok()) co_return provider.status();

  CallRequest call;
  call.token = request.token;
  call.args = request.args;
  call.info = MakeConstructInfo();
  for (const auto& [name, texts] : request.arg_dependencies) {
    for (size_t i = 0; i < texts.size(); ++i) {
      auto urn = Urn::Parse(texts[i]);
      if (!urn.ok()) {
        co_return Status(Code::kInvalidArgument,
                         "invalid dependency on argument " + std::to_string(i) + " URN: " + urn.status().message());
      }
      call.arg_dependencies[name].push_back(*urn);
    }
  }
  AddCarriedDependencies(call.args, &call.arg_dependencies);
  std::vector<std::string> trace = positions_.Trace(request.stack_trace, request.parent_stack_trace_handle);
  const std::string handle =
      positions_.Record(std::move(trace), FormatUuid4(parts_.operation.environment.random_bytes(16)));
  call.info.stack_trace_handle = handle;
  Result<CallResponse> answer = co_await providers::Call(*provider, std::move(call));
  positions_.Release(handle);
  if (!answer.ok()) {
    const bool show_secrets = parts_.operation.options.show_secrets;
    parts_.report.Error(Urn(), "call to function '" + request.token +
                                   "' failed: " + providers::RefusalText(answer.status(), request.args, show_secrets));
    const Status failed =
        Abort(Status(Code::kUnknown, "call of " + request.token + " returned an error: " + answer.status().message()));
    if (request.snippet_id.empty()) co_await HoldIfStopped(failed);
    co_return failed;
  }
  AddCarriedDependencies(answer->result, &answer->result_dependencies);
  if (!request.accept_output_values) answer->result = FlattenOutputs(answer->result);
  co_return answer;
}

}  // namespace kingpost::engine
