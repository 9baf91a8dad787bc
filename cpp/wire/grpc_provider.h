// SPDX-License-Identifier: Apache-2.0
// A provider plugin behind gRPC (group 8). The plugin's features from Handshake or Configure decide the contents
// of each request. Values that it cannot express are taken off on the way out and put back on the way in. Loop
// thread.
//
//   grpc_provider.cc            life: Handshake, Attach, Parameterize, schema, Cancel, Close
//   grpc_provider_config.cc     CheckConfig, DiffConfig, Configure
//   grpc_provider_crud.cc       Check, Diff, Create, Read, Update, Delete
//   grpc_provider_component.cc  Construct, Call, Invoke
#pragma once

#include "wire/wire.h"

#include <functional>
#include <memory>
#include <string>

#include "kingpost/provider.h"
#include "plugins/package_questions.h"
#include "pulumi/provider.grpc.pb.h"
#include "wire/convert.h"
#include "wire/plugin_connection.h"

namespace kingpost {

struct HandshakeTargets {
  std::string engine_address;
  std::string loader_address, mapper_address, resolver_address;  // "" if not served
  std::string directory;                                         // of the plugin; "" if we attached to a running one
};

class GrpcProvider : public Provider {
 public:
  // `monitor_port` answers HOST:PORT of the monitor, for components, and is asked when one is constructed or called.
  GrpcProvider(PluginConnectionPtr connection, std::string package, std::function<Result<std::string>()> monitor_port);

  // Makes the plugin ready for Configure. Once, before anything else.
  Task<Status> Begin(HandshakeTargets targets);
  bool is_alive() const { return connection_->is_alive(); }
  // Cancel, then the end of the process.
  Task<void> Close();

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return version_; }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override;
  // By what a person writes behind the package's name.
  Task<Result<std::pair<std::string, std::string>>> ParameterizeWith(std::vector<std::string> arguments);
  // The plugin's mapping for another ecosystem's provider; "" asks for the one that it stands for.
  Task<Result<PackageMapping>> GetMapping(std::string key, std::string provider);
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override;
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override;
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
  Task<Result<std::string>> GetSchema(SchemaRequest request) override;
  Task<void> Cancel() override;

 private:
  using Stub = pulumirpc::ResourceProvider::Stub;
  using Interface = pulumirpc::ResourceProvider::StubInterface::async_interface;

  template <class Request, class Response>
  auto Ask(AsyncMethod<Interface, Request, Response> method, Request request) {
    Interface* stub = stub_->async();
    return RawCall(connection_->loop(), stub, method, std::move(request));
  }
  // The answer, or what to tell the user: awaited for a Result<std::shared_ptr<Response>>.
  template <class Request, class Response>
  auto AskOrExplain(AsyncMethod<Interface, Request, Response> method, Request request);
  // A flight that has failed becomes what to tell the user.
  Task<Status> AwaitCallOrExplain(std::shared_ptr<PendingCall> flight);

  Task<Status> Handshake(HandshakeTargets targets);
  Task<Result<std::pair<std::string, std::string>>> SendParameter(pulumirpc::ParameterizeRequest request);
  Task<Status> Explain(grpc::Status status) { return connection_->Explain(std::move(status)); }

  // The forms that CRUD requests may have: by the plugin's features.
  WireOptions OutgoingOptions(bool keep_unknowns, bool elide_assets) const;
  // The forms of the plugin's CRUD answers.
  static WireOptions IncomingOptions(bool allow_unknowns);
  PropertyMap WithSecretsOf(PropertyMap answer, const PropertyMap& inputs) const;

  // A failed Create, Read or Update: a partial failure becomes a Status with an InitFailed.
  Task<Status> OperationFailure(grpc::Status status, bool allow_unknowns, PropertyMap inputs);

  PluginConnectionPtr connection_;
  std::unique_ptr<Stub> stub_;
  std::string package_;
  std::function<Result<std::string>()> monitor_port_;
  std::string version_;
  bool shook_hands_ = false;
  bool refresh_before_update_ = true;  // false under PULUMI_DISABLE_REFRESH_BEFORE_UPDATE
  ProviderFeatures features_;
};

template <class Request, class Response>
auto GrpcProvider::AskOrExplain(AsyncMethod<Interface, Request, Response> method, Request request) {
  Interface* stub = stub_->async();
  auto flight = MakePendingCall(stub, method, std::move(request));
  return Then(AwaitCallOrExplain(flight), [flight](Status flown) -> Result<std::shared_ptr<Response>> {
    if (flown.ok()) flown = wire::Check(flight->response);
    if (!flown.ok()) return flown;
    return std::shared_ptr<Response>(flight, &flight->response);
  });
}

}  // namespace kingpost
