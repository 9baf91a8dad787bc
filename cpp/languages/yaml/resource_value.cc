// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/resource_value.h"

namespace kingpost::yaml {

pcl::Datum ResourceDatum(const ResourceResult& resource, const std::vector<pcl::PropertySchema>& promised,
                         bool preview) {
  PropertyMap object = resource.outputs;
  for (const pcl::PropertySchema& output : promised) {
    if ((preview || resource.unknown) && !object.Has(output.name)) object.Set(output.name, Value(Computed()));
  }
  const bool known = !resource.unknown && resource.id != kUnknownString && !(preview && resource.id.empty());
  object.Set("urn", Value(resource.urn.str()));
  object.Set("id", !resource.custom ? Value("") : known ? Value(resource.id) : Value(Computed()));
  object.Set("__name", Value(resource.urn.name()));
  object.Set("__type", Value(resource.urn.type()));
  return {Value(std::move(object)), {false, {resource.urn}}};
}

Result<ResourceHandle> AsResource(const Value& wrapped) {
  const Value value = pcl::Open(wrapped).value;
  ResourceHandle handle;
  Value id;
  if (value.is_reference()) {
    handle.urn = value.as_reference().urn.str();
    id = value.as_reference().id ? *value.as_reference().id : Value("");
  } else if (value.is_object() && value.as_object().Has("__type")) {
    handle.urn = value.as_object().Find("urn")->as_string();
    id = *value.as_object().Find("id");
  } else {
    return Status(Code::kInvalidArgument, std::string("expected resource, got ") + pcl::KindName(value));
  }
  handle.id = id.is_string() ? id.as_string() : std::string(kUnknownString);
  return handle;
}

Value WithoutNulls(const Value& value, bool outputs_too) {
  const auto empty = [outputs_too](const Value& of_key) {
    if (!outputs_too || !of_key.is_output()) return of_key.is_null();
    const OutputData& output = of_key.as_output();
    return output.known && !output.secret && output.element.is_null();
  };
  return Rewrite(value, [&empty](const Value& part) {
    if (!part.is_object()) return part;
    PropertyMap kept;
    for (const auto& [key, of_key] : part.as_object()) {
      if (!empty(of_key)) kept.Set(key, of_key);
    }
    return kept.size() == part.as_object().size() ? part : Value(std::move(kept));
  });
}

}  // namespace kingpost::yaml
