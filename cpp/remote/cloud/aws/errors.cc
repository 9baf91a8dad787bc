// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/errors.h"

#include <set>

#include "remote/cloud/flat_json.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

AwsError FromXml(const XmlElement& root) {
  const XmlElement* error = root.name == "Error" ? &root : root.Child("Error");
  if (!error) return {};
  return {error->TextOf("Code"), error->TextOf("Message")};
}

// "com.amazon.coral#ExpiredTokenException:http://..." is ExpiredTokenException.
std::string ShortName(std::string type) {
  type = type.substr(0, type.find(':'));
  return type.substr(type.rfind('#') + 1);
}

AwsError FromJson(const FlatJson& fields) {
  AwsError error{ShortName(fields.Text("__type")), fields.Text("message")};
  if (error.code.empty()) error.code = fields.Text("code");
  if (error.message.empty()) error.message = fields.Text("Message");
  return error;
}

}  // namespace

std::string AwsError::Text(int http_status) const {
  if (code.empty() && message.empty()) return "HTTP " + std::to_string(http_status);
  return code + (code.empty() || message.empty() ? "" : ": ") + message;
}

AwsError ReadAwsError(const HttpResponse& response) {
  AwsError error;
  if (const auto xml = ParseXml(response.body)) {
    error = FromXml(*xml);
  } else if (const auto json = FlatJson::Parse(response.body)) {
    error = FromJson(*json);
  }
  if (error.code.empty()) error.code = ShortName(response.header("x-amzn-errortype"));
  return error;
}

bool IsThrottling(const AwsError& error) {
  static const std::set<std::string> kCodes = {"SlowDown",
                                               "RequestTimeout",
                                               "RequestTimeoutException",
                                               "Throttling",
                                               "ThrottlingException",
                                               "ThrottledException",
                                               "RequestThrottled",
                                               "RequestThrottledException",
                                               "TooManyRequestsException",
                                               "RequestLimitExceeded",
                                               "BandwidthLimitExceeded",
                                               "LimitExceededException",
                                               "PriorRequestNotComplete",
                                               "ProvisionedThroughputExceededException",
                                               "TransactionInProgressException",
                                               "EC2ThrottledException",
                                               "ConditionalRequestConflict",
                                               "OperationAborted",
                                               "InternalError",
                                               "ServiceUnavailable",
                                               "KMSInternalException",
                                               "DependencyTimeoutException",
                                               "IDPCommunicationError"};
  return kCodes.contains(error.code);
}

bool IsExpiredCredential(const AwsError& error) {
  static const std::set<std::string> kCodes = {"ExpiredToken", "ExpiredTokenException", "RequestExpired",
                                               "TokenRefreshRequired"};
  return kCodes.contains(error.code);
}

bool IsSkewedClock(const AwsError& error) {
  return error.code == "RequestTimeTooSkewed" || error.code == "RequestInTheFuture" ||
         (error.code == "InvalidSignatureException" && error.message.find("Signature expired") != std::string::npos) ||
         (error.code == "InvalidSignatureException" && error.message.find("not yet current") != std::string::npos);
}

}  // namespace kingpost
