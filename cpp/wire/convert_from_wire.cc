// SPDX-License-Identifier: Apache-2.0
// The receiving half of wire/convert.h. Recursion is bounded by what the wire may nest (wire/wire.h).
#include <algorithm>
#include <iterator>

#include "model/signatures.h"
#include "wire/convert.h"
#include "wire/convert_tagged.h"
#include "wire/struct_bytes.h"
#include "wire/value_place.h"

namespace kingpost {

namespace {

namespace tag = wire::tag;
using Read = Result<std::optional<Value>>;

constexpr std::string_view kUnknownSentinels[] = {
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  // bool
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  // number
    kUnknownString,                          // string
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  // array
    "030794c1-ac77-496b-92df-f27374a8bd58",  // asset
    "e48ece36-62e2-4504-bad9-02848725956a",  // archive
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  // object
};

bool IsUnknownSentinel(std::string_view text) {
  if (text.size() != kUnknownString.size()) return false;
  return std::find(std::begin(kUnknownSentinels), std::end(kUnknownSentinels), text) != std::end(kUnknownSentinels);
}

// Reads what is plain.
class Reader {
 public:
  explicit Reader(const WireOptions& options) : options_(options) {}

  // The contents of an object with the signature key take the place of the object.
  Result<PropertyMap> Object(const ValuePlace& place, std::string_view bytes, bool skip_internal);
  Read Any(const ValuePlace& place, std::string_view bytes);

 private:
  struct Field {
    std::string_view key;
    std::string_view value;
  };

  Read List(const ValuePlace& place, std::string_view bytes);
  void AddFields(std::string_view bytes);
  bool HasSignature(size_t first) const;

  const WireOptions& options_;
  std::vector<Field> fields_;  // of the objects that are being read, one after the other
};

Read Reader::List(const ValuePlace& place, std::string_view bytes) {
  size_t size = 0;
  for (wire::FieldReader list(bytes); !list.done(); ++size) {
    list.Tag();
    list.Bytes();
  }
  Array array;
  array.reserve(size);
  for (wire::FieldReader list(bytes); !list.done();) {
    list.Tag();
    auto value = Any(place.At(array.size()), list.Bytes());
    if (!value.ok()) return value.status();
    // An unknown that is left out keeps its place, as null.
    array.push_back(value->has_value() ? std::move(**value) : Value());
  }
  return std::optional<Value>(Value(std::move(array)));
}

// In the order of the keys, so that of several mistakes the same one is reported each time. Of two with one key the
// later wins.
void Reader::AddFields(std::string_view bytes) {
  const size_t first = fields_.size();
  for (wire::FieldReader object(bytes); !object.done();) {
    object.Tag();
    wire::FieldReader field(object.Bytes());
    field.Tag();
    const std::string_view key = field.Bytes();
    field.Tag();
    fields_.push_back({key, field.Bytes()});
  }
  const auto begin = fields_.begin() + static_cast<ptrdiff_t>(first);
  const auto by_key = [](const Field& a, const Field& b) { return a.key < b.key; };
  const auto same_key = [](const Field& a, const Field& b) { return a.key == b.key; };
  if (!std::is_sorted(begin, fields_.end(), by_key)) std::stable_sort(begin, fields_.end(), by_key);
  const auto last = std::unique(std::make_reverse_iterator(fields_.end()), std::make_reverse_iterator(begin), same_key);
  fields_.erase(begin, last.base());
}

bool Reader::HasSignature(size_t first) const {
  const auto before = [](const Field& field, std::string_view key) { return field.key < key; };
  const auto begin = fields_.begin() + static_cast<ptrdiff_t>(first);
  const auto found = std::lower_bound(begin, fields_.end(), signatures::kKey, before);
  return found != fields_.end() && found->key == signatures::kKey;
}

Result<PropertyMap> Reader::Object(const ValuePlace& place, std::string_view bytes, bool skip_internal) {
  const size_t first = fields_.size();
  AddFields(bytes);
  const size_t end = fields_.size();
  const bool tagged = HasSignature(first);
  PropertyMap::Entries entries;
  entries.reserve(end - first);
  for (size_t i = first; i < end; ++i) {
    std::string key(fields_[i].key);
    auto value = Any(tagged ? place : place.Of(key), fields_[i].value);
    if (!value.ok()) return value.status();
    if (!value->has_value()) continue;
    if (options_.skip_nulls && (*value)->is_null()) continue;
    if (skip_internal && key.starts_with("__")) continue;
    entries.push_back(Property{std::move(key), std::move(**value)});
  }
  fields_.resize(first);
  return PropertyMap::FromEntries(std::move(entries));
}

Read Reader::Any(const ValuePlace& place, std::string_view bytes) {
  wire::FieldReader wire(bytes);
  if (wire.done()) return std::optional<Value>(Value());
  switch (wire.Tag()) {
    case tag::kNull:
      return std::optional<Value>(Value());
    case tag::kBool:
      return std::optional<Value>(Value(wire.Bool()));
    case tag::kNumber:
      return std::optional<Value>(Value(wire.Number()));
    case tag::kString: {
      const std::string_view text = wire.Bytes();
      if (IsUnknownSentinel(text)) return ReadUnknown(place, options_);
      return std::optional<Value>(Value(text));
    }
    case tag::kList:
      return List(place, wire.Bytes());
    case tag::kStruct: {
      auto object = Object(place, wire.Bytes(), false);
      if (!object.ok()) return object.status();
      if (object->Has(signatures::kKey)) return ReadTagged(place, *object, options_);
      return std::optional<Value>(Value(std::move(*object)));
    }
  }
  KP_ASSERT(false, "every kind of plain value is listed above");
}

}  // namespace

Result<PropertyMap> FromStruct(const std::string& bytes, const WireOptions& options) {
  if (wire::IsPlain(wire::Shape::kStruct, bytes))
    return Reader(options).Object(ValuePlace(), bytes, options.skip_internal_keys);
  const auto plain = wire::ToPlainBytes(wire::Shape::kStruct, bytes);
  if (!plain.ok()) return plain.status();
  return Reader(options).Object(ValuePlace(), *plain, options.skip_internal_keys);
}

Result<std::optional<Value>> FromWireValue(const std::string& key, const std::string& bytes,
                                           const WireOptions& options) {
  if (wire::IsPlain(wire::Shape::kValue, bytes)) return Reader(options).Any({nullptr, key}, bytes);
  const auto plain = wire::ToPlainBytes(wire::Shape::kValue, bytes);
  if (!plain.ok()) return plain.status();
  return Reader(options).Any({nullptr, key}, *plain);
}

}  // namespace kingpost
