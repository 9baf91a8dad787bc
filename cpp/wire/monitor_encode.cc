// SPDX-License-Identifier: Apache-2.0
#include "wire/monitor_encode.h"

#include "wire/convert.h"

namespace kingpost {

namespace {

WireOptions ForCaller(const ReplyShape& shape) {
  WireOptions options;
  options.keep_unknowns = true;
  options.keep_secrets = shape.accept_secrets;
  options.keep_resources = shape.accept_resources;
  options.keep_outputs = true;  // a caller that takes none gets none
  options.keep_byte_strings = shape.accepts_byte_string;
  return options;
}

template <class Map>
void EncodeDependencies(const PropertyDependencies& dependencies, Map* wire) {
  for (const auto& [key, urns] : dependencies) {
    auto& list = (*wire)[key];
    for (const Urn& urn : urns) list.add_urns(urn.str());
  }
}

// A registration that was left out is a success of which nothing is known: the program goes on with unknowns.
pulumirpc::Result ResultOf(RegisterOutcome outcome) {
  const bool failed = outcome == RegisterOutcome::kFail || outcome == RegisterOutcome::kAwait;
  return failed ? pulumirpc::FAIL : pulumirpc::SUCCESS;
}

template <class Repeated>
void EncodeFailures(const std::vector<CheckFailure>& failures, Repeated* wire) {
  for (const CheckFailure& failure : failures) {
    auto* entry = wire->Add();
    entry->set_property(failure.property);
    entry->set_reason(failure.reason);
  }
}

}  // namespace

ReplyShape ShapeFor(const pulumirpc::RegisterResourceRequest& wire) {
  ReplyShape shape;
  shape.accept_secrets = wire.acceptsecrets();
  shape.accept_resources = wire.acceptresources();
  shape.accepts_byte_string = wire.accepts_byte_string();
  shape.supports_partial_values = wire.supportspartialvalues();
  shape.supports_result_reporting = wire.supportsresultreporting();
  shape.local_component = !wire.custom() && !wire.remote();
  return shape;
}

ReplyShape ShapeFor(const pulumirpc::ReadResourceRequest& wire) {
  ReplyShape shape;
  shape.accept_secrets = wire.acceptsecrets();
  shape.accept_resources = wire.acceptresources();
  shape.accepts_byte_string = wire.accepts_byte_string();
  return shape;
}

ReplyShape ShapeFor(const pulumirpc::ResourceInvokeRequest& wire) {
  ReplyShape shape;
  shape.accept_secrets = true;
  shape.accept_resources = wire.acceptresources() || wire.tok() == "pulumi:pulumi:getResource";
  shape.accepts_byte_string = wire.accepts_byte_string();
  return shape;
}

ReplyShape ShapeFor(const pulumirpc::ResourceCallRequest& wire) {
  ReplyShape shape;
  shape.accept_secrets = shape.accept_resources = true;
  shape.accepts_byte_string = wire.accepts_byte_string();
  return shape;
}

Status EncodeRegisterResource(const RegisterResourceResponse& response, const ReplyShape& shape,
                              pulumirpc::RegisterResourceResponse* wire) {
  if (response.outcome != RegisterOutcome::kSuccess && !shape.supports_result_reporting) {
    return Status(Code::kInternal, "resource registration failed");
  }
  wire->set_urn(response.urn.str());
  wire->set_id(response.id);
  wire->set_stable(response.stable);
  for (const std::string& key : response.stables) wire->add_stables(key);
  EncodeDependencies(response.property_dependencies, wire->mutable_propertydependencies());
  wire->set_result(ResultOf(response.outcome));
  wire->set_unknown(response.unknown || response.outcome == RegisterOutcome::kSkip);

  // A local component's outputs come later, by RegisterResourceOutputs; those recorded in an earlier run may refer to
  // resources that this run has not registered yet.
  wire->mutable_object();
  if (shape.local_component) return Status::Ok();
  const PropertyMap outputs = shape.supports_partial_values ? response.outputs : DropPartialValues(response.outputs);
  return ToStruct(outputs, ForCaller(shape), wire->mutable_object());
}

Status EncodeReadResource(const ReadResourceResponse& response, const ReplyShape& shape,
                          pulumirpc::ReadResourceResponse* wire) {
  wire->set_urn(response.urn.str());
  wire->set_id(response.id);
  wire->set_result(ResultOf(response.outcome));
  wire->set_unknown(response.unknown);
  return ToStruct(response.outputs, ForCaller(shape), wire->mutable_properties())
      .Wrap("failed to marshal " + response.urn.str() + " return state");
}

void EncodeExistsResource(const ExistsResourceResponse& response, pulumirpc::ExistsResourceResponse* wire) {
  wire->set_exists(response.exists);
  wire->set_unknown(response.unknown);
}

Status EncodeInvoke(const ResourceInvokeResponse& response, const std::string& token, const ReplyShape& shape,
                    pulumirpc::ResourceInvokeResponse* wire) {
  EncodeFailures(response.failures, wire->mutable_failures());
  wire->set_unknown(response.unknown);
  return ToStruct(response.result, ForCaller(shape), wire->mutable_return_())
      .Wrap("failed to marshal " + token + " return");
}

Status EncodeCall(const CallResponse& response, const std::string& token, const ReplyShape& shape,
                  pulumirpc::CallResponse* wire) {
  EncodeFailures(response.failures, wire->mutable_failures());
  EncodeDependencies(response.result_dependencies, wire->mutable_returndependencies());
  return ToStruct(response.result, ForCaller(shape), wire->mutable_return_())
      .Wrap("failed to marshal " + token + " return");
}

void EncodeDeploymentInfo(const DeploymentInfo& info, pulumirpc::DeploymentInfo* wire) {
  wire->set_project(info.project);
  wire->set_stack(info.stack);
  wire->set_organization(info.organization);
  wire->mutable_config()->insert(info.config.begin(), info.config.end());
  for (const std::string& key : info.config_secret_keys) wire->add_configsecretkeys(key);
  wire->set_dryrun(info.dry_run);
  wire->set_parallel(info.parallel);
  for (int feature : info.features) {
    wire->add_supportedfeatures(static_cast<pulumirpc::ResourceMonitorFeature>(feature));
  }
}

}  // namespace kingpost
