// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/snippet.h"

#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"

namespace kingpost::pcl {

namespace {

using nlohmann::json;

Result<PackageDescriptor> ParseDescriptor(const json& object) {
  PackageDescriptor package{TextOf(object, "name"), TextOf(object, "version"), TextOf(object, "downloadURL"), {}};
  const json* parameter = FieldOf(object, "parameterization");
  if (!parameter || !parameter->is_object()) return package;
  auto value = Base64Decode(TextOf(*parameter, "value"));
  if (!value) return Status(Code::kDataLoss, "its package parameter is not base64");
  package.parameterization = {TextOf(*parameter, "name"), TextOf(*parameter, "version"), std::move(*value)};
  return package;
}

Result<Snippet> ParseSnippet(const json& object) {
  Snippet snippet{
      TextOf(object, "uuid"), TextOf(object, "name"), TextOf(object, "type"), TextOf(object, "code"), {}, {}};
  if (snippet.name.empty() || snippet.type.empty()) return Status(Code::kDataLoss, "it has no name or no type");
  auto package = ParseDescriptor(ObjectOf(object, "descriptor"));
  if (!package.ok()) return package.status();
  snippet.package = std::move(*package);
  const json references = ObjectOf(object, "references");
  for (const auto& [name, urn] : references.items()) {
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
    if (TextOf(snippet, "uuid") != uuid) kept.push_back(snippet);
  }
  return kept.empty() ? "" : kept.dump();
}

}  // namespace kingpost::pcl
