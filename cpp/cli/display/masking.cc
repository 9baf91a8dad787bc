// Masks values by rewriting them bottom-up, and texts by replacing known plaintexts.
#include "cli/display/masking.h"

#include <algorithm>

#include "model/deployment_json.h"

namespace kingpost {

namespace {
constexpr size_t kShortestSecretInText = 3;
constexpr char kElidedContents[] = "<contents elided>";
}  // namespace

Masking::Masking(std::vector<std::string> plaintexts, bool show_secrets) : show_secrets_(show_secrets) {
  if (show_secrets) return;
  for (std::string& plaintext : plaintexts) {
    if (plaintext.size() < kShortestSecretInText) continue;
    // A secret also shows up as JSON spells it.
    std::string quoted;
    AppendJsonString(plaintext, &quoted);
    std::string spelled = quoted.substr(1, quoted.size() - 2);
    if (spelled != plaintext) plaintexts_.push_back(std::move(spelled));
    plaintexts_.push_back(std::move(plaintext));
  }
  std::sort(plaintexts_.begin(), plaintexts_.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  plaintexts_.erase(std::unique(plaintexts_.begin(), plaintexts_.end()), plaintexts_.end());
}

std::string Masking::Text(std::string_view text) const {
  std::string out(text);
  for (const std::string& plaintext : plaintexts_) {
    for (size_t at = out.find(plaintext); at != std::string::npos; at = out.find(plaintext, at)) {
      out.replace(at, plaintext.size(), kSecretMask);
      at += sizeof kSecretMask - 1;
    }
  }
  return out;
}

Value Masking::Mask(const Value& value) const {
  switch (value.kind()) {
    case Value::Kind::kString:
      if (!plaintexts_.empty()) {
        std::string masked = Text(value.as_string());
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
