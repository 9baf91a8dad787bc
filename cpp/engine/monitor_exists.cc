// SPDX-License-Identifier: Apache-2.0
// ExistsResource: a program asks whether there is a resource, without taking it into the stack (row 1.36). Nothing is
// recorded of it, and no event tells it.
#include "decisions/read_rules.h"
#include "engine/monitor_service.h"
#include "model/type_name.h"

namespace kingpost::engine {

Task<Result<ExistsResourceResponse>> MonitorService::Exists(ExistsResourceRequest request) {
  KP_CO_TRY(CheckTypeToken(request.type));
  const ReadTarget target{request.type,        request.provider,        request.version, request.plugin_download_url,
                          request.package_ref, request.plugin_checksums};
  Result<std::string> reference = co_await ReferenceToRead(target);
  if (!reference.ok()) co_return reference.status();
  ExistsResourceResponse response;
  response.unknown = request.id == kUnknownString;
  if (response.unknown) co_return response;
  const auto parsed = ProviderReference::Parse(*reference);
  if (!parsed.ok()) co_return parsed.status().Wrap("invalid provider reference '" + *reference + "'");
  KP_CO_TRY(co_await parts_.providers.EnsureLeftOut(*reference));
  ProviderPtr provider = parts_.providers.Get(*reference);
  if (!provider) co_return Status(Code::kUnknown, "unknown provider '" + *reference + "'");
  Result<Urn> parent = ParseParent(request.parent);
  if (!parent.ok()) co_return parent.status();

  ReadRequest question;
  question.urn = parts_.run.MakeUrn(*parent, request.type, decisions::ExistsQueryName(++questions_));
  question.name = question.urn.name();
  question.type = question.urn.type();
  question.id = request.id;
  question.inputs = FlattenOutputs(request.properties);
  Result<ReadResponse> read = co_await provider->Read(std::move(question));
  if (!read.ok()) co_return read.status().Wrap("reading resource '" + request.id + "'");
  const decisions::Existence existence = decisions::ExistenceFrom(*read);
  response.exists = existence == decisions::Existence::kYes;
  response.unknown = existence == decisions::Existence::kUnknown;
  co_return response;
}

}  // namespace kingpost::engine
