// SPDX-License-Identifier: Apache-2.0
// Fuzzes the schemas that plugins send. A document stays the same when it is read again, and every reference in it can
// be followed or is refused.
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "fuzz/fuzz.h"
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
  const schema::BoundPackage bound = schema::Bind(document, options);
  if (schema::HasErrors(bound.diagnostics)) return;
  for (const schema::Resource* resource : bound.package->resources) {
    (void)schema::ReplaceOnChangesPaths(*resource);
    (void)bound.package->ModuleOf(resource->token);
  }
}

void Follow(const schema::Properties& properties, int levels) {
  for (const schema::Property& property : properties) {
    (void)schema::TypeText(*property.type);
    const schema::Type* inner = property.type;
    while (inner->is_collection()) inner = inner->element;
    if (levels > 0 && inner->object) Follow(inner->object->properties, levels - 1);
  }
}

void LookUp(const std::string& text) {
  const auto package = schema::Open("t", text);
  if (!package.ok()) return;
  const auto document = ParseJson(text);
  for (const char* section : {"resources", "functions"}) {
    const auto entries = ObjectOf(document, section);
    for (const auto& [token, spec] : entries.items()) {
      const schema::Resource* resource = (*package)->FindResource(token);
      if (resource) Follow(resource->inputs, 3);
      const schema::Function* function = (*package)->FindFunction(token);
      if (function) Follow(function->input_properties(), 3);
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
}
