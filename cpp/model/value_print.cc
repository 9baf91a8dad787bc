// SPDX-License-Identifier: Apache-2.0
#include "model/value_print.h"

#include "base/encoding.h"
#include "model/deployment_json.h"

namespace kingpost {

namespace {

std::string PrintObject(const PropertyMap& object, bool show_secrets) {
  std::string text = "{";
  for (const auto& [key, value] : object) {
    text += (text.size() > 1 ? ", " : "") + Quote(key) + ": " + PrintValue(value, show_secrets);
  }
  return text + "}";
}

std::string PrintArray(const Array& array, bool show_secrets) {
  std::string text = "[";
  for (const Value& element : array) text += (text.size() > 1 ? ", " : "") + PrintValue(element, show_secrets);
  return text + "]";
}

std::string PrintAsset(const AssetData& asset) {
  if (asset.text.empty()) return "asset(hash=" + asset.hash + ")";
  static constexpr const char* kKinds[] = {"text", "path", "uri"};
  return std::string("asset(") + kKinds[static_cast<int>(asset.kind)] + "=" + Quote(asset.text) + ")";
}

std::string PrintArchive(const ArchiveData& archive, bool show_secrets) {
  if (!archive.has_contents) return "archive(hash=" + archive.hash + ")";
  switch (archive.kind) {
    case ArchiveData::Kind::kAssets:
      return "archive(assets=" + PrintObject(archive.assets, show_secrets) + ")";
    case ArchiveData::Kind::kPath:
      return "archive(path=" + Quote(archive.text) + ")";
    case ArchiveData::Kind::kUri:
      return "archive(uri=" + Quote(archive.text) + ")";
  }
  return "";
}

}  // namespace

std::string PrintValue(const Value& value, bool show_secrets) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Value::Kind::kNumber:
      return NumberText(value.as_number());
    case Value::Kind::kString:
      return Quote(value.as_string());
    case Value::Kind::kArray:
      return PrintArray(value.as_array(), show_secrets);
    case Value::Kind::kObject:
      return PrintObject(value.as_object(), show_secrets);
    case Value::Kind::kAsset:
      return PrintAsset(value.as_asset());
    case Value::Kind::kArchive:
      return PrintArchive(value.as_archive(), show_secrets);
    case Value::Kind::kSecret:
      if (!show_secrets || value.as_secret().sealed) return "<secret>";
      return PrintValue(value.as_secret().element, show_secrets);
    case Value::Kind::kOutput:
      if (value.as_output().secret && !show_secrets) return "<secret>";
      return value.as_output().known ? PrintValue(value.as_output().element, show_secrets) : "<unknown>";
    case Value::Kind::kComputed:
      return "<unknown>";
    case Value::Kind::kReference:
      return Quote(value.as_reference().urn.str());
  }
  KP_ASSERT(false, "every kind of value is listed above");
}

}  // namespace kingpost
