// SPDX-License-Identifier: Apache-2.0
// Functions and methods of providers, called by the program (rows 1.26 to 1.28).
#include <algorithm>

#include "base/encoding.h"
#include "engine/monitor_service.h"
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

Result<std::vector<Urn>> ParseRoots(const std::vector<std::string>& texts) {
  std::vector<Urn> roots;
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
  Urn parent;
  if (!request.parent.empty()) {
    auto parsed = Urn::Parse(request.parent);
    if (!parsed.ok()) co_return Status(Code::kInvalidArgument, "invalid parent URN: " + parsed.status().message());
    parent = *parsed;
  }
  TransformInvokeRequest transformed;
  transformed.token = request.token;
  transformed.args = FlattenOutputs(request.args);
  transformed.options.provider = ResolveProvider(request.provider, {}, parent, PackageOfToken(request.token));
  transformed.options.version = request.version;
  transformed.options.plugin_download_url = request.plugin_download_url;
  transformed.options.plugin_checksums = request.plugin_checksums;
  Result<TransformInvokeResponse> options = co_await transforms_.ApplyToInvoke(std::move(transformed));
  if (!options.ok()) co_return options.status();

  auto wanted =
      RequestFor(PackageOfToken(request.token), options->options.version, options->options.plugin_download_url,
                 options->options.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  Result<ProviderPtr> provider = co_await ProviderFor(*wanted, options->options.provider, request.token);
  if (!provider.ok()) co_return Status(Code::kUnknown, "Invoke: getProviderFromSource: " + provider.status().message());

  Result<std::vector<Urn>> roots = ParseRoots(request.depends_on);
  if (!roots.ok()) co_return roots.status();
  ResourceInvokeResponse response;
  for (Urn& root : *roots) parts_.run.rows().migrations().Follow(&root);
  if (!roots->empty()) response.unknown = co_await settled_.HasUnresolved(std::move(*roots));
  if (response.unknown) co_return response;
  InvokeRequest call;
  call.token = request.token;
  call.args = std::move(options->args);
  call.preview = parts_.operation.options.preview;
  Result<InvokeResponse> answer = co_await (*provider)->Invoke(std::move(call));
  if (!answer.ok()) {
    co_return Status(Code::kUnknown,
                     "invocation of " + request.token + " returned an error: " + answer.status().message());
  }
  response.result = std::move(answer->result);
  response.failures = std::move(answer->failures);
  co_return response;
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
  auto goal = registered_goals_.find(Urn(self.urn));
  if (goal == registered_goals_.end()) return Status(Code::kUnknown, "unknown resource " + self.urn);
  return goal->second->provider;
}

Task<Result<CallResponse>> MonitorService::Call(ResourceCallRequest request) {
  auto wanted = RequestFor(PackageOfToken(request.token), request.version, request.plugin_download_url,
                           request.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  auto given = ProviderOfSelf(request, &*wanted);
  if (!given.ok()) co_return given.status();
  Result<ProviderPtr> provider = co_await ProviderFor(*wanted, *given, request.token);
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
  Result<CallResponse> answer = co_await (*provider)->Call(std::move(call));
  positions_.Release(handle);
  if (!answer.ok()) {
    parts_.report.Error(Urn(), "call to function '" + request.token +
                                   "' failed: " + providers::RefusalText(answer.status(), request.args));
    const Status failed =
        Abort(Status(Code::kUnknown, "call of " + request.token + " returned an error: " + answer.status().message()));
    if (request.snippet_id.empty()) co_await HoldIfStopped(failed);
    co_return failed;
  }
  AddCarriedDependencies(answer->result, &answer->result_dependencies);
  co_return answer;
}

}  // namespace kingpost::engine
