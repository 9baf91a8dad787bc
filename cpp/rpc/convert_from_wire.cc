// SPDX-License-Identifier: Apache-2.0
// The receiving half of rpc/convert.h. Recursion is bounded by what the wire may nest (rpc/wire.h).
#include <algorithm>

#include "model/signatures.h"
#include "rpc/convert.h"
#include "rpc/convert_tagged.h"

namespace kingpost {

namespace {

using WireStruct = google::protobuf::Struct;
using WireValue = google::protobuf::Value;
using WireField = google::protobuf::Map<std::string, WireValue>::value_type;

constexpr std::string_view kUnknownSentinels[] = {
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  // bool
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  // number
    kUnknownString,                          // string
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  // array
    "030794c1-ac77-496b-92df-f27374a8bd58",  // asset
    "e48ece36-62e2-4504-bad9-02848725956a",  // archive
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  // object
};

bool IsUnknownSentinel(const std::string& text) {
  if (text.size() != kUnknownString.size()) return false;
  return std::find(std::begin(kUnknownSentinels), std::end(kUnknownSentinels), text) != std::end(kUnknownSentinels);
}

Result<std::optional<Value>> ReadList(const std::string& key, const google::protobuf::ListValue& list,
                                      const WireOptions& options) {
  Array array;
  array.reserve(list.values_size());
  for (const WireValue& element : list.values()) {
    auto value = FromWireValue(key, element, options);
    if (!value.ok()) return value.status();
    // An unknown that is left out keeps its place, as null.
    array.push_back(value->has_value() ? std::move(**value) : Value());
  }
  return std::optional<Value>(Value(std::move(array)));
}

Result<PropertyMap> ReadObject(const WireStruct& wire, bool skip_internal, const WireOptions& options) {
  // In the order of the keys, so that of several mistakes the same one is reported each time.
  std::vector<const WireField*> fields;
  fields.reserve(wire.fields_size());
  for (const WireField& field : wire.fields()) fields.push_back(&field);
  std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->first < b->first; });

  PropertyMap::Entries entries;
  entries.reserve(fields.size());
  for (const WireField* field : fields) {
    auto value = FromWireValue(field->first, field->second, options);
    if (!value.ok()) return value.status();
    if (!value->has_value()) continue;
    if (options.skip_nulls && (*value)->is_null()) continue;
    if (skip_internal && field->first.starts_with("__")) continue;
    entries.push_back(Property{field->first, std::move(**value)});
  }
  return PropertyMap::FromEntries(std::move(entries));
}

}  // namespace

Result<PropertyMap> FromStruct(const WireStruct& wire, const WireOptions& options) {
  return ReadObject(wire, options.skip_internal_keys, options);
}

Result<std::optional<Value>> FromWireValue(const std::string& key, const WireValue& wire, const WireOptions& options) {
  switch (wire.kind_case()) {
    case WireValue::kNullValue:
    case WireValue::KIND_NOT_SET:
      return std::optional<Value>(Value());
    case WireValue::kBoolValue:
      return std::optional<Value>(Value(wire.bool_value()));
    case WireValue::kNumberValue:
      return std::optional<Value>(Value(wire.number_value()));
    case WireValue::kStringValue:
      if (IsUnknownSentinel(wire.string_value())) return ReadUnknown(key, options);
      return std::optional<Value>(Value(wire.string_value()));
    case WireValue::kListValue:
      return ReadList(key, wire.list_value(), options);
    case WireValue::kStructValue: {
      auto object = ReadObject(wire.struct_value(), false, options);
      if (!object.ok()) return object.status();
      if (object->Has(signatures::kKey)) return ReadTagged(key, *object, options);
      return std::optional<Value>(Value(std::move(*object)));
    }
  }
  KP_ASSERT(false, "every kind of wire value is listed above");
}

}  // namespace kingpost
