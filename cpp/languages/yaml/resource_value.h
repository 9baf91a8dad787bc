// SPDX-License-Identifier: Apache-2.0
// A registered resource as expressions see it: an object of its outputs, with what identifies it. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/pcl/evaluator.h"

namespace kingpost::yaml {

struct ResourceResult {
  Urn urn;
  std::string id;  // "" or kUnknownString where it is not known yet
  PropertyMap outputs;
  bool custom = true;
  bool unknown = false;  // nothing is known of it: it was left out of this run
};

// In a preview, outputs that the schema promises and that are not there yet are unknown.
pcl::Datum ResourceDatum(const ResourceResult& resource, const schema::Properties& promised, bool preview);

// The value that an option gets from the resource it names.
struct ResourceHandle {
  std::string urn, id;  // the ID as references to providers have it

  std::string reference() const { return urn + "::" + id; }
};
// Errors say what the value is instead.
Result<ResourceHandle> AsResource(const Value& value);

// As values are sent: a key without a value is left out, {a: null} is {}; in a list null keeps its place. What is null
// in an output of a resource, and might have a value at another time, is left out only where outputs are sent as what
// they hold.
Value WithoutNulls(const Value& value, bool outputs_too = false);

}  // namespace kingpost::yaml
