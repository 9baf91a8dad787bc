// SPDX-License-Identifier: Apache-2.0
// A provider instance as the engine uses it: a plugin, plus the engine's own answers while its configuration is
// unknown, or where it cannot preview (rows 5.4 and 8.12). Engine thread.
#pragma once

#include <functional>
#include <memory>

#include "base/loop.h"
#include "kingpost/engine.h"
#include "kingpost/provider.h"

namespace kingpost::providers {

// Detail of a Diff's failure: what would change cannot be told; changes are assumed, with a warning.
struct DiffUnavailable {};

struct ProviderMode {
  bool disable_preview = false;
  // Registers a component in the provider's place, when Construct cannot be asked.
  std::function<Task<Result<Urn>>(std::string type, std::string name, Urn parent)> register_component;
};

// Checks and diffs in flight, of all providers. Planning asks for a thousand at once, which costs a provider memory,
// and its service more than it may serve; --parallel raises it.
inline constexpr int kPlanningCallsMax = 256;

class ConfiguredProvider : public Provider {
 public:
  // `planning` bounds the calls that plan; all providers share it.
  ConfiguredProvider(ProviderPtr plugin, const ProviderMode& mode, std::shared_ptr<Semaphore> planning)
      : plugin_(std::move(plugin)), mode_(mode), planning_(std::move(planning)) {}

  const ProviderFeatures& features() const override { return plugin_->features(); }
  std::string version() const override { return plugin_->version(); }
  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    return plugin_->Parameterize(std::move(value));
  }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    return plugin_->CheckConfig(std::move(request));
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    return plugin_->DiffConfig(std::move(request));
  }
  Task<Result<std::string>> GetSchema(SchemaRequest request) override { return plugin_->GetSchema(std::move(request)); }
  Task<void> Cancel() override { return plugin_->Cancel(); }

  Task<Status> Configure(ConfigureRequest request) override;
  Task<Result<CheckResponse>> Check(CheckRequest request) override;
  Task<Result<DiffResponse>> Diff(DiffRequest request) override;
  Task<Result<CreateResponse>> Create(CreateRequest request) override;
  Task<Result<ReadResponse>> Read(ReadRequest request) override;
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override;
  Task<Status> Delete(DeleteRequest request) override;
  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override;
  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override;
  Task<Result<CallResponse>> Call(CallRequest request) override;

 private:
  std::optional<PropertyMap> OutputsWithoutCall(bool preview, const PropertyMap& inputs) const;

  ProviderPtr plugin_;
  const ProviderMode& mode_;
  const std::shared_ptr<Semaphore> planning_;
  bool known_ = true;  // the configuration holds no unknowns
};

}  // namespace kingpost::providers
