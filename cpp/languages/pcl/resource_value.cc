// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/resource_value.h"

namespace kingpost::pcl {

Datum ResourceObject(PropertyMap outputs, const Urn& urn, Value id) {
  outputs.Set("urn", Value(urn.str()));
  outputs.Set("id", std::move(id));
  outputs.Set("__name", Value(urn.name()));
  outputs.Set("__type", Value(urn.type()));
  return {Value(std::move(outputs)), {false, {urn}}};
}

Datum ResourceDatum(const ResourceResult& resource, const schema::Properties& promised, bool preview) {
  PropertyMap object = resource.outputs;
  for (const schema::Property& output : promised) {
    if ((preview || resource.unknown) && !object.Has(output.name)) object.Set(output.name, Value(Computed()));
  }
  const bool known = !resource.unknown && resource.id != kUnknownString && !(preview && resource.id.empty());
  Value id = !resource.custom ? Value("") : known ? Value(resource.id) : Value(Computed());
  return ResourceObject(std::move(object), resource.urn, std::move(id));
}

Result<ResourceHandle> ResourceIn(const Value& wrapped) {
  const Value value = Open(wrapped).value;
  if (value.is_reference()) {
    const ResourceReference& reference = value.as_reference();
    return ResourceHandle{reference.urn.str(), reference.id ? *reference.id : Value("")};
  }
  const bool resource = value.is_object() && value.as_object().Has("urn") && value.as_object().Has("id");
  if (!resource) {
    return Status(Code::kInvalidArgument, std::string("expected a resource, and got ") + KindName(value));
  }
  const Value urn = Open(*value.as_object().Find("urn")).value;
  if (!urn.is_string()) return Status(Code::kInvalidArgument, "expected a resource whose URN is known");
  return ResourceHandle{urn.as_string(), Open(*value.as_object().Find("id")).value};
}

}  // namespace kingpost::pcl
