// SPDX-License-Identifier: Apache-2.0
// A node that has to be an object with certain fields. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "languages/yaml/diagnostics.h"

namespace kingpost::yaml {

using ReadField = std::function<void(const Node& value)>;
using ReadEntry = std::function<void(const Entry& entry)>;

struct FieldReader {
  std::string name;
  ReadField read;
};

// Reads the fields that are there, in the order of the text; `other` gets the entries that are none of them. Another
// case is understood, and warned of.
void ReadRecord(const Node& node, const std::string& what, const std::vector<FieldReader>& fields,
                Diagnostics* diagnostics, const ReadEntry& other);

// Tells of a field that is none of those that there are: "Field 'x' does not exist on Object 'get'".
void RefuseField(const Entry& entry, const std::string& what, const std::string& known, Diagnostics* diagnostics);

// Readers of fields, which say what a field should be and is not.
ReadField ReadTextInto(std::string* text, const std::string& what, Diagnostics* diagnostics);
ReadField ReadBoolInto(std::optional<bool>* flag, const std::string& what, Diagnostics* diagnostics);
// Each entry of an object.
ReadField ReadEntries(const ReadEntry& read, const std::string& what, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
