// SPDX-License-Identifier: Apache-2.0
// Values out of state files: a loop over an explicit stack, and the special objects by signature.
#include <charconv>
#include <cstring>
#include <iterator>

#include "base/encoding.h"
#include "model/json_value.h"
#include "model/reference_names.h"
#include "model/secret_texts.h"
#include "model/signatures.h"

namespace kingpost {

namespace {

// The hashes of an empty text and of an empty archive: with any other hash and no contents, only the hash is known.
constexpr std::string_view kEmptyTextHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const std::string* FindString(const PropertyMap& fields, std::string_view key) {
  const Value* value = fields.Find(key);
  return value && value->is_string() ? &value->as_string() : nullptr;
}

}  // namespace

Value JsonValueReader::Fail(const std::string& what) {
  reader_.Fail(what);
  return Value();
}

Urn JsonValueReader::ReadUrn() {
  if (reader_.Peek() == JsonReader::Kind::kNull) {
    reader_.ReadNull();
    return Urn();
  }
  const std::string_view text = reader_.ReadString();
  return texts_ ? urns_.Get(text) : Urn(std::string(text));
}

void JsonValueReader::ShareWithLast(PropertyDependencies* read) {
  if (*read == last_dependencies_) {
    *read = last_dependencies_;
  } else {
    last_dependencies_ = *read;
  }
}

PropertyMap JsonValueReader::ReadProperties() {
  const JsonReader::Kind kind = reader_.Peek();
  if (kind == JsonReader::Kind::kNull) {
    reader_.ReadNull();
    return PropertyMap();
  }
  if (kind != JsonReader::Kind::kObject) {
    Fail("expected an object of properties");
    return PropertyMap();
  }
  if (size_t length = 0; texts_) {
    if (std::optional<PropertyMap> map = texts_->Take(reader_.rest(), &length)) {
      reader_.Pass(length);
      return *std::move(map);
    }
  }
  Value value = ReadValue();
  if (reader_.ok() && !value.is_object()) Fail("expected an object of properties before here");
  return reader_.ok() ? value.as_object() : PropertyMap();
}

//   slots_   [root] [a: .] [x: 1] [y: .] [0] [.]     while reading {"a": {"x": 1, "y": [0, ...
//   frames_         ^begin ^begin        ^begin
Value JsonValueReader::ReadValue() {
  frames_.clear();
  slots_.clear();
  slots_.emplace_back();
  do {
    const JsonReader::Kind kind = reader_.Peek();
    const bool container = kind == JsonReader::Kind::kObject || kind == JsonReader::Kind::kArray;
    if (container) {
      BeginContainer(kind == JsonReader::Kind::kObject);
    } else {
      slots_.back().second = ReadScalar(kind);
    }
    while (!frames_.empty() && !NextSlot()) {
      if (!reader_.ok()) return Value();
      Value value = EndContainer();
      slots_.back().second = std::move(value);
    }
    if (!reader_.ok()) return Value();
  } while (!frames_.empty());
  return std::move(slots_.back().second);
}

void JsonValueReader::BeginContainer(bool object) {
  if (object) {
    reader_.BeginObject();
  } else {
    reader_.BeginArray();
  }
  frames_.push_back({object, slots_.size()});
}

// Opens the slot of the innermost container's next entry; false at its end.
bool JsonValueReader::NextSlot() {
  std::string_view key;
  if (frames_.back().object ? !reader_.NextKey(&key) : !reader_.NextElement()) return false;
  slots_.emplace_back();
  slots_.back().first.assign(key);
  return true;
}

Value JsonValueReader::ReadScalar(JsonReader::Kind kind) {
  switch (kind) {
    case JsonReader::Kind::kBool:
      return reader_.ReadBool();
    case JsonReader::Kind::kNumber:
      return reader_.ReadNumber();
    case JsonReader::Kind::kString: {
      const std::string_view text = reader_.ReadString();
      return text == kUnknownString ? Value(Computed()) : Value(text);
    }
    default:
      reader_.ReadNull();
      return Value();
  }
}

// Moves the innermost container's entries into vectors of just the right size.
Value JsonValueReader::EndContainer() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const auto first = slots_.begin() + frame.begin;
  if (!frame.object) {
    Array array;
    array.reserve(slots_.end() - first);
    for (auto it = first; it != slots_.end(); ++it) array.push_back(std::move(it->second));
    slots_.erase(first, slots_.end());
    return Value(std::move(array));
  }
  PropertyMap fields = PropertyMap::FromEntries(
      PropertyMap::Entries(std::make_move_iterator(first), std::make_move_iterator(slots_.end())));
  slots_.erase(first, slots_.end());
  const Value* signature = fields.Find(signatures::kKey);
  return signature ? Recognize(fields, *signature) : Value(std::move(fields));
}

Value JsonValueReader::Recognize(const PropertyMap& fields, const Value& signature) {
  const std::string_view mark = signature.is_string() ? std::string_view(signature.as_string()) : std::string_view();
  if (mark == signatures::kSecret) return RecognizeSecret(fields);
  if (mark == signatures::kAsset) return RecognizeAsset(fields);
  if (mark == signatures::kArchive) return RecognizeArchive(fields);
  if (mark == signatures::kReference) return RecognizeReference(fields);
  if (mark == signatures::kByteString) return RecognizeByteString(fields);
  if (mark == signatures::kNonFiniteNumber) return RecognizeNonFiniteNumber(fields);
  return Fail("unrecognized signature '" + std::string(mark) + "' in property map");
}

Value JsonValueReader::RecognizeSecret(const PropertyMap& fields) {
  const std::string* ciphertext = FindString(fields, "ciphertext");
  const std::string* plaintext = FindString(fields, "plaintext");
  const std::string* text = ciphertext ? ciphertext : plaintext;
  if (!text || text->empty() || (ciphertext && plaintext)) {
    return Fail("malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied");
  }
  // A value inside of a secret was encrypted with it: its "ciphertext" is plain.
  return plaintext || inside_secret_ ? Value::Secret(ReadPlaintext(*text)) : Unseal(*text);
}

Value JsonValueReader::Unseal(const std::string& ciphertext) {
  SecretData data;
  data.ciphertext = ciphertext;
  if (!options_.secrets) {
    data.sealed = true;
    return Value::Secret(std::move(data));
  }
  Result<std::string> plaintext = options_.secrets->Decrypt(ciphertext);
  if (!plaintext.ok()) {
    reader_.Fail(plaintext.status().Wrap("decrypting secret value"));
    return Value();
  }
  if (options_.cache) options_.cache->Put(urn_, *plaintext, ciphertext);
  data.element = ReadPlaintext(*plaintext);
  SecretsSeen().AddAll(data.element);
  return Value::Secret(std::move(data));
}

// The error must not show the text, so it does not tell more than that it is broken.
Value JsonValueReader::ReadPlaintext(const std::string& plaintext) {
  JsonReader text(plaintext);
  JsonValueReader inner(&text, options_, true);
  Value value = inner.ReadValue();
  text.Finish();
  return text.ok() ? value : Fail("malformed secret value: its plaintext is not the JSON of a property value");
}

Value JsonValueReader::RecognizeAsset(const PropertyMap& fields) {
  AssetData asset;
  for (std::string_view key : {"hash", "text", "path", "uri"}) {
    if (const Value* value = fields.Find(key); value && !value->is_string()) {
      return Fail("malformed asset: '" + std::string(key) + "' must be a string");
    }
  }
  if (const std::string* hash = FindString(fields, "hash")) asset.hash = *hash;
  const auto take = [&](std::string_view key, AssetData::Kind kind) {
    const std::string* text = FindString(fields, key);
    if (!text || text->empty()) return false;
    asset.kind = kind;
    asset.text = *text;
    return true;
  };
  if (!take("path", AssetData::Kind::kPath) && !take("uri", AssetData::Kind::kUri) &&
      !take("text", AssetData::Kind::kText)) {
    asset.has_contents = asset.hash.empty() || asset.hash == kEmptyTextHash;
  }
  return Value::Asset(std::move(asset));
}

Value JsonValueReader::RecognizeArchive(const PropertyMap& fields) {
  ArchiveData archive;
  for (std::string_view key : {"hash", "path", "uri"}) {
    if (const Value* value = fields.Find(key); value && !value->is_string()) {
      return Fail("malformed archive: '" + std::string(key) + "' must be a string");
    }
  }
  if (const std::string* hash = FindString(fields, "hash")) archive.hash = *hash;
  const auto take = [&](std::string_view key, ArchiveData::Kind kind) {
    const std::string* text = FindString(fields, key);
    if (!text || text->empty()) return false;
    archive.kind = kind;
    archive.text = *text;
    return true;
  };
  if (take("path", ArchiveData::Kind::kPath) || take("uri", ArchiveData::Kind::kUri)) {
    return Value::Archive(std::move(archive));
  }
  const Value* assets = fields.Find("assets");
  if (!assets) {
    archive.has_contents = archive.hash.empty();
    return Value::Archive(std::move(archive));
  }
  if (!assets->is_object()) return Fail("malformed archive: 'assets' must be an object");
  for (const auto& [name, member] : assets->as_object()) {
    if (!member.is_asset() && !member.is_archive()) {
      return Fail("archive member '" + name + "' is not an asset or archive");
    }
  }
  archive.assets = assets->as_object();
  return Value::Archive(std::move(archive));
}

Value JsonValueReader::RecognizeReference(const PropertyMap& fields) {
  ResourceReference reference;
  const Value* version = fields.Find("packageVersion");
  if (version && !version->is_string()) {
    return Fail("malformed resource reference: packageVersion must be a string");
  }
  if (version) reference.package_version = version->as_string();
  const std::string* urn = FindString(fields, "urn");
  if (!urn) return Fail("malformed resource reference: missing urn");
  reference.urn = Urn(*urn);
  NameByUrn(&reference);
  const Value* id = fields.Find("id");
  if (id && id->is_object()) {
    // Some versions wrote {"V": id}, with null for components and an object for unknowns.
    const Value* inner = id->as_object().Find("V");
    if (!inner || inner->is_null()) return Value::Reference(std::move(reference));
    static const Value kUnknownId{""};
    id = inner->is_object() ? &kUnknownId : inner;
  }
  if (id && id->is_computed()) {
    reference.id = std::make_shared<const Value>(Computed());
  } else if (id && !id->is_string()) {
    return Fail("malformed resource reference: id must be a string");
  } else if (id) {
    reference.id = std::make_shared<const Value>(id->as_string().empty() ? Value(Computed()) : *id);
  }
  return Value::Reference(std::move(reference));
}

Value JsonValueReader::RecognizeByteString(const PropertyMap& fields) {
  const std::string* encoded = FindString(fields, "value");
  if (!encoded) return Fail("malformed byte string: missing or non-string 'value' field");
  std::optional<std::string> bytes = Base64Decode(*encoded);
  if (!bytes) return Fail("malformed byte string: 'value' is not base64");
  return Value(std::move(*bytes));
}

Value JsonValueReader::RecognizeNonFiniteNumber(const PropertyMap& fields) {
  const std::string* digits = FindString(fields, "value");
  if (!digits) return Fail("malformed float value: missing or non-string 'value' field");
  uint64_t bits = 0;
  const char* end = digits->data() + digits->size();
  const auto [stop, error] = std::from_chars(digits->data(), end, bits, 16);
  if (error != std::errc() || stop != end) return Fail("malformed float value: 'value' is not hexadecimal");
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return Value(number);
}

}  // namespace kingpost
