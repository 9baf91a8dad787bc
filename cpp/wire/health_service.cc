// SPDX-License-Identifier: Apache-2.0
#include "wire/health_service.h"

#include <mutex>

namespace kingpost {

namespace {

using grpc::health::v1::HealthCheckResponse;

// Writes the state once and stays open: it does not change until the server goes, which the watcher sees anyway.
class Watcher final : public grpc::ServerWriteReactor<HealthCheckResponse> {
 public:
  explicit Watcher(HealthCheckResponse::ServingStatus status) {
    response_.set_status(status);
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override {
    if (!ok) End();
  }
  void OnCancel() override { End(); }
  void OnDone() override { delete this; }

 private:
  void End() {
    std::call_once(ended_, [this] { this->Finish(grpc::Status::CANCELLED); });
  }

  HealthCheckResponse response_;
  std::once_flag ended_;
};

}  // namespace

grpc::ServerUnaryReactor* HealthService::Check(grpc::CallbackServerContext* context,
                                               const grpc::health::v1::HealthCheckRequest* request,
                                               HealthCheckResponse* response) {
  auto* reactor = context->DefaultReactor();
  if (Knows(request->service())) {
    response->set_status(HealthCheckResponse::SERVING);
    reactor->Finish(grpc::Status::OK);
  } else {
    reactor->Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "unknown service"));
  }
  return reactor;
}

grpc::ServerWriteReactor<HealthCheckResponse>* HealthService::Watch(
    grpc::CallbackServerContext*, const grpc::health::v1::HealthCheckRequest* request) {
  return new Watcher(Knows(request->service()) ? HealthCheckResponse::SERVING : HealthCheckResponse::SERVICE_UNKNOWN);
}

}  // namespace kingpost
