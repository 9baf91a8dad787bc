// SPDX-License-Identifier: Apache-2.0
// A YAML document as a tree that remembers the place of each node in the text. So a value can change while all
// comments, order and spacing around it stay. Any thread; values.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;

struct YamlNode {
  enum class Kind { kScalar, kMap, kSequence };
  Kind kind = Kind::kScalar;
  bool plain = true;      // a scalar without quotes or block style: its type is in its text
  bool flow = false;      // a collection in brackets
  bool anchored = false;  // something else may refer to it
  bool alias = false;     // stands for another node; `target` is that node
  std::string text;       // of a scalar
  std::string tag;
  size_t begin = 0, end = 0;  // bytes in the document, quotes and brackets included, comments after it excluded
  int line = 0;               // of its first byte, from 1
  std::vector<std::pair<YamlNodePtr, YamlNodePtr>> pairs;
  std::vector<YamlNodePtr> items;
  YamlNodePtr target;

  const YamlNode* Find(const std::string& key) const;  // the value in a map; null if there is none
};

// Whether json() has numbers as what they come to, or as a stack's settings have them (NumberAsWritten).
enum class YamlNumbers { kAsValues, kAsWritten };

// A number that json() has otherwise than the document has it.
struct ChangedNumber {
  std::string pointer, written, read;
};

class YamlDocument {
 public:
  // `file` names the document in errors, which are one line: FILE:LINE: what is wrong.
  static Result<YamlDocument> Parse(std::string file, std::string text, YamlNumbers numbers = YamlNumbers::kAsValues);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  const YamlNode* root() const { return root_.get(); }  // null if the document is empty
  const nlohmann::json& json() const { return json_; }  // null if the document is empty
  YamlNumbers numbers() const { return numbers_; }
  const std::vector<ChangedNumber>& changed_numbers() const { return changed_numbers_; }  // under kAsWritten

  // The line of the node at a JSON pointer such as /config/proj:key, or of its closest ancestor.
  int LineOf(const std::string& pointer) const;
  Status Error(const std::string& pointer, const std::string& message) const;

 private:
  std::string file_, text_;
  YamlNodePtr root_;
  nlohmann::json json_;
  YamlNumbers numbers_ = YamlNumbers::kAsValues;
  std::vector<ChangedNumber> changed_numbers_;
  std::map<std::string, int> lines_;  // by JSON pointer
};

}  // namespace kingpost
