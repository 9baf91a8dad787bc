// SPDX-License-Identifier: Apache-2.0
// A registered resource as expressions see it: an object of its outputs, with what identifies it. Any thread.
#pragma once

#include <string>

#include "languages/pcl/datum.h"
#include "languages/schema/package.h"

namespace kingpost::pcl {

struct ResourceResult {
  Urn urn;
  std::string id;  // "" or kUnknownString where it is not known yet
  PropertyMap outputs;
  bool custom = true;
  bool unknown = false;  // nothing is known of it: it was left out of this run
};

// The outputs with what identifies the resource.
Datum ResourceObject(PropertyMap outputs, const Urn& urn, Value id);
// In a preview, outputs that the schema promises and that are not there yet are unknown.
Datum ResourceDatum(const ResourceResult& resource, const schema::Properties& promised, bool preview);

// The value that an option gets from the resource it names.
struct ResourceHandle {
  std::string urn;
  Value id;

  // As references to providers have it.
  std::string reference() const { return urn + "::" + (id.is_string() ? id.as_string() : std::string(kUnknownString)); }
};
// Errors say what the value is instead.
Result<ResourceHandle> ResourceIn(const Value& value);

}  // namespace kingpost::pcl
