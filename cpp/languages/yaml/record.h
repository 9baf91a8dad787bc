// SPDX-License-Identifier: Apache-2.0
// A node that has to be an object with certain fields. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "languages/yaml/diagnostics.h"

namespace kingpost::yaml {

struct FieldReader {
  std::string name;
  std::function<void(const Node& value)> read;
};

// Reads the fields that are there, in the order of the text; `other` gets the entries that are none of them. Another
// case is understood, and warned of.
void ReadRecord(const Node& node, const std::string& what, const std::vector<FieldReader>& fields,
                Diagnostics* diagnostics, const std::function<void(const Entry& entry)>& other);

// Readers of fields, which say what a field should be and is not.
std::function<void(const Node&)> ReadTextInto(std::string* text, const std::string& what, Diagnostics* diagnostics);
std::function<void(const Node&)> ReadBoolInto(std::function<void(bool)> set, const std::string& what,
                                              Diagnostics* diagnostics);
std::function<void(const Node&)> ReadTextsInto(std::vector<std::string>* texts, const std::string& what,
                                               Diagnostics* diagnostics);
// Each entry of an object.
std::function<void(const Node&)> ReadEntries(std::function<void(const Entry&)> read, const std::string& what,
                                             Diagnostics* diagnostics);

}  // namespace kingpost::yaml
