// SPDX-License-Identifier: Apache-2.0
#include "load/provider.h"

#include <grpcpp/alarm.h>

#include "load/inputs.h"

namespace kingpost::bench {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

constexpr char kUnknownText[] = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";  // as the protocol spells it

Provider::Reactor* Done(Provider::Context* context) {
  auto* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

std::string NameOf(const std::string& urn) { return urn.substr(urn.rfind(':') + 1); }

// The inputs, and one value that only the provider knows. An update leaves it as it is, so that what was changed is
// all that changes.
std::string OutputsOf(const std::string& inputs, const std::string& id, bool known) {
  Struct outputs = ObjectOf(inputs);
  (*outputs.mutable_fields())["stamp"].set_string_value(known ? "stamp of " + id : kUnknownText);
  return BytesOf(outputs);
}

// Holds a call back. Deletes itself when the alarm has rung.
struct Delayed {
  grpc::Alarm alarm;
};

}  // namespace

Provider::Reactor* Provider::Answer(Context* context, Asked asked) {
  CallCount& count = counts_[static_cast<size_t>(asked)];
  ++count.calls;
  auto* reactor = context->DefaultReactor();
  if (latency_.count() == 0) {
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  const int in_flight = ++count.in_flight;
  int peak = count.in_flight_max;
  while (in_flight > peak && !count.in_flight_max.compare_exchange_weak(peak, in_flight)) {
  }
  auto* delayed = new Delayed;
  delayed->alarm.Set(std::chrono::system_clock::now() + latency_, [&count, reactor, delayed](bool) {
    --count.in_flight;
    reactor->Finish(grpc::Status::OK);
    delete delayed;
  });
  return reactor;
}

Provider::Reactor* Provider::Handshake(Context* context, const pulumirpc::ProviderHandshakeRequest*,
                                       pulumirpc::ProviderHandshakeResponse* response) {
  response->set_accept_secrets(true);
  response->set_accept_resources(true);
  return Done(context);
}

Provider::Reactor* Provider::Attach(Context* context, const pulumirpc::PluginAttach*, google::protobuf::Empty*) {
  return Done(context);
}

Provider::Reactor* Provider::GetPluginInfo(Context* context, const google::protobuf::Empty*,
                                           pulumirpc::PluginInfo* response) {
  response->set_version("1.0.0");
  return Done(context);
}

Provider::Reactor* Provider::GetSchema(Context* context, const pulumirpc::GetSchemaRequest*,
                                       pulumirpc::GetSchemaResponse* response) {
  response->set_schema(R"({"name": "load", "version": "1.0.0"})");
  return Done(context);
}

Provider::Reactor* Provider::CheckConfig(Context* context, const pulumirpc::CheckRequest* request,
                                         pulumirpc::CheckResponse* response) {
  response->set_inputs(request->news());
  return Done(context);
}

Provider::Reactor* Provider::DiffConfig(Context* context, const pulumirpc::DiffRequest*,
                                        pulumirpc::DiffResponse* response) {
  response->set_changes(pulumirpc::DiffResponse::DIFF_NONE);
  return Done(context);
}

Provider::Reactor* Provider::Configure(Context* context, const pulumirpc::ConfigureRequest*,
                                       pulumirpc::ConfigureResponse* response) {
  response->set_acceptsecrets(true);
  response->set_supportspreview(true);
  response->set_acceptresources(true);
  return Done(context);
}

Provider::Reactor* Provider::Cancel(Context* context, const google::protobuf::Empty*, google::protobuf::Empty*) {
  return Done(context);
}

Provider::Reactor* Provider::Check(Context* context, const pulumirpc::CheckRequest* request,
                                   pulumirpc::CheckResponse* response) {
  response->set_inputs(request->news());
  return Answer(context, Asked::kCheck);
}

Provider::Reactor* Provider::Diff(Context* context, const pulumirpc::DiffRequest* request,
                                  pulumirpc::DiffResponse* response) {
  const Struct old_inputs = ObjectOf(request->old_inputs()), new_inputs = ObjectOf(request->news());
  for (const auto& [key, value] : new_inputs.fields()) {
    const auto old_value = old_inputs.fields().find(key);
    const bool is_new = old_value == old_inputs.fields().end();
    if (!is_new && Same(old_value->second, value)) continue;
    response->add_diffs(key);
    pulumirpc::PropertyDiff& diff = (*response->mutable_detaileddiff())[key];
    diff.set_kind(is_new ? pulumirpc::PropertyDiff::ADD : pulumirpc::PropertyDiff::UPDATE);
    diff.set_inputdiff(true);
  }
  response->set_hasdetaileddiff(true);
  response->set_changes(response->diffs_size() == 0 ? pulumirpc::DiffResponse::DIFF_NONE
                                                    : pulumirpc::DiffResponse::DIFF_SOME);
  return Answer(context, Asked::kDiff);
}

Provider::Reactor* Provider::Create(Context* context, const pulumirpc::CreateRequest* request,
                                    pulumirpc::CreateResponse* response) {
  const std::string id = NameOf(request->urn());
  if (!request->preview()) response->set_id(id);
  response->set_properties(OutputsOf(request->properties(), id, !request->preview()));
  return Answer(context, Asked::kCreate);
}

Provider::Reactor* Provider::Read(Context* context, const pulumirpc::ReadRequest* request,
                                  pulumirpc::ReadResponse* response) {
  response->set_id(request->id());
  response->set_inputs(request->inputs());
  response->set_properties(request->properties());
  return Answer(context, Asked::kRead);
}

Provider::Reactor* Provider::Update(Context* context, const pulumirpc::UpdateRequest* request,
                                    pulumirpc::UpdateResponse* response) {
  response->set_properties(OutputsOf(request->news(), request->id(), true));
  return Answer(context, Asked::kUpdate);
}

Provider::Reactor* Provider::Delete(Context* context, const pulumirpc::DeleteRequest*, google::protobuf::Empty*) {
  return Answer(context, Asked::kDelete);
}

}  // namespace kingpost::bench
