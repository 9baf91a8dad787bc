// SPDX-License-Identifier: Apache-2.0
// Replies of the resource monitor, shaped by what the caller said it understands (rows 1.14 and 1.19). Any thread.
#pragma once

#include "wire/wire.h"

#include "kingpost/monitor.h"
#include "pulumi/resource.pb.h"

namespace kingpost {

// The fields of a request that decide the form of its reply. Kept while the call runs, instead of the request.
struct ReplyShape {
  bool accept_secrets = false, accept_resources = false, accepts_byte_string = false;
  bool supports_partial_values = true;
  bool supports_result_reporting = true;
  bool local_component = false;
};

ReplyShape ShapeFor(const pulumirpc::RegisterResourceRequest& wire);
ReplyShape ShapeFor(const pulumirpc::ReadResourceRequest& wire);
ReplyShape ShapeFor(const pulumirpc::ResourceInvokeRequest& wire);
ReplyShape ShapeFor(const pulumirpc::ResourceCallRequest& wire);

Status EncodeRegisterResource(const RegisterResourceResponse& response, const ReplyShape& shape,
                              pulumirpc::RegisterResourceResponse* wire);
Status EncodeReadResource(const ReadResourceResponse& response, const ReplyShape& shape,
                          pulumirpc::ReadResourceResponse* wire);
void EncodeExistsResource(const ExistsResourceResponse& response, pulumirpc::ExistsResourceResponse* wire);
Status EncodeInvoke(const ResourceInvokeResponse& response, const std::string& token, const ReplyShape& shape,
                    pulumirpc::ResourceInvokeResponse* wire);
Status EncodeCall(const CallResponse& response, const std::string& token, const ReplyShape& shape,
                  pulumirpc::CallResponse* wire);
void EncodeDeploymentInfo(const DeploymentInfo& info, pulumirpc::DeploymentInfo* wire);

}  // namespace kingpost
