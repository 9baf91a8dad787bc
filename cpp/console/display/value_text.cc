// SPDX-License-Identifier: Apache-2.0
#include "console/display/value_text.h"

#include <algorithm>

#include "console/display/structured_text.h"
#include "console/display/terminal.h"
#include "console/display/text_block.h"
#include "model/deployment_json.h"

namespace kingpost {

namespace {

constexpr int kLongestQuoted = 200;

std::string Quoted(const std::string& text, bool full) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  quoted = Printable(quoted);
  return full ? quoted : Truncate(quoted, kLongestQuoted);
}

// A text of several lines stands below its key, line by line.
std::string BlockText(const std::string& text, const ValueTextOptions& options) {
  std::string out = "|";
  for (const TextLine& line : WholeText(text, options.full)) {
    out += "\n" + std::string(options.indent + 4, ' ') + line.text;
  }
  return out;
}

std::string StringText(const std::string& value, const ValueTextOptions& options) {
  const std::string text = options.masking ? options.masking->Inner(value) : value;
  if (text == kUnknownString) return "[unknown]";
  if (options.one_line) return Quoted(text, options.full);
  if (const std::optional<StructuredText> document = ParseJsonText(text)) {
    return "(" + std::string(document->format) + ") " + ValueText(document->value, options);
  }
  return HasSeveralLines(text) ? BlockText(text, options) : Quoted(text, options.full);
}

std::string ShortHash(const std::string& hash) { return hash.substr(0, 7); }

std::string AssetText(const AssetData& asset) {
  switch (asset.kind) {
    case AssetData::Kind::kText:
      return "asset(text:" + ShortHash(asset.hash) + ")";
    case AssetData::Kind::kPath:
      return "asset(file:" + ShortHash(asset.hash) + ") { " + Printable(asset.text) + " }";
    case AssetData::Kind::kUri:
      return "asset(uri:" + ShortHash(asset.hash) + ") { " + Printable(asset.text) + " }";
  }
  return "";
}

std::string ArchiveText(const ArchiveData& archive, const ValueTextOptions& options) {
  switch (archive.kind) {
    case ArchiveData::Kind::kPath:
      return "archive(file:" + ShortHash(archive.hash) + ") { " + Printable(archive.text) + " }";
    case ArchiveData::Kind::kUri:
      return "archive(uri:" + ShortHash(archive.hash) + ") { " + Printable(archive.text) + " }";
    case ArchiveData::Kind::kAssets:
      break;
  }
  return "archive(assets:" + ShortHash(archive.hash) + ") " + ValueText(Value(archive.assets), options);
}

std::string ArrayText(const Array& array, const ValueTextOptions& options) {
  if (array.empty()) return "[]";
  ValueTextOptions inner = options;
  inner.indent += 4;
  std::string out = "[\n";
  for (size_t i = 0; i < array.size(); ++i) {
    out += std::string(inner.indent, ' ') + "[" + std::to_string(i) + "]: " + ValueText(array[i], inner) + "\n";
  }
  return out + std::string(options.indent, ' ') + "]";
}

std::string ObjectText(const PropertyMap& object, const ValueTextOptions& options) {
  ValueTextOptions inner = options;
  inner.indent += 4;
  const std::string members = PropertiesText(object, inner);
  if (members.empty()) return "{}";
  return "{\n" + members + std::string(options.indent, ' ') + "}";
}

}  // namespace

std::string ValueText(const Value& value, const ValueTextOptions& options) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Value::Kind::kNumber:
      return NumberText(value.as_number());
    case Value::Kind::kString:
      return StringText(value.as_string(), options);
    case Value::Kind::kArray:
      return ArrayText(value.as_array(), options);
    case Value::Kind::kObject:
      return ObjectText(value.as_object(), options);
    case Value::Kind::kAsset:
      return AssetText(value.as_asset());
    case Value::Kind::kArchive:
      return ArchiveText(value.as_archive(), options);
    case Value::Kind::kSecret:
      return options.show_secrets ? ValueText(value.as_secret().element, options) : "[secret]";
    case Value::Kind::kOutput: {
      const OutputData& output = value.as_output();
      if (!output.known) return "[unknown]";
      if (output.secret && !options.show_secrets) return "[secret]";
      return ValueText(output.element, options);
    }
    case Value::Kind::kComputed:
      return "[unknown]";
    case Value::Kind::kReference:
      return "reference(" + Printable(value.as_reference().urn.str()) + ")";
  }
  return "";
}

size_t WidestKey(const PropertyMap& properties) {
  size_t width = 0;
  for (const auto& [key, value] : properties) {
    if (key.rfind("__", 0) != 0) width = std::max(width, static_cast<size_t>(DisplayWidth(Printable(key))));
  }
  return width;
}

std::string KeyLabel(const std::string& key, size_t width) {
  return PadRight(Printable(key), static_cast<int>(width)) + ": ";
}

std::string PropertiesText(const PropertyMap& properties, const ValueTextOptions& options) {
  const size_t width = options.align ? WidestKey(properties) : 0;
  std::string out;
  for (const auto& [key, value] : properties) {
    if (key.rfind("__", 0) == 0) continue;
    out += std::string(options.indent, ' ') + KeyLabel(key, width) + ValueText(value, options) + "\n";
  }
  return out;
}

}  // namespace kingpost
