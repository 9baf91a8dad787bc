// SPDX-License-Identifier: Apache-2.0
#include "wire/wire_errors.h"

#include "kingpost/refused_inputs.h"
#include "pulumi/errors.pb.h"

namespace kingpost {

Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return Status::Ok();
  std::string message = status.error_message();
  if (auto cause = FindDetail<pulumirpc::ErrorCause>(status); cause && !cause->message().empty()) {
    message += ": " + cause->message();
  }
  Status failure(static_cast<Code>(status.error_code()), std::move(message));
  if (const auto refused = FindDetail<pulumirpc::InputPropertiesError>(status)) {
    RefusedInputs inputs;
    for (const auto& error : refused->errors()) inputs.errors.push_back({error.property_path(), error.reason()});
    failure.With(std::move(inputs));
  }
  return failure;
}

bool IsBrokenTransport(const grpc::Status& status) {
  const std::string& text = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return !text.starts_with("failed to connect to all addresses");  // it was never sent
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return true;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return text.find("message larger than max") != text.npos;
    case grpc::StatusCode::INTERNAL:
      return text.find("RST_STREAM") != text.npos;
    case grpc::StatusCode::UNKNOWN:
      return text.find("Stream removed") != text.npos;
    default:
      return false;
  }
}

grpc::Status ToGrpcStatus(const Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const auto code = status.bail() ? grpc::StatusCode::UNKNOWN : static_cast<grpc::StatusCode>(status.code());
  return grpc::Status(code, status.message());
}

std::string JoinErrors(const std::vector<std::string>& errors) {
  std::string text = std::to_string(errors.size()) + (errors.size() == 1 ? " error" : " errors") + " occurred:\n";
  for (const std::string& error : errors) text += "\t* " + error + "\n";
  return text + "\n";
}

}  // namespace kingpost
