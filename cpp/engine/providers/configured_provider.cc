// SPDX-License-Identifier: Apache-2.0
#include "engine/providers/configured_provider.h"

#include "decisions/preview.h"

namespace kingpost::providers {

namespace {

constexpr char kUnknownConfig[] =
    "The provider for this resource has inputs that are not known during preview.\n"
    "This preview may not correctly represent the changes that will be applied during an update.";

}  // namespace

std::optional<PropertyMap> ConfiguredProvider::OutputsWithoutCall(bool preview, const PropertyMap& inputs) const {
  const bool can_preview = !mode_.disable_preview && plugin_->features().supports_preview;
  return decisions::OutputsWithoutCall({preview, known_, can_preview}, inputs);
}

Task<Status> ConfiguredProvider::Configure(ConfigureRequest request) {
  known_ = !ContainsUnknowns(request.inputs);
  if (!known_) co_return Status();
  co_return co_await plugin_->Configure(std::move(request));
}

Task<Result<CheckResponse>> ConfiguredProvider::Check(CheckRequest request) {
  if (!known_) {
    CheckResponse unchanged;
    unchanged.inputs = request.new_inputs;
    co_return unchanged;
  }
  if (!plugin_->features().supports_autonaming) request.autonaming.reset();
  const Semaphore::Permit permit = co_await planning_->Acquire();
  co_return co_await plugin_->Check(std::move(request));
}

Task<Result<DiffResponse>> ConfiguredProvider::Diff(DiffRequest request) {
  if (!known_) co_return Status(Code::kUnavailable, kUnknownConfig).With(DiffUnavailable{});
  const Semaphore::Permit permit = co_await planning_->Acquire();
  co_return co_await plugin_->Diff(std::move(request));
}

Task<Result<CreateResponse>> ConfiguredProvider::Create(CreateRequest request) {
  KP_ASSERT(known_ || request.preview, "a provider with unknown configuration creates nothing");
  if (auto outputs = OutputsWithoutCall(request.preview, request.inputs)) {
    CreateResponse planned;
    planned.outputs = std::move(*outputs);
    co_return planned;
  }
  co_return co_await plugin_->Create(std::move(request));
}

Task<Result<ReadResponse>> ConfiguredProvider::Read(ReadRequest request) {
  if (!known_) {
    ReadResponse nothing;  // yet: an import goes on from here
    nothing.inputs = nothing.outputs = PropertyMap();
    co_return nothing;
  }
  co_return co_await plugin_->Read(std::move(request));
}

Task<Result<UpdateResponse>> ConfiguredProvider::Update(UpdateRequest request) {
  KP_ASSERT(known_ || request.preview, "a provider with unknown configuration updates nothing");
  if (auto outputs = OutputsWithoutCall(request.preview, request.new_inputs)) {
    UpdateResponse planned;
    planned.outputs = std::move(*outputs);
    co_return planned;
  }
  co_return co_await plugin_->Update(std::move(request));
}

Task<Status> ConfiguredProvider::Delete(DeleteRequest request) {
  KP_ASSERT(known_, "a provider with unknown configuration deletes nothing");
  co_return co_await plugin_->Delete(std::move(request));
}

Task<Result<ConstructResponse>> ConfiguredProvider::Construct(ConstructRequest request) {
  if (!known_) {
    Result<Urn> urn = co_await mode_.register_component(request.type, request.name, request.parent);
    if (!urn.ok()) co_return urn.status();
    ConstructResponse response;
    response.urn = *urn;
    co_return response;
  }
  co_return co_await plugin_->Construct(std::move(request));
}

Task<Result<InvokeResponse>> ConfiguredProvider::Invoke(InvokeRequest request) {
  if (!known_) co_return InvokeResponse();
  co_return co_await plugin_->Invoke(std::move(request));
}

Task<Result<CallResponse>> ConfiguredProvider::Call(CallRequest request) {
  if (!known_) co_return CallResponse();
  co_return co_await plugin_->Call(std::move(request));
}

}  // namespace kingpost::providers
