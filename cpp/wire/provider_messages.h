// SPDX-License-Identifier: Apache-2.0
// Parts that several provider requests and answers share. Any thread.
#pragma once

#include "wire/wire.h"

#include <google/protobuf/struct.pb.h>

#include <string>
#include <vector>

#include "kingpost/provider_values.h"
#include "pulumi/provider.pb.h"
#include "wire/convert.h"

namespace kingpost {

// The fields urn, name and type; the latter two come from the URN unless given.
template <class Request>
void SetIdentity(const Urn& urn, const std::string& name, const std::string& type, Request* out) {
  out->set_urn(urn.str());
  out->set_name(name.empty() ? std::string(urn.name()) : name);
  out->set_type(type.empty() ? std::string(urn.type()) : type);
}

template <class Request>
void SetStatusTarget(const StatusTarget& target, Request* out) {
  out->set_resource_status_address(target.address);
  out->set_resource_status_token(target.token);
}

template <class Failures>
std::vector<CheckFailure> ReadFailures(const Failures& wire) {
  std::vector<CheckFailure> failures;
  for (const auto& failure : wire) failures.push_back({failure.property(), failure.reason()});
  return failures;
}

DiffResponse ReadDiff(const pulumirpc::DiffResponse& wire);
Status AddViews(const std::vector<StatePtr>& views, const WireOptions& options,
                google::protobuf::RepeatedPtrField<pulumirpc::View>* out);

// Dependencies by property: any message with a map of messages with `urns`.
template <class Map>
void SetDependencies(const PropertyDependencies& dependencies, Map* out) {
  for (const auto& [property, urns] : dependencies) {
    auto& list = (*out)[property];
    for (const Urn& urn : urns) list.add_urns(urn.str());
  }
}
template <class Map>
PropertyDependencies ReadDependencies(const Map& wire) {
  PropertyDependencies dependencies;
  for (const auto& [property, list] : wire) {
    auto& urns = dependencies[property];
    for (const std::string& urn : list.urns()) urns.push_back(Urn(urn));
  }
  return dependencies;
}

// JSON text of a wire value, with sorted keys.
std::string ToJson(const google::protobuf::Value& value);

}  // namespace kingpost
