// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/snippet.h"

#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"

namespace kingpost::pcl {

namespace {

using nlohmann::json;

std::string FieldText(const json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? TextIn(*found) : "";
}

Result<PackageDescriptor> ParseDescriptor(const json& object) {
  PackageDescriptor package;
  package.name = FieldText(object, "name");
  package.version = FieldText(object, "version");
  package.download_url = FieldText(object, "downloadURL");
  auto parameter = object.find("parameterization");
  if (parameter == object.end() || !parameter->is_object()) return package;
  auto value = Base64Decode(FieldText(*parameter, "value"));
  if (!value) return Status(Code::kDataLoss, "its package parameter is not base64");
  package.parameterization = {FieldText(*parameter, "name"), FieldText(*parameter, "version"), std::move(*value)};
  return package;
}

Result<Snippet> ParseSnippet(const json& object) {
  Snippet snippet;
  snippet.uuid = FieldText(object, "uuid");
  snippet.name = FieldText(object, "name");
  snippet.type = FieldText(object, "type");
  snippet.code = FieldText(object, "code");
  if (snippet.name.empty() || snippet.type.empty()) return Status(Code::kDataLoss, "it has no name or no type");
  if (auto descriptor = object.find("descriptor"); descriptor != object.end() && descriptor->is_object()) {
    auto package = ParseDescriptor(*descriptor);
    if (!package.ok()) return package.status();
    snippet.package = std::move(*package);
  }
  auto references = object.find("references");
  if (references == object.end() || !references->is_object()) return snippet;
  for (const auto& [name, urn] : references->items()) {
    if (!urn.is_string()) return Status(Code::kDataLoss, "its reference " + Quote(name) + " is no URN");
    snippet.references[name] = TextIn(urn);
  }
  return snippet;
}

}  // namespace

Result<std::vector<Snippet>> ParseSnippets(const std::string& text) {
  std::vector<Snippet> snippets;
  if (text.empty()) return snippets;
  const json array = ParseJson(text);
  if (array.is_null()) return snippets;
  if (!array.is_array()) return Status(Code::kDataLoss, "the snippets of the state are not a list");
  for (size_t i = 0; i < array.size(); ++i) {
    const std::string what = "reading the snippet at index " + std::to_string(i) + " of the state";
    if (!array[i].is_object()) return Status(Code::kDataLoss, what + ": it is not an object");
    auto snippet = ParseSnippet(array[i]);
    if (!snippet.ok()) return snippet.status().Wrap(what);
    snippets.push_back(std::move(*snippet));
  }
  return snippets;
}

std::string WithoutSnippet(const std::string& text, const std::string& uuid) {
  json kept = json::array();
  for (const json& snippet : ParseJson(text)) {
    if (FieldText(snippet, "uuid") != uuid) kept.push_back(snippet);
  }
  return kept.empty() ? "" : kept.dump();
}

}  // namespace kingpost::pcl
