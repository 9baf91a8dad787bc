// SPDX-License-Identifier: Apache-2.0
// A registered resource as expressions see it: an object of its outputs, with what identifies it. Any thread.
#pragma once

#include <string>
#include <vector>

#include "pcl/evaluator.h"

namespace kingpost::yaml {

struct RegisteredResource {
  Urn urn;
  std::string id;  // "" or kUnknownString where it is not known yet
  PropertyMap outputs;
  bool custom = true;
  bool unknown = false;  // nothing is known of it: it was left out of this run
};

// In a preview, outputs that the schema promises and that are not there yet are unknown.
pcl::Datum ResourceDatum(const RegisteredResource& resource, const std::vector<pcl::PropertySchema>& promised,
                         bool preview);

// What an option that names a resource gets from it.
struct ResourceHandle {
  std::string urn, id;  // the ID as references to providers have it

  std::string reference() const { return urn + "::" + id; }
};
// Errors say what the value is instead.
Result<ResourceHandle> AsResource(const Value& value);

}  // namespace kingpost::yaml
