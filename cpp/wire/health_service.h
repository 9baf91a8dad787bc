// SPDX-License-Identifier: Apache-2.0
// grpc.health.v1.Health: by it, language hosts and plugins find out every few minutes whether the engine that started
// them is still there. Keeps no state but the names; gRPC threads.
#pragma once

#include "wire/wire.h"

#include <set>
#include <string>

#include "grpc/health/v1/health.grpc.pb.h"

namespace kingpost {

class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  // The full names of the services that the server has.
  explicit HealthService(std::set<std::string> services) : services_(std::move(services)) {}

  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const grpc::health::v1::HealthCheckRequest* request,
                                  grpc::health::v1::HealthCheckResponse* response) override;
  grpc::ServerWriteReactor<grpc::health::v1::HealthCheckResponse>* Watch(
      grpc::CallbackServerContext* context, const grpc::health::v1::HealthCheckRequest* request) override;

 private:
  bool Knows(const std::string& service) const { return service.empty() || services_.count(service) > 0; }

  const std::set<std::string> services_;
};

}  // namespace kingpost
