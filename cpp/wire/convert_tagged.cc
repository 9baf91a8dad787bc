// SPDX-License-Identifier: Apache-2.0
#include "wire/convert_tagged.h"

#include "base/encoding.h"
#include "model/reference_names.h"
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
Read Malformed(std::string message) { return Status(Code::kUnknown, std::move(message)); }

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
Result<std::string> Text(const PropertyMap& object, const char* name, const std::string& what) {
  const Value* value = object.Find(name);
  if (!value) return std::string();
  if (!value->is_string()) return Status(Code::kUnknown, "unexpected " + what + " of type " + KindName(*value));
  return value->as_string();
}

Value MakeSecret(Value element, const WireOptions& options) {
  SecretsSeen().AddAll(element);
  if (!options.keep_secrets) return element;
  if (!options.keep_outputs || !options.upgrade_to_outputs) return Value::Secret(std::move(element));
  OutputData output;
  output.element = std::move(element);
  output.secret = true;
  return Value::Output(std::move(output));
}

Read ReadAsset(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  if (options.reject_assets) return Malformed("unexpected Asset property value for " + Quote(key));
  auto hash = Text(object, "hash", "asset hash");
  auto text = Text(object, "text", "asset text");
  auto path = Text(object, "path", "asset path");
  auto uri = Text(object, "uri", "asset URI");
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

Read ReadArchive(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  if (options.reject_assets) return Malformed("unexpected Asset Archive property value for " + Quote(key));
  auto hash = Text(object, "hash", "archive hash");
  auto path = Text(object, "path", "archive path");
  auto uri = Text(object, "uri", "archive URI");
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
    if (!assets->is_object()) return Malformed("unexpected archive contents of type " + std::string(KindName(*assets)));
    for (const auto& [name, member] : assets->as_object()) {
      if (!member.is_asset() && !member.is_archive()) {
        return Malformed("archive member '" + name + "' is not an asset or archive");
      }
    }
    archive.assets = assets->as_object();
  } else {
    archive.has_contents = archive.hash.empty() || archive.hash == kEmptyArchiveHash;
  }
  return Some(Value::Archive(std::move(archive)));
}

Read ReadSecret(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  const Value* value = object.Find("value");
  if (!value) return Malformed("malformed RPC secret: missing value for " + Quote(key));
  return Some(MakeSecret(*value, options));
}

Read ReadByteString(const std::string& key, const PropertyMap& object) {
  const Value* value = object.Find("value");
  if (!value) return Malformed("malformed byte string for " + Quote(key) + ": missing value");
  if (!value->is_string()) return Malformed("malformed byte string for " + Quote(key) + ": value is not a string");
  auto bytes = Base64Decode(value->as_string());
  if (!bytes) return Malformed("malformed byte string for " + Quote(key) + ": value is not valid base64");
  return Some(Value(std::move(*bytes)));
}

// The ID of a reference: null if it has none, "" if it is not known yet.
Result<std::optional<std::string>> ReferenceId(const std::string& key, const PropertyMap& object) {
  using Id = std::optional<std::string>;
  const Value* id = object.Find("id");
  if (!id) return Id();
  if (id->is_string()) return Id(id->as_string());
  if (id->is_computed()) return Id("");
  if (id->is_output() && !id->as_output().known) return Id("");
  if (id->is_output() && id->as_output().element.is_string()) return Id(id->as_output().element.as_string());
  return Status(Code::kUnknown, "malformed resource reference for " + Quote(key) + ": id not a string");
}

Read ReadReference(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  const std::string malformed = "malformed resource reference for " + Quote(key);
  if (!object.Has("urn")) return Malformed(malformed + ": missing urn");
  for (const char* name : {"urn", "name", "type", "packageVersion"}) {
    const Value* value = object.Find(name);
    if (value && !value->is_string()) return Malformed(malformed + ": " + name + " not a string");
  }
  auto id = ReferenceId(key, object);
  if (!id.ok()) return id.status();
  const std::string& urn = object.Find("urn")->as_string();
  if (!options.keep_resources) {
    if (!id->has_value()) return Some(Value(urn));
    if ((*id)->empty() && options.keep_unknowns) return ReadUnknown(key, options);
    return Some(Value(**id));
  }

  ResourceReference reference;
  reference.urn = Urn(urn);
  if (const Value* name = object.Find("name")) reference.name = name->as_string();
  if (const Value* type = object.Find("type")) reference.type = type->as_string();
  if (const Value* version = object.Find("packageVersion")) reference.package_version = version->as_string();
  NameByUrn(&reference);
  if (id->has_value()) {
    reference.id = std::make_shared<const Value>((*id)->empty() ? Value(Computed()) : Value(**id));
  }
  return Some(Value::Reference(std::move(reference)));
}

Result<std::vector<Urn>> OutputDependencies(const std::string& key, const PropertyMap& object) {
  std::vector<Urn> urns;
  const Value* list = object.Find("dependencies");
  if (!list) return urns;
  const std::string malformed = "malformed output value for " + Quote(key);
  if (!list->is_array()) return Status(Code::kUnknown, malformed + ": dependencies not an array");
  for (const Value& urn : list->as_array()) {
    if (!urn.is_string()) return Status(Code::kUnknown, malformed + ": element in dependencies not a string");
    urns.push_back(Urn(urn.as_string()));
  }
  return urns;
}

Read ReadOutput(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  const Value* value = object.Find("value");
  const Value* secret = object.Find("secret");
  if (secret && !secret->is_bool())
    return Malformed("malformed output value for " + Quote(key) + ": secret not a bool");
  const bool is_secret = secret && secret->as_bool();
  if (!options.keep_outputs) {
    Read flat = value ? Some(*value) : ReadUnknown(key, options);
    if (!flat.ok() || !flat->has_value() || !is_secret) return flat;
    return Some(MakeSecret(std::move(**flat), options));
  }
  auto dependencies = OutputDependencies(key, object);
  if (!dependencies.ok()) return dependencies.status();
  OutputData output;
  output.known = value != nullptr;
  if (value) output.element = *value;
  output.secret = is_secret;
  if (is_secret) SecretsSeen().AddAll(output.element);
  output.dependencies = std::move(*dependencies);
  return Some(Value::Output(std::move(output)));
}

}  // namespace

Read ReadUnknown(const std::string& key, const WireOptions& options) {
  if (options.reject_unknowns) return Malformed("unexpected unknown property value for " + Quote(key));
  if (!options.keep_unknowns) return std::optional<Value>();
  if (!options.keep_outputs || !options.upgrade_to_outputs) return Some(Value(Computed()));
  OutputData output;
  output.known = false;
  return Some(Value::Output(std::move(output)));
}

Read ReadTagged(const std::string& key, const PropertyMap& object, const WireOptions& options) {
  const Value& tag = *object.Find(signatures::kKey);
  const std::string signature = tag.is_string() ? tag.as_string() : KindName(tag);
  if (signature == signatures::kSecret) return ReadSecret(key, object, options);
  if (signature == signatures::kOutput) return ReadOutput(key, object, options);
  if (signature == signatures::kReference) return ReadReference(key, object, options);
  if (signature == signatures::kAsset) return ReadAsset(key, object, options);
  if (signature == signatures::kArchive) return ReadArchive(key, object, options);
  if (signature == signatures::kByteString) return ReadByteString(key, object);
  return Malformed("unrecognized signature '" + signature + "' in property map for " + Quote(key));
}

}  // namespace kingpost
