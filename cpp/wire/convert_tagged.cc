// SPDX-License-Identifier: Apache-2.0
#include "wire/convert_tagged.h"

#include "base/encoding.h"
#include "model/output_values.h"
#include "model/secret_texts.h"
#include "model/signatures.h"

namespace kingpost {

namespace {

using Read = Result<std::optional<Value>>;

// SHA-256 of nothing, and of an empty tar file. An asset or archive without contents is really empty if it has
// this hash, or none; with any other hash its contents were left out.
constexpr std::string_view kEmptyTextHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kEmptyArchiveHash = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

Read Some(Value value) { return std::optional<Value>(std::move(value)); }
Status Malformed(const ValuePlace& place, const std::string& what) {
  return {Code::kUnknown, place.Path() + ": malformed " + what};
}

const char* KindName(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBool:
      return "bool";
    case Value::Kind::kNumber:
      return "number";
    case Value::Kind::kString:
      return "string";
    case Value::Kind::kArray:
      return "list";
    default:
      return "object";
  }
}

// The string under `name`, or "" if there is none.
Result<std::string> Text(const ValuePlace& place, const PropertyMap& object, const char* name, const char* what) {
  const Value* value = object.Find(name);
  if (!value) return std::string();
  if (!value->is_string()) return Malformed(place, std::string(what) + ": " + name + " is a " + KindName(*value));
  return value->as_string();
}

Value MakeSecret(Value element, const WireOptions& options) {
  SecretsSeen().AddAll(element);
  if (!options.keep_secrets || element.is_secret()) return element;
  if (!element.is_output()) return Value::Secret(std::move(element));
  OutputData output = element.as_output();
  output.secret = true;
  return Value::Output(std::move(output));
}

Read ReadAsset(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  if (options.reject_assets) return Status(Code::kUnknown, "unexpected asset value at " + place.Path());
  auto hash = Text(place, object, "hash", "asset");
  auto text = Text(place, object, "text", "asset");
  auto path = Text(place, object, "path", "asset");
  auto uri = Text(place, object, "uri", "asset");
  for (const auto* part : {&hash, &text, &path, &uri}) {
    if (!part->ok()) return part->status();
  }
  AssetData asset;
  asset.hash = *hash;
  if (!path->empty()) {
    asset.kind = AssetData::Kind::kPath;
    asset.text = *path;
  } else if (!uri->empty()) {
    asset.kind = AssetData::Kind::kUri;
    asset.text = *uri;
  } else {
    asset.text = *text;
    asset.has_contents = !asset.text.empty() || asset.hash.empty() || asset.hash == kEmptyTextHash;
  }
  return Some(Value::Asset(std::move(asset)));
}

Read ReadArchive(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  if (options.reject_assets) return Status(Code::kUnknown, "unexpected archive value at " + place.Path());
  auto hash = Text(place, object, "hash", "archive");
  auto path = Text(place, object, "path", "archive");
  auto uri = Text(place, object, "uri", "archive");
  for (const auto* part : {&hash, &path, &uri}) {
    if (!part->ok()) return part->status();
  }
  ArchiveData archive;
  archive.hash = *hash;
  const Value* assets = object.Find("assets");
  if (!path->empty()) {
    archive.kind = ArchiveData::Kind::kPath;
    archive.text = *path;
  } else if (!uri->empty()) {
    archive.kind = ArchiveData::Kind::kUri;
    archive.text = *uri;
  } else if (assets) {
    if (!assets->is_object()) return Malformed(place, std::string("archive: assets is a ") + KindName(*assets));
    for (const auto& [name, member] : assets->as_object()) {
      if (!member.is_asset() && !member.is_archive()) {
        return Malformed(place, "archive: member '" + name + "' is not an asset or archive");
      }
    }
    archive.assets = assets->as_object();
  } else {
    archive.has_contents = archive.hash.empty() || archive.hash == kEmptyArchiveHash;
  }
  return Some(Value::Archive(std::move(archive)));
}

Read ReadSecret(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  const Value* value = object.Find("value");
  if (!value) return Malformed(place, "secret: missing value");
  return Some(MakeSecret(*value, options));
}

Read ReadByteString(const ValuePlace& place, const PropertyMap& object) {
  const Value* value = object.Find("value");
  if (!value) return Malformed(place, "byte string: missing value");
  if (!value->is_string()) return Malformed(place, "byte string: value is not a string");
  auto bytes = Base64Decode(value->as_string());
  if (!bytes) return Malformed(place, "byte string: value is not valid base64");
  return Some(Value(std::move(*bytes)));
}

// The ID of a reference: null if it has none, "" if it is not known yet.
Result<std::optional<std::string>> ReferenceId(const ValuePlace& place, const PropertyMap& object) {
  using Id = std::optional<std::string>;
  const Value* id = object.Find("id");
  if (!id) return Id();
  if (id->is_string()) return Id(id->as_string());
  if (id->is_computed()) return Id("");
  if (id->is_output() && !id->as_output().known) return Id("");
  if (id->is_output() && id->as_output().element.is_string()) return Id(id->as_output().element.as_string());
  return Malformed(place, "resource reference: id is not a string");
}

Read ReadReference(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  if (!object.Has("urn")) return Malformed(place, "resource reference: missing urn");
  for (const char* name : {"urn", "name", "type", "packageVersion"}) {
    const Value* value = object.Find(name);
    if (value && !value->is_string())
      return Malformed(place, std::string("resource reference: ") + name + " is not a string");
  }
  auto id = ReferenceId(place, object);
  if (!id.ok()) return id.status();
  const std::string& urn = object.Find("urn")->as_string();
  if (!options.keep_resources) {
    if (!id->has_value()) return Some(Value(urn));
    if ((*id)->empty() && options.keep_unknowns) return ReadUnknown(place, options);
    return Some(Value(**id));
  }

  ResourceReference reference;
  reference.urn = Urn(urn);
  if (const Value* name = object.Find("name")) reference.name = name->as_string();
  if (const Value* type = object.Find("type")) reference.type = type->as_string();
  if (const Value* version = object.Find("packageVersion")) reference.package_version = version->as_string();
  if (reference.name.empty() && reference.urn.valid()) reference.name = std::string(reference.urn.name());
  if (reference.type.empty() && reference.urn.valid()) reference.type = std::string(reference.urn.type());
  if (id->has_value()) {
    reference.id = std::make_shared<const Value>((*id)->empty() ? Value(Computed()) : Value(**id));
  }
  return Some(Value::Reference(std::move(reference)));
}

Result<std::vector<Urn>> OutputDependencies(const ValuePlace& place, const PropertyMap& object) {
  std::vector<Urn> urns;
  const Value* list = object.Find("dependencies");
  if (!list) return urns;
  if (!list->is_array()) return Malformed(place, "output value: dependencies is not an array");
  urns.reserve(list->as_array().size());
  for (const Value& urn : list->as_array()) {
    if (!urn.is_string()) {
      return Malformed(place, "output value: dependency " + std::to_string(urns.size()) + " is not a string");
    }
    urns.emplace_back(urn.as_string());
  }
  return urns;
}

// One that depends on nothing is what it holds.
Read ReadOutput(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  const Value* value = object.Find("value");
  const Value* secret = object.Find("secret");
  if (secret && !secret->is_bool()) return Malformed(place, "output value: secret is not a bool");
  Read read = value ? Some(*value) : ReadUnknown(place, options);
  if (!read.ok() || !read->has_value()) return read;
  if (secret && secret->as_bool()) read = Some(MakeSecret(std::move(**read), options));
  auto dependencies = OutputDependencies(place, object);
  if (!dependencies.ok()) return dependencies.status();
  if (!options.keep_outputs || dependencies->empty()) return read;
  OutputData output = OutputOf(**read);
  for (const Urn& urn : *dependencies) AddUnique(&output.dependencies, urn);
  return Some(Value::Output(std::move(output)));
}

}  // namespace

Read ReadUnknown(const ValuePlace& place, const WireOptions& options) {
  if (options.reject_unknowns) return Status(Code::kUnknown, "unexpected unknown value at " + place.Path());
  if (!options.keep_unknowns) return std::optional<Value>();
  return Some(Value(Computed()));
}

Read ReadTagged(const ValuePlace& place, const PropertyMap& object, const WireOptions& options) {
  const Value& tag = *object.Find(signatures::kKey);
  const std::string signature = tag.is_string() ? tag.as_string() : KindName(tag);
  if (signature == signatures::kSecret) return ReadSecret(place, object, options);
  if (signature == signatures::kOutput) return ReadOutput(place, object, options);
  if (signature == signatures::kReference) return ReadReference(place, object, options);
  if (signature == signatures::kAsset) return ReadAsset(place, object, options);
  if (signature == signatures::kArchive) return ReadArchive(place, object, options);
  if (signature == signatures::kByteString) return ReadByteString(place, object);
  return Status(Code::kUnknown, place.Path() + ": unknown signature " + Quote(signature));
}

}  // namespace kingpost
