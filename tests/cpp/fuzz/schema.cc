// SPDX-License-Identifier: Apache-2.0
// Schemas of packages, as plugins send them: the document is the same when it is read again, and what refers to what
// can be followed.
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "fuzz/fuzz.h"
#include "languages/pcl/package_schema.h"
#include "languages/schema/bind.h"
#include "languages/schema/document.h"

using namespace kingpost;

namespace {

void WriteAgain(const nlohmann::ordered_json& document) {
  const std::string text = schema::DocumentText(document);
  const auto again = schema::ReadCanonical(text);
  FUZZ_CHECK(again.ok(), again.status().message());
  FUZZ_CHECK(schema::DocumentText(*again) == text, text);
}

void BindAll(const nlohmann::ordered_json& document, bool dangling) {
  schema::BindOptions options;
  options.dangling_references = dangling;
  const schema::Bound bound = schema::Bind(document, options);
  if (schema::HasErrors(bound.diagnostics)) return;
  for (const schema::Resource* resource : bound.package->resources) {
    (void)schema::ReplaceOnChangesPaths(*resource);
    (void)bound.package->ModuleOf(resource->token);
  }
}

void Follow(const std::vector<pcl::PropertySchema>& properties, int levels) {
  for (const pcl::PropertySchema& property : properties) {
    (void)property.type.text();
    (void)property.type.choices();
    if (levels > 0) Follow(property.type.properties(), levels - 1);
    if (levels > 0) Follow(property.type.element().properties(), levels - 1);
  }
}

void LookUp(const std::string& text) {
  const auto package = pcl::PackageSchema::Parse("t", text);
  if (!package.ok()) return;
  const auto document = ParseJson(text);
  for (const char* section : {"resources", "functions"}) {
    const auto entries = ObjectOf(document, section);
    for (const auto& [token, spec] : entries.items()) {
      const auto resource = (*package)->FindResource(token);
      if (resource) Follow(resource->inputs, 3);
      const auto function = (*package)->FindFunction(token);
      if (function) Follow(function->inputs, 3);
    }
  }
}

}  // namespace

void Try(std::string_view input) {
  LookUp(std::string(input));
  const auto document = schema::ReadCanonical(input);
  if (!document.ok()) return;
  WriteAgain(*document);
  BindAll(*document, false);
  BindAll(*document, true);
  (void)schema::ReferencedPackages(*document);
}
