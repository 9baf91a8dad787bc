// SPDX-License-Identifier: Apache-2.0
// The sending half of wire/convert.h. Recursion is bounded by what the wire may nest, about 3,300 objects.
#include "wire/wire.h"

#include "base/encoding.h"
#include "model/output_values.h"
#include "model/signatures.h"
#include "wire/convert.h"
#include "wire/struct_bytes.h"
#include "wire/value_place.h"

namespace kingpost {

namespace {

namespace tag = wire::tag;

// Messages that the wire nests for one level: Struct, entry, Value; ListValue, Value.
constexpr int kObjectLevels = 3;
constexpr int kListLevels = 2;
// The levels that a request may wrap around its top Struct.
constexpr int kOuterLevels = 8;

// Bytes are written from the last to the first, so the values are visited in that order. Of several errors, the last
// one met is the first of the value.
class Writer {
 public:
  explicit Writer(const WireOptions& options) : options_(options) {}

  // The fields of an object.
  void Object(const ValuePlace& place, const PropertyMap& map, bool skip_internal, int depth);
  // The one field of a Value. False if the value is left out.
  bool Any(const ValuePlace& place, const Value& value, int depth);

  Status Finish(std::string* out) const {
    if (status_.ok()) out->assign(out_.bytes());
    return status_;
  }

 private:
  void Bool(bool value);
  void Text(std::string_view text);
  void String(const ValuePlace& place, const std::string& text);
  void List(const ValuePlace& place, const Array& array, int depth);
  bool Unknown(const ValuePlace& place);
  bool Secret(const ValuePlace& place, const SecretData& secret, int depth);
  bool Output(const ValuePlace& place, const OutputData& output, int depth);
  bool Reference(const ValuePlace& place, const ResourceReference& reference, int depth);
  void Asset(const ValuePlace& place, const AssetData& asset);
  void Archive(const ValuePlace& place, const ArchiveData& archive, int depth);

  // A tagged object: its members, and last its signature. `size` is how much there was before all of them.
  void Member(const ValuePlace& place, std::string_view name, const Value& value, int depth);
  void TextMember(std::string_view name, std::string_view text);
  void SecretFlag();
  void CloseMember(std::string_view name, size_t size);
  void CloseTagged(std::string_view signature, size_t size);

  void Fail(Code code, std::string message) { status_ = Status(code, std::move(message)); }

  const WireOptions& options_;
  wire::BackwardWriter out_;
  Status status_;
};

void Writer::CloseMember(std::string_view name, size_t size) {
  out_.Close(tag::kValue, size);
  out_.Put(name);
  out_.PutLength(name.size());
  out_.Put(tag::kKey);
  out_.Close(tag::kField, size);
}

void Writer::CloseTagged(std::string_view signature, size_t size) {
  const size_t before = out_.size();
  Text(signature);
  CloseMember(signatures::kKey, before);
  out_.Close(tag::kStruct, size);
}

void Writer::Member(const ValuePlace& place, std::string_view name, const Value& value, int depth) {
  const size_t size = out_.size();
  if (Any(place, value, depth + kObjectLevels)) CloseMember(name, size);
}

void Writer::TextMember(std::string_view name, std::string_view text) {
  const size_t size = out_.size();
  Text(text);
  CloseMember(name, size);
}

void Writer::SecretFlag() {
  const size_t size = out_.size();
  Bool(true);
  CloseMember("secret", size);
}

void Writer::Object(const ValuePlace& place, const PropertyMap& recorded, bool skip_internal, int depth) {
  const PropertyMap map = recorded.Read();
  for (const Property* property = map.end(); property != map.begin();) {
    const auto& [key, value] = *--property;
    if (options_.skip_nulls && value.is_null()) continue;
    if (skip_internal && key.starts_with("__")) continue;
    Member(place.Of(key), key, value, depth);
  }
}

bool Writer::Any(const ValuePlace& place, const Value& value, int depth) {
  if (depth > wire::kNestingMax - kOuterLevels) {
    Fail(Code::kInvalidArgument, "the value of property " + Quote(place.key) + " is nested more than " +
                                     std::to_string(wire::kNestingMax / kObjectLevels) +
                                     " levels deep, which cannot be sent");
    return true;
  }
  const size_t size = out_.size();
  switch (value.kind()) {
    case Value::Kind::kNull:
      out_.Put('\0');
      out_.Put(tag::kNull);
      return true;
    case Value::Kind::kBool:
      Bool(value.as_bool());
      return true;
    case Value::Kind::kNumber:
      out_.PutNumber(value.as_number());
      out_.Put(tag::kNumber);
      return true;
    case Value::Kind::kString:
      String(place, value.as_string());
      return true;
    case Value::Kind::kArray:
      List(place, value.as_array(), depth);
      return true;
    case Value::Kind::kObject:
      Object(place, value.as_object(), false, depth);
      out_.Close(tag::kStruct, size);
      return true;
    case Value::Kind::kAsset:
      Asset(place, value.as_asset());
      return true;
    case Value::Kind::kArchive:
      Archive(place, value.as_archive(), depth);
      return true;
    case Value::Kind::kSecret:
      return Secret(place, value.as_secret(), depth);
    case Value::Kind::kOutput:
      return Output(place, value.as_output(), depth);
    case Value::Kind::kComputed:
      return Unknown(place);
    case Value::Kind::kReference:
      return Reference(place, value.as_reference(), depth);
  }
  KP_ASSERT(false, "every kind of value is listed above");
}

void Writer::Bool(bool value) {
  out_.Put(value ? '\1' : '\0');
  out_.Put(tag::kBool);
}

void Writer::Text(std::string_view text) {
  out_.Put(text);
  out_.PutLength(text.size());
  out_.Put(tag::kString);
}

void Writer::String(const ValuePlace& place, const std::string& text) {
  if (IsValidUtf8(text)) return Text(text);
  if (!options_.keep_byte_strings) {
    return Fail(Code::kUnknown, "the value of property " + place.Path() +
                                    " is a string that contains non-UTF8 bytes, which the receiver does not support");
  }
  const size_t size = out_.size();
  TextMember("value", Base64Encode(text));
  CloseTagged(signatures::kByteString, size);
}

void Writer::List(const ValuePlace& place, const Array& array, int depth) {
  const size_t size = out_.size();
  for (size_t i = array.size(); i-- > 0;) {
    const size_t before = out_.size();
    if (Any(place.At(i), array[i], depth + kListLevels)) out_.Close(tag::kElement, before);
  }
  out_.Close(tag::kList, size);
}

bool Writer::Unknown(const ValuePlace& place) {
  if (options_.reject_unknowns) {
    Fail(Code::kUnknown, "unexpected unknown value at " + place.Path());
    return true;
  }
  if (!options_.keep_unknowns) return false;
  if (options_.keep_outputs && options_.upgrade_to_outputs) {
    CloseTagged(signatures::kOutput, out_.size());
  } else {
    Text(kUnknownString);
  }
  return true;
}

bool Writer::Secret(const ValuePlace& place, const SecretData& secret, int depth) {
  if (secret.sealed) {
    Fail(Code::kFailedPrecondition, "the secret value of property " + place.Path() +
                                        " is still encrypted: open the stack with its secrets provider");
    return true;
  }
  if (!options_.keep_secrets) return Any(place, secret.element, depth);
  if (options_.keep_outputs && (options_.upgrade_to_outputs || secret.element.is_output())) {
    OutputData output = OutputOf(secret.element);
    output.secret = true;
    return Output(place, output, depth);
  }
  const size_t size = out_.size();
  if (!Any(place, secret.element, depth + kObjectLevels)) return false;  // a secret without a value is malformed
  CloseMember("value", size);
  CloseTagged(signatures::kSecret, size);
  return true;
}

// One that depends on nothing says no more than a secret or an unknown does.
bool Writer::Output(const ValuePlace& place, const OutputData& output, int depth) {
  if (!output.known && (options_.reject_unknowns || !options_.keep_unknowns)) return Unknown(place);
  const bool marked = options_.upgrade_to_outputs && (output.secret || !output.known);
  if (!options_.keep_outputs || (output.dependencies.empty() && !marked)) {
    Value flat = output.known ? output.element : Value(Computed());
    if (output.secret) flat = Value::Secret(std::move(flat));
    return Any(place, flat, depth);
  }
  const size_t size = out_.size();
  if (output.known) Member(place, "value", output.element, depth);
  if (output.secret) SecretFlag();
  if (!output.dependencies.empty()) {
    const size_t before = out_.size();
    for (auto urn = output.dependencies.rbegin(); urn != output.dependencies.rend(); ++urn) {
      const size_t element = out_.size();
      Text(urn->str());
      out_.Close(tag::kElement, element);
    }
    out_.Close(tag::kList, before);
    CloseMember("dependencies", before);
  }
  CloseTagged(signatures::kOutput, size);
  return true;
}

bool Writer::Reference(const ValuePlace& place, const ResourceReference& reference, int depth) {
  if (!options_.keep_resources) {
    if (reference.id && !reference.id->is_null()) return Any(place, *reference.id, depth);
    String(place, reference.urn.str());
    return true;
  }
  const size_t size = out_.size();
  TextMember("urn", reference.urn.str());
  if (!reference.name.empty()) TextMember("name", reference.name);
  if (!reference.type.empty()) TextMember("type", reference.type);
  if (!reference.package_version.empty()) TextMember("packageVersion", reference.package_version);
  if (reference.id && reference.id->is_string()) TextMember("id", reference.id->as_string());
  if (reference.id && reference.id->is_computed()) TextMember("id", "");  // not known yet
  CloseTagged(signatures::kReference, size);
  return true;
}

void Writer::Asset(const ValuePlace& place, const AssetData& asset) {
  if (options_.reject_assets) return Fail(Code::kUnknown, "unexpected asset value at " + place.Path());
  const size_t size = out_.size();
  if (!asset.hash.empty()) TextMember("hash", asset.hash);
  if (!options_.elide_asset_contents && asset.has_contents && !asset.text.empty()) {
    const size_t before = out_.size();
    switch (asset.kind) {
      case AssetData::Kind::kText:
        String(place, asset.text);
        CloseMember("text", before);
        break;
      case AssetData::Kind::kPath:
        TextMember("path", asset.text);
        break;
      case AssetData::Kind::kUri:
        TextMember("uri", asset.text);
        break;
    }
  }
  CloseTagged(signatures::kAsset, size);
}

void Writer::Archive(const ValuePlace& place, const ArchiveData& archive, int depth) {
  if (options_.reject_assets) {
    return Fail(Code::kUnknown, "unexpected archive value at " + place.Path());
  }
  const size_t size = out_.size();
  if (!archive.hash.empty()) TextMember("hash", archive.hash);
  if (!options_.elide_asset_contents && archive.has_contents) {
    const size_t before = out_.size();
    switch (archive.kind) {
      case ArchiveData::Kind::kAssets:
        Object(place, archive.assets, false, depth + kObjectLevels);
        out_.Close(tag::kStruct, before);
        CloseMember("assets", before);
        break;
      case ArchiveData::Kind::kPath:
        if (!archive.text.empty()) TextMember("path", archive.text);
        break;
      case ArchiveData::Kind::kUri:
        if (!archive.text.empty()) TextMember("uri", archive.text);
        break;
    }
  }
  CloseTagged(signatures::kArchive, size);
}

}  // namespace

Status ToStruct(const PropertyMap& map, const WireOptions& options, std::string* out) {
  out->clear();
  Writer writer(options);
  writer.Object(ValuePlace(), map, options.skip_internal_keys, 0);
  return writer.Finish(out);
}

Status ToWireValue(const std::string& key, const Value& value, const WireOptions& options, std::string* out,
                   bool* kept) {
  Writer writer(options);
  *kept = writer.Any({nullptr, key}, value, 0);
  return *kept ? writer.Finish(out) : Status::Ok();
}

}  // namespace kingpost
