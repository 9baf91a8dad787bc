// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/record.h"

#include <algorithm>

#include "languages/yaml/expression_reader.h"

namespace kingpost::yaml {

void ReadRecord(const Node& node, const std::string& what, const std::vector<FieldReader>& fields,
                Diagnostics* diagnostics, const ReadEntry& other) {
  if (!node.is_object()) {
    diagnostics->Error(node.at, what + " must be an object");
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldReader& known) { return SameButCase(entry.key, known.name); });
    if (field == fields.end()) {
      if (other) other(entry);
      continue;
    }
    WarnOfCase(entry.key, field->name, entry.at, diagnostics);
    field->read(entry.value);
  }
}

void RefuseField(const Entry& entry, const std::string& what, const std::string& known, Diagnostics* diagnostics) {
  diagnostics->Error(entry.at, "Field '" + entry.key + "' does not exist on Object '" + what + "'",
                     "Existing fields are: " + known);
}

ReadField ReadTextInto(std::string* text, const std::string& what, Diagnostics* diagnostics) {
  return [=](const Node& node) {
    if (node.is_text()) {
      *text = node.text;
    } else {
      diagnostics->Error(node.at, what + " must be a string");
    }
  };
}

ReadField ReadBoolInto(std::optional<bool>* flag, const std::string& what, Diagnostics* diagnostics) {
  return [=](const Node& node) {
    if (node.kind == Node::Kind::kBool) {
      *flag = node.value.as_bool();
    } else {
      diagnostics->Error(node.at, what + " must be a boolean value");
    }
  };
}

ReadField ReadEntries(const ReadEntry& read, const std::string& what, Diagnostics* diagnostics) {
  return [=](const Node& node) { ReadRecord(node, what, {}, diagnostics, read); };
}

}  // namespace kingpost::yaml
