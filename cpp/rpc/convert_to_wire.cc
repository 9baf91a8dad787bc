// SPDX-License-Identifier: Apache-2.0
// The sending half of rpc/convert.h. Recursion is bounded by what the wire may nest, about 3,300 objects.
#include "base/encoding.h"
#include "model/signatures.h"
#include "rpc/convert.h"

namespace kingpost {

namespace {

using WireStruct = google::protobuf::Struct;
using WireValue = google::protobuf::Value;

// Messages that the wire nests for one level: Struct, entry, Value; ListValue, Value.
constexpr int kObjectLevels = 3;
constexpr int kListLevels = 2;
// What a request may wrap around its top Struct.
constexpr int kOuterLevels = 8;

class Writer {
 public:
  explicit Writer(const WireOptions& options) : options_(options) {}

  Status Object(const PropertyMap& map, bool skip_internal, int depth, WireStruct* out) const;
  // *kept becomes false if the value is left out.
  Status Any(const std::string& key, const Value& value, int depth, WireValue* out, bool* kept) const;

 private:
  Status String(const std::string& key, const std::string& text, WireValue* out) const;
  Status List(const std::string& key, const Array& array, int depth, WireValue* out) const;
  Status Unknown(const std::string& key, WireValue* out, bool* kept) const;
  Status Secret(const std::string& key, const SecretData& secret, int depth, WireValue* out, bool* kept) const;
  Status Output(const std::string& key, const OutputData& output, int depth, WireValue* out, bool* kept) const;
  Status Reference(const std::string& key, const ResourceReference& reference, int depth, WireValue* out,
                   bool* kept) const;
  Status Asset(const std::string& key, const AssetData& asset, WireValue* out) const;
  Status Archive(const std::string& key, const ArchiveData& archive, int depth, WireValue* out) const;
  // Adds `value` under `name` to a tagged object, unless it is left out.
  Status Member(const std::string& key, const char* name, const Value& value, int depth, WireStruct* out) const;

  const WireOptions& options_;
};

WireStruct* Tagged(std::string_view signature, WireValue* out) {
  WireStruct* object = out->mutable_struct_value();
  (*object->mutable_fields())[std::string(signatures::kKey)].set_string_value(std::string(signature));
  return object;
}

void SetText(WireStruct* object, const char* name, const std::string& text) {
  if (!text.empty()) (*object->mutable_fields())[name].set_string_value(text);
}

Status Writer::Object(const PropertyMap& map, bool skip_internal, int depth, WireStruct* out) const {
  for (const auto& [key, value] : map) {
    if (options_.skip_nulls && value.is_null()) continue;
    if (skip_internal && key.starts_with("__")) continue;
    WireValue wire;
    bool kept = true;
    Status status = Any(key, value, depth + kObjectLevels, &wire, &kept);
    if (!status.ok()) return status;
    if (kept) (*out->mutable_fields())[key] = std::move(wire);
  }
  return Status::Ok();
}

Status Writer::Any(const std::string& key, const Value& value, int depth, WireValue* out, bool* kept) const {
  if (depth > wire::kNestingMax - kOuterLevels) {
    return Status(Code::kInvalidArgument, "the value of property " + Quote(key) + " is nested more than " +
                                              std::to_string(wire::kNestingMax / kObjectLevels) +
                                              " levels deep, which cannot be sent");
  }
  *kept = true;
  switch (value.kind()) {
    case Value::Kind::kNull:
      out->set_null_value(google::protobuf::NULL_VALUE);
      return Status::Ok();
    case Value::Kind::kBool:
      out->set_bool_value(value.as_bool());
      return Status::Ok();
    case Value::Kind::kNumber:
      out->set_number_value(value.as_number());
      return Status::Ok();
    case Value::Kind::kString:
      return String(key, value.as_string(), out);
    case Value::Kind::kArray:
      return List(key, value.as_array(), depth, out);
    case Value::Kind::kObject:
      return Object(value.as_object(), false, depth, out->mutable_struct_value());
    case Value::Kind::kAsset:
      return Asset(key, value.as_asset(), out);
    case Value::Kind::kArchive:
      return Archive(key, value.as_archive(), depth, out);
    case Value::Kind::kSecret:
      return Secret(key, value.as_secret(), depth, out, kept);
    case Value::Kind::kOutput:
      return Output(key, value.as_output(), depth, out, kept);
    case Value::Kind::kComputed:
      return Unknown(key, out, kept);
    case Value::Kind::kReference:
      return Reference(key, value.as_reference(), depth, out, kept);
  }
  KP_ASSERT(false, "every kind of value is listed above");
}

Status Writer::String(const std::string& key, const std::string& text, WireValue* out) const {
  if (IsValidUtf8(text)) {
    out->set_string_value(text);
    return Status::Ok();
  }
  if (!options_.keep_byte_strings) {
    return Status(Code::kUnknown, "the value of property " + Quote(key) +
                                      " is a string that contains non-UTF8 bytes, which the receiver does not support");
  }
  (*Tagged(signatures::kByteString, out)->mutable_fields())["value"].set_string_value(Base64Encode(text));
  return Status::Ok();
}

Status Writer::List(const std::string& key, const Array& array, int depth, WireValue* out) const {
  auto* list = out->mutable_list_value();
  for (const Value& element : array) {
    bool kept = true;
    Status status = Any(key, element, depth + kListLevels, list->add_values(), &kept);
    if (!status.ok()) return status;
    if (!kept) list->mutable_values()->RemoveLast();
  }
  return Status::Ok();
}

Status Writer::Unknown(const std::string& key, WireValue* out, bool* kept) const {
  if (options_.reject_unknowns) {
    return Status(Code::kUnknown, "unexpected unknown property value for " + Quote(key));
  }
  *kept = options_.keep_unknowns;
  if (!*kept) return Status::Ok();
  if (options_.keep_outputs && options_.upgrade_to_outputs) {
    Tagged(signatures::kOutput, out);
  } else {
    out->set_string_value(std::string(kUnknownString));
  }
  return Status::Ok();
}

Status Writer::Member(const std::string& key, const char* name, const Value& value, int depth, WireStruct* out) const {
  WireValue wire;
  bool kept = true;
  Status status = Any(key, value, depth + kObjectLevels, &wire, &kept);
  if (status.ok() && kept) (*out->mutable_fields())[name] = std::move(wire);
  return status;
}

Status Writer::Secret(const std::string& key, const SecretData& secret, int depth, WireValue* out, bool* kept) const {
  if (secret.sealed) {
    return Status(Code::kFailedPrecondition, "the secret value of property " + Quote(key) +
                                                 " is still encrypted: open the stack with its secrets provider");
  }
  if (!options_.keep_secrets) return Any(key, secret.element, depth, out, kept);
  if (!options_.keep_outputs || !options_.upgrade_to_outputs) {
    return Member(key, "value", secret.element, depth, Tagged(signatures::kSecret, out));
  }
  WireStruct* object = Tagged(signatures::kOutput, out);
  (*object->mutable_fields())["secret"].set_bool_value(true);
  return Member(key, "value", secret.element, depth, object);
}

Status Writer::Output(const std::string& key, const OutputData& output, int depth, WireValue* out, bool* kept) const {
  if (!options_.keep_outputs) {
    Value flat = output.known ? output.element : Value(Computed());
    if (output.secret) flat = Value::Secret(std::move(flat));
    return Any(key, flat, depth, out, kept);
  }
  WireStruct* object = Tagged(signatures::kOutput, out);
  if (output.secret) (*object->mutable_fields())["secret"].set_bool_value(true);
  if (!output.dependencies.empty()) {
    auto* list = (*object->mutable_fields())["dependencies"].mutable_list_value();
    for (const Urn& urn : output.dependencies) list->add_values()->set_string_value(urn.str());
  }
  if (!output.known) return Status::Ok();
  return Member(key, "value", output.element, depth, object);
}

Status Writer::Reference(const std::string& key, const ResourceReference& reference, int depth, WireValue* out,
                         bool* kept) const {
  if (!options_.keep_resources) {
    if (reference.id && !reference.id->is_null()) return Any(key, *reference.id, depth, out, kept);
    return String(key, reference.urn.str(), out);
  }
  WireStruct* object = Tagged(signatures::kReference, out);
  (*object->mutable_fields())["urn"].set_string_value(reference.urn.str());
  SetText(object, "name", reference.name);
  SetText(object, "type", reference.type);
  SetText(object, "packageVersion", reference.package_version);
  if (reference.id && reference.id->is_string()) {
    (*object->mutable_fields())["id"].set_string_value(reference.id->as_string());
  } else if (reference.id && reference.id->is_computed()) {
    (*object->mutable_fields())["id"].set_string_value("");  // not known yet
  }
  return Status::Ok();
}

Status Writer::Asset(const std::string& key, const AssetData& asset, WireValue* out) const {
  if (options_.reject_assets) return Status(Code::kUnknown, "unexpected Asset property value for " + Quote(key));
  WireStruct* object = Tagged(signatures::kAsset, out);
  SetText(object, "hash", asset.hash);
  if (options_.elide_asset_contents || !asset.has_contents) return Status::Ok();
  switch (asset.kind) {
    case AssetData::Kind::kText:
      if (asset.text.empty()) return Status::Ok();
      return String("text", asset.text, &(*object->mutable_fields())["text"]);
    case AssetData::Kind::kPath:
      SetText(object, "path", asset.text);
      return Status::Ok();
    case AssetData::Kind::kUri:
      SetText(object, "uri", asset.text);
      return Status::Ok();
  }
  KP_ASSERT(false, "every kind of asset is listed above");
}

Status Writer::Archive(const std::string& key, const ArchiveData& archive, int depth, WireValue* out) const {
  if (options_.reject_assets) {
    return Status(Code::kUnknown, "unexpected Asset Archive property value for " + Quote(key));
  }
  WireStruct* object = Tagged(signatures::kArchive, out);
  SetText(object, "hash", archive.hash);
  if (options_.elide_asset_contents || !archive.has_contents) return Status::Ok();
  switch (archive.kind) {
    case ArchiveData::Kind::kAssets: {
      WireStruct* assets = (*object->mutable_fields())["assets"].mutable_struct_value();
      return Object(archive.assets, false, depth + kObjectLevels, assets);
    }
    case ArchiveData::Kind::kPath:
      SetText(object, "path", archive.text);
      return Status::Ok();
    case ArchiveData::Kind::kUri:
      SetText(object, "uri", archive.text);
      return Status::Ok();
  }
  KP_ASSERT(false, "every kind of archive is listed above");
}

}  // namespace

Status ToStruct(const PropertyMap& map, const WireOptions& options, WireStruct* out) {
  out->Clear();
  return Writer(options).Object(map, options.skip_internal_keys, 0, out);
}

Status ToWireValue(const std::string& key, const Value& value, const WireOptions& options, WireValue* out, bool* kept) {
  return Writer(options).Any(key, value, 0, out, kept);
}

}  // namespace kingpost
