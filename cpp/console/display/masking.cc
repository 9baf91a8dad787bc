// SPDX-License-Identifier: Apache-2.0
// Masks values by rewriting them bottom-up, and texts by replacing known plaintexts.
#include "console/display/masking.h"

namespace kingpost {

namespace {
constexpr char kElidedContents[] = "<contents elided>";
}  // namespace

Masking::Masking(const std::vector<std::string>& configured, bool show_secrets, const SecretTexts* seen)
    : has_configured_(!show_secrets && !configured.empty()),
      seen_(show_secrets ? nullptr : seen),
      show_secrets_(show_secrets) {
  if (!has_configured_) return;
  for (const std::string& plaintext : configured) configured_.Add(plaintext, SecretTexts::kShortestSet);
}

std::string Masking::Text(std::string_view text) const {
  std::string masked = has_configured_ ? configured_.Mask(text) : std::string(text);
  return seen_ ? seen_->Mask(masked) : masked;
}

std::string Masking::Inner(const std::string& text) const { return has_configured_ ? configured_.Mask(text) : text; }

std::vector<std::string> Masking::Texts(const std::vector<std::string>& texts) const {
  std::vector<std::string> masked;
  for (const std::string& text : texts) masked.push_back(Text(text));
  return masked;
}

Value Masking::Mask(const Value& value) const {
  switch (value.kind()) {
    case Value::Kind::kString:
      if (has_configured_) {
        std::string masked = Inner(value.as_string());
        if (masked != value.as_string()) return Value(std::move(masked));
      }
      return value;
    case Value::Kind::kSecret:
      if (show_secrets_) return value.as_secret().element;
      return Value::Secret(Value(kSecretMask));
    case Value::Kind::kOutput: {
      const OutputData& output = value.as_output();
      if (!output.known) return Value(Computed());
      if (output.secret && !show_secrets_) return Value::Secret(Value(kSecretMask));
      return output.element;
    }
    case Value::Kind::kAsset: {
      AssetData asset = value.as_asset();
      if (asset.kind != AssetData::Kind::kText || !asset.has_contents) return value;
      asset.text = kElidedContents;
      return Value::Asset(std::move(asset));
    }
    case Value::Kind::kArchive: {
      ArchiveData archive = value.as_archive();
      if (archive.kind != ArchiveData::Kind::kAssets || archive.assets.empty()) return value;
      archive.assets = Properties(archive.assets);
      return Value::Archive(std::move(archive));
    }
    default:
      return value;
  }
}

PropertyMap Masking::Properties(const PropertyMap& properties) const {
  return Rewrite(properties, [this](const Value& value) { return Mask(value); });
}

}  // namespace kingpost
