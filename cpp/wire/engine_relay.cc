// SPDX-License-Identifier: Apache-2.0
#include "wire/engine_relay.h"

#include <utility>

namespace kingpost {

namespace {

constexpr size_t kKeptMax = 1000;  // a plugin that says more before it is asked anything says too much

}  // namespace

void EngineRelay::set(EngineService* service) {
  service_ = service;
  if (!service) return;
  before_first_ = false;
  for (Message& one : std::exchange(kept_, {})) {
    service->Log(one.severity, std::move(one.message), std::move(one.urn), one.stream_id, one.ephemeral);
  }
}

void EngineRelay::Log(Severity severity, std::string message, std::string urn, int stream_id, bool ephemeral) {
  if (service_) return service_->Log(severity, std::move(message), std::move(urn), stream_id, ephemeral);
  if (before_first_ && kept_.size() < kKeptMax) {
    kept_.push_back({severity, std::move(message), std::move(urn), stream_id, ephemeral});
  }
}

std::string EngineRelay::root_resource() { return service_ ? service_->root_resource() : ""; }

void EngineRelay::set_root_resource(std::string urn) {
  if (service_) service_->set_root_resource(std::move(urn));
}

void EngineRelay::StartDebugging(std::map<std::string, std::string> config, std::string message) {
  if (service_) service_->StartDebugging(std::move(config), std::move(message));
}

Status EngineRelay::RequireVersion(const std::string& range) {
  return service_ ? service_->RequireVersion(range) : Status::Ok();
}

Status EngineRelay::PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) {
  if (service_) return service_->PublishViewSteps(token, steps);
  return Status(Code::kFailedPrecondition, "nothing runs that these steps could belong to");
}

void EngineRelay::Progress(const ProgressEvent& event) {
  if (service_) service_->Progress(event);
}

}  // namespace kingpost
