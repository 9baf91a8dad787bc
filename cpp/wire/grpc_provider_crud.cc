// SPDX-License-Identifier: Apache-2.0
// Check, Diff, Create, Read, Update and Delete (rows 8.5, 8.6, 8.10, 8.11, 8.13, 8.18).
#include "kingpost/create_outcome.h"
#include "wire/grpc_provider.h"
#include "wire/provider_messages.h"
#include "wire/wire_limits.h"

namespace kingpost {

namespace {

Status NoId(const Urn& urn) {
  Status status(Code::kUnknown, "plugin returned empty resource.ID from create '" + urn.str() + "'");
  return status.With(MayHaveHappened());
}

Status CheckId(const Urn& urn, const std::string& id) {
  return id.size() <= wire::kNameBytesMax ? Status::Ok()
                                          : wire::CheckLength("the ID that the provider gave '" + urn.str() + "'", id);
}

// Assets that were sent without their contents, and that a partial failure echoes.
Status WithContentsOf(const std::vector<PropertyMap>& sent, Status failed) {
  if (const InitFailed* partial = failed.detail<InitFailed>()) {
    InitFailed restored = *partial;
    restored.outputs = RestoreAssetContents(sent, restored.outputs);
    if (restored.inputs) restored.inputs = RestoreAssetContents(sent, *restored.inputs);
    failed.With(std::move(restored));
  }
  return failed;
}

}  // namespace

Task<Status> GrpcProvider::OperationFailure(grpc::Status status, bool allow_unknowns, PropertyMap inputs) {
  if (FindDetail<pulumirpc::ErrorResourceAwaitFailed>(status)) {
    co_return Status(Code::kUnknown, "resource is awaiting").With(AwaitFailed());
  }
  auto partial = FindDetail<pulumirpc::ErrorResourceInitFailed>(status);
  if (!partial) {
    auto explaining = Explain(std::move(status));
    co_return co_await std::move(explaining);
  }
  InitFailed failed;
  failed.id = partial->id();
  failed.reasons.assign(partial->reasons().begin(), partial->reasons().end());
  failed.refresh_before_update = partial->refresh_before_update() && refresh_before_update_;
  auto outputs = FromStruct(partial->properties(), IncomingOptions(allow_unknowns));
  if (!outputs.ok()) co_return outputs.status();
  failed.outputs = WithSecretsOf(std::move(*outputs), inputs);
  if (partial->has_inputs()) {
    auto live = FromStruct(partial->inputs(), IncomingOptions(allow_unknowns));
    if (!live.ok()) co_return live.status();
    failed.inputs = WithSecretsOf(std::move(*live), inputs);
  }
  Status result(Code::kUnknown, failed.reasons.empty() ? "resource init failed" : JoinErrors(failed.reasons));
  co_return result.With(std::move(failed));
}

Task<Result<CheckResponse>> GrpcProvider::Check(CheckRequest request) {
  pulumirpc::CheckRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  const WireOptions options = OutgoingOptions(request.allow_unknowns, false);
  Status status = ToStruct(request.old_inputs, options, wire.mutable_olds());
  if (status.ok()) status = ToStruct(request.old_outputs, options, wire.mutable_old_outputs());
  if (status.ok()) status = ToStruct(request.new_inputs, options, wire.mutable_news());
  if (!status.ok()) co_return status;
  wire.set_randomseed(request.random_seed);
  if (request.autonaming && features_.supports_autonaming) {
    wire.mutable_autonaming()->set_proposed_name(request.autonaming->proposed_name);
    wire.mutable_autonaming()->set_mode(
        static_cast<pulumirpc::CheckRequest_AutonamingOptions_Mode>(request.autonaming->mode));
  }

  auto asking = AskOrExplain(&Interface::Check, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  auto inputs = FromStruct((*response)->inputs(), IncomingOptions(request.allow_unknowns));
  if (!inputs.ok()) co_return inputs.status();
  co_return CheckResponse{WithSecretsOf(std::move(*inputs), request.new_inputs), ReadFailures((*response)->failures())};
}

Task<Result<DiffResponse>> GrpcProvider::Diff(DiffRequest request) {
  pulumirpc::DiffRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  wire.set_id(request.id);
  const WireOptions options = OutgoingOptions(request.allow_unknowns, true);
  Status status = ToStruct(request.old_inputs, options, wire.mutable_old_inputs());
  if (status.ok()) status = ToStruct(request.old_outputs, options, wire.mutable_olds());
  if (status.ok()) status = ToStruct(request.new_inputs, options, wire.mutable_news());
  if (!status.ok()) co_return status;
  wire.mutable_ignorechanges()->Add(request.ignore_changes.begin(), request.ignore_changes.end());

  auto asking = AskOrExplain(&Interface::Diff, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  co_return ReadDiff(**response);
}

Task<Result<CreateResponse>> GrpcProvider::Create(CreateRequest request) {
  pulumirpc::CreateRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  Status status = ToStruct(request.inputs, OutgoingOptions(request.preview, false), wire.mutable_properties());
  if (!status.ok()) co_return status;
  wire.set_timeout(request.timeout_s);
  wire.set_preview(request.preview);
  SetStatusTarget(request.status, &wire);

  auto asking = Ask(&Interface::Create, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.status.ok()) {
    const bool in_part = FindDetail<pulumirpc::ErrorResourceInitFailed>(answer.status).has_value();
    const bool unknown = !request.preview && (in_part || IsBrokenTransport(answer.status));
    auto failing = OperationFailure(answer.status, request.preview, request.inputs);
    Status failed = co_await std::move(failing);
    const InitFailed* partial = failed.detail<InitFailed>();
    if (partial && partial->id.empty() && !request.preview) co_return NoId(request.urn);
    co_return unknown && !partial ? failed.With(MayHaveHappened()) : failed;
  }
  // From here on it has been made; what cannot be read of the answer does not undo that.
  auto response = ToResult(std::move(answer));
  if (!response.ok()) co_return response.status().With(MayHaveHappened());
  if ((*response)->id().empty() && !request.preview) co_return NoId(request.urn);
  if (Status length = CheckId(request.urn, (*response)->id()); !length.ok()) co_return length.With(MayHaveHappened());
  auto outputs = FromStruct((*response)->properties(), IncomingOptions(request.preview));
  if (!outputs.ok()) co_return outputs.status().With(MayHaveHappened());
  co_return CreateResponse{(*response)->id(), WithSecretsOf(std::move(*outputs), request.inputs),
                           (*response)->refresh_before_update() && refresh_before_update_};
}

Task<Result<ReadResponse>> GrpcProvider::Read(ReadRequest request) {
  pulumirpc::ReadRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  wire.set_id(request.id);
  const WireOptions options = OutgoingOptions(false, true);
  // Inputs that are empty are left out, and a state never is: providers tell an import by its having no inputs.
  Status status;
  if (!request.inputs.empty()) status = ToStruct(request.inputs, options, wire.mutable_inputs());
  if (status.ok()) status = ToStruct(request.outputs, options, wire.mutable_properties());
  if (status.ok()) status = AddViews(request.old_views, OutgoingOptions(false, false), wire.mutable_old_views());
  if (!status.ok()) co_return status;
  wire.set_timeout(request.timeout_s);
  SetStatusTarget(request.status, &wire);

  auto asking = Ask(&Interface::Read, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.status.ok()) {
    auto failing = OperationFailure(answer.status, false, request.outputs);
    Status failed = co_await std::move(failing);
    co_return WithContentsOf({request.inputs, request.outputs}, std::move(failed));
  }
  auto response = ToResult(std::move(answer));
  if (!response.ok()) co_return response.status();

  if (Status length = CheckId(request.urn, (*response)->id()); !length.ok()) co_return length;
  const std::vector<PropertyMap> sent = {request.inputs, request.outputs};
  ReadResponse result;
  result.id = (*response)->id();
  result.refresh_before_update = (*response)->refresh_before_update() && refresh_before_update_;
  if ((*response)->has_properties()) {
    auto outputs = FromStruct((*response)->properties(), IncomingOptions(false));
    if (!outputs.ok()) co_return outputs.status();
    result.outputs = RestoreAssetContents(sent, WithSecretsOf(std::move(*outputs), request.outputs));
  }
  if ((*response)->has_inputs()) {
    auto inputs = FromStruct((*response)->inputs(), IncomingOptions(false));
    if (!inputs.ok()) co_return inputs.status();
    result.inputs = RestoreAssetContents(sent, WithSecretsOf(std::move(*inputs), request.inputs));
  }
  co_return result;
}

Task<Result<UpdateResponse>> GrpcProvider::Update(UpdateRequest request) {
  pulumirpc::UpdateRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  wire.set_id(request.id);
  const WireOptions old_options = OutgoingOptions(false, true);
  Status status = ToStruct(request.old_inputs, old_options, wire.mutable_old_inputs());
  if (status.ok()) status = ToStruct(request.old_outputs, old_options, wire.mutable_olds());
  if (status.ok()) status = ToStruct(request.new_inputs, OutgoingOptions(request.preview, false), wire.mutable_news());
  if (status.ok()) status = AddViews(request.old_views, OutgoingOptions(false, false), wire.mutable_old_views());
  if (!status.ok()) co_return status;
  wire.set_timeout(request.timeout_s);
  wire.mutable_ignorechanges()->Add(request.ignore_changes.begin(), request.ignore_changes.end());
  wire.set_preview(request.preview);
  SetStatusTarget(request.status, &wire);

  auto asking = Ask(&Interface::Update, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.status.ok()) {
    auto failing = OperationFailure(answer.status, request.preview, request.new_inputs);
    Status failed = co_await std::move(failing);
    co_return WithContentsOf({request.old_inputs, request.old_outputs}, std::move(failed));
  }
  auto response = ToResult(std::move(answer));
  if (!response.ok()) co_return response.status();
  auto outputs = FromStruct((*response)->properties(), IncomingOptions(request.preview));
  if (!outputs.ok()) co_return outputs.status();
  const PropertyMap updated = WithSecretsOf(std::move(*outputs), request.new_inputs);
  co_return UpdateResponse{RestoreAssetContents({request.old_inputs, request.old_outputs}, updated),
                           (*response)->refresh_before_update() && refresh_before_update_};
}

Task<Status> GrpcProvider::Delete(DeleteRequest request) {
  pulumirpc::DeleteRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  wire.set_id(request.id);
  const WireOptions options = OutgoingOptions(false, true);
  Status status = ToStruct(request.inputs, options, wire.mutable_old_inputs());
  if (status.ok()) status = ToStruct(request.outputs, options, wire.mutable_properties());
  if (status.ok()) status = AddViews(request.old_views, OutgoingOptions(false, false), wire.mutable_old_views());
  if (!status.ok()) co_return status;
  wire.set_timeout(request.timeout_s);
  SetStatusTarget(request.status, &wire);

  auto asking = AskOrExplain(&Interface::Delete, std::move(wire));
  auto response = co_await std::move(asking);
  co_return response.status();
}

}  // namespace kingpost
