// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/record.h"

#include <algorithm>

#include "languages/yaml/expression_reader.h"

namespace kingpost::yaml {

void ReadRecord(const Node& node, const std::string& what, const std::vector<FieldReader>& fields,
                Diagnostics* diagnostics, const std::function<void(const Entry& entry)>& other) {
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

std::function<void(const Node&)> ReadTextInto(std::string* text, const std::string& what, Diagnostics* diagnostics) {
  return [=](const Node& node) {
    if (node.is_text()) {
      *text = node.text;
    } else {
      diagnostics->Error(node.at, what + " must be a string");
    }
  };
}

std::function<void(const Node&)> ReadBoolInto(std::function<void(bool)> set, const std::string& what,
                                              Diagnostics* diagnostics) {
  return [set = std::move(set), what, diagnostics](const Node& node) {
    if (node.kind == Node::Kind::kBool) {
      set(node.flag);
    } else {
      diagnostics->Error(node.at, what + " must be a boolean value");
    }
  };
}

std::function<void(const Node&)> ReadTextsInto(std::vector<std::string>* texts, const std::string& what,
                                               Diagnostics* diagnostics) {
  return [=](const Node& node) {
    if (!node.is_list()) {
      diagnostics->Error(node.at, what + " must be a list");
      return;
    }
    for (size_t i = 0; i < node.items.size(); ++i) {
      if (node.items[i].is_text()) {
        texts->push_back(node.items[i].text);
      } else {
        diagnostics->Error(node.items[i].at, what + "[" + std::to_string(i) + "] must be a string");
      }
    }
  };
}

std::function<void(const Node&)> ReadEntries(std::function<void(const Entry&)> read, const std::string& what,
                                             Diagnostics* diagnostics) {
  return [read = std::move(read), what, diagnostics](const Node& node) {
    if (!node.is_object()) {
      diagnostics->Error(node.at, what + " must be an object");
      return;
    }
    for (const Entry& entry : node.entries) read(entry);
  };
}

}  // namespace kingpost::yaml
