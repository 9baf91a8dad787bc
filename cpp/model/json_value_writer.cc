// SPDX-License-Identifier: Apache-2.0
// Values into state files. Recursive, with small frames: 10,000 levels fit the smallest stack we run on.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/encoding.h"
#include "model/json_text.h"
#include "model/json_value.h"
#include "model/signatures.h"

namespace kingpost {

void JsonValueWriter::Fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

void JsonValueWriter::Append(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      out_ += "null";
      return;
    case Value::Kind::kBool:
      out_ += value.as_bool() ? "true" : "false";
      return;
    case Value::Kind::kNumber:
      return AppendNumber(value.as_number());
    case Value::Kind::kString:
      return AppendText(value.as_string());
    case Value::Kind::kArray:
      return AppendArray(value.as_array());
    case Value::Kind::kObject:
      return Append(value.as_object());
    case Value::Kind::kAsset:
      return AppendAsset(value.as_asset());
    case Value::Kind::kArchive:
      return AppendArchive(value.as_archive());
    case Value::Kind::kSecret:
      return AppendSecret(value.as_secret());
    case Value::Kind::kOutput:
      return AppendOutput(value.as_output());
    case Value::Kind::kComputed:
      return AppendQuoted(kUnknownString);
    case Value::Kind::kReference:
      return AppendReference(value.as_reference());
  }
}

// Inside of secrets some characters are spelled otherwise.
bool JsonValueWriter::StaysText(std::string_view text) {
  if (inside_secret_) return false;
  if (!HoldsSealedSecrets(text)) return true;
  if (options_.show_secrets || options_.reencrypt) return false;
  return wrote_sealed_ = true;
}

void JsonValueWriter::Append(const PropertyMap& map) {
  if (!map.text().empty() && StaysText(map.text())) {
    out_ += map.text();
    return;
  }
  char separator = '{';
  for (const auto& [key, value] : map) {
    out_ += separator;
    separator = ',';
    AppendQuoted(key);
    out_ += ':';
    Append(value);
  }
  if (separator == '{') out_ += '{';
  out_ += '}';
}

void JsonValueWriter::AppendArray(const Array& array) {
  out_ += '[';
  bool first = true;
  for (const Value& element : array) {
    if (!first) out_ += ',';
    first = false;
    Append(element);
  }
  out_ += ']';
}

void JsonValueWriter::AppendQuoted(std::string_view text) {
  if (inside_secret_) {
    AppendJsonStringForHtml(text, &out_);
  } else {
    AppendJsonString(text, &out_);
  }
}

void JsonValueWriter::BeginSigned(std::string_view signature) {
  out_ += '{';
  AppendQuoted(signatures::kKey);
  out_ += ':';
  AppendQuoted(signature);
}

void JsonValueWriter::AppendField(std::string_view key, std::string_view text) {
  out_ += ',';
  AppendQuoted(key);
  out_ += ':';
  AppendQuoted(text);
}

void JsonValueWriter::AppendNumber(double number) {
  if (std::isfinite(number)) return AppendJsonNumber(number, &out_);
  uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(bits));
  BeginSigned(signatures::kNonFiniteNumber);
  AppendField("value", digits);
  out_ += '}';
}

void JsonValueWriter::AppendText(const std::string& text) {
  if (IsValidUtf8(text)) return AppendQuoted(text);
  wrote_byte_string_ = true;
  BeginSigned(signatures::kByteString);
  AppendField("value", Base64Encode(text));
  out_ += '}';
}

// The keys of special objects are sorted like all others.
void JsonValueWriter::AppendAsset(const AssetData& asset) {
  BeginSigned(signatures::kAsset);
  if (!asset.hash.empty()) AppendField("hash", asset.hash);
  if (!asset.text.empty()) {
    static constexpr const char* kKeys[] = {"text", "path", "uri"};
    AppendField(kKeys[static_cast<int>(asset.kind)], asset.text);
  }
  out_ += '}';
}

void JsonValueWriter::AppendArchive(const ArchiveData& archive) {
  BeginSigned(signatures::kArchive);
  if (archive.kind == ArchiveData::Kind::kAssets && archive.has_contents) {
    out_ += ",\"assets\":";
    Append(archive.assets);
  }
  if (!archive.hash.empty()) AppendField("hash", archive.hash);
  if (archive.kind == ArchiveData::Kind::kPath && !archive.text.empty()) AppendField("path", archive.text);
  if (archive.kind == ArchiveData::Kind::kUri && !archive.text.empty()) AppendField("uri", archive.text);
  out_ += '}';
}

void JsonValueWriter::AppendReference(const ResourceReference& reference) {
  BeginSigned(signatures::kReference);
  if (reference.id && reference.id->is_string()) AppendField("id", reference.id->as_string());
  if (reference.id && reference.id->is_computed()) AppendField("id", "");
  AppendField("packageVersion", reference.package_version);
  AppendField("urn", reference.urn.str());
  out_ += '}';
}

void JsonValueWriter::AppendOutput(const OutputData& output) {
  const Value element = output.known ? output.element : Value(Computed());
  Append(output.secret ? Value::Secret(element) : element);
}

void JsonValueWriter::AppendSecret(const SecretData& secret) {
  const std::string text = Seal(secret);
  BeginSigned(signatures::kSecret);
  AppendField(options_.show_secrets ? "plaintext" : "ciphertext", text);
  out_ += '}';
}

// The text to store: the known ciphertext of an unchanged secret, else the one that its plaintext had before, else a
// new one. Inside of another secret the plaintext itself.
std::string JsonValueWriter::Seal(const SecretData& secret) {
  const std::string of = urn_ && !urn_->empty() ? " of " + urn_->str() : "";
  if (!inside_secret_ && !options_.show_secrets && !options_.reencrypt && !secret.ciphertext.empty()) {
    wrote_sealed_ = wrote_sealed_ || secret.sealed;
    wrote_byte_string_ = wrote_byte_string_ || NeedsByteString(secret.element);
    return secret.ciphertext;
  }
  if (secret.sealed) {
    Fail(Status(Code::kFailedPrecondition, "a secret" + of +
                                               " is still encrypted: open the stack's secrets manager (set "
                                               "PULUMI_CONFIG_PASSPHRASE) before using it"));
    return "";
  }
  std::string plaintext;
  JsonValueWriter inner(options_, &plaintext, urn_);
  inner.Append(secret.element);
  wrote_byte_string_ = wrote_byte_string_ || inner.wrote_byte_string_;
  Fail(inner.status_);
  if (inside_secret_ || options_.show_secrets) return plaintext;
  static const Urn kNoUrn;
  const Urn& urn = urn_ ? *urn_ : kNoUrn;
  if (options_.cache && !options_.reencrypt) {
    if (std::optional<std::string> known = options_.cache->Get(urn, plaintext)) return std::move(*known);
  }
  if (!options_.secrets) {
    Fail(Status(Code::kFailedPrecondition, "cannot store a secret" + of + ": the stack has no secrets manager"));
    return "";
  }
  Result<std::string> ciphertext = options_.secrets->Encrypt(plaintext);
  if (!ciphertext.ok()) {
    Fail(ciphertext.status().Wrap("encrypting a secret" + of));
    return "";
  }
  if (options_.cache) options_.cache->Put(urn, plaintext, *ciphertext);
  return std::move(*ciphertext);
}

bool NeedsByteString(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kString:
      return !IsValidUtf8(value.as_string());
    case Value::Kind::kArray:
      return std::any_of(value.as_array().begin(), value.as_array().end(),
                         [](const Value& element) { return NeedsByteString(element); });
    case Value::Kind::kObject:
      return std::any_of(value.as_object().begin(), value.as_object().end(),
                         [](const Property& entry) { return NeedsByteString(entry.second); });
    case Value::Kind::kSecret:
      return NeedsByteString(value.as_secret().element);
    case Value::Kind::kOutput:
      return NeedsByteString(value.as_output().element);
    default:
      return false;
  }
}

}  // namespace kingpost
