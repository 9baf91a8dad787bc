// SPDX-License-Identifier: Apache-2.0
// The text of a YAML program as a tree of plain values, each with its place. Any thread; values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "languages/pcl/position.h"
#include "model/value.h"

namespace kingpost::yaml {

struct Entry;

struct Node {
  enum class Kind { kNull, kBool, kNumber, kText, kList, kObject };
  Kind kind = Kind::kNull;
  pcl::Position at;
  Value value;       // of a bool or a number
  std::string text;  // of any scalar, as it is written
  std::vector<Node> items;
  std::vector<Entry> entries;  // in the order of the text

  Node() = default;
  explicit Node(Kind kind, pcl::Position at = {}, std::string text = "");

  bool is_text() const { return kind == Kind::kText; }
  bool is_object() const { return kind == Kind::kObject; }
  bool is_list() const { return kind == Kind::kList; }
};
struct Entry {
  std::string key;
  pcl::Position at;
  Node value;
};
inline Node::Node(Kind kind, pcl::Position at, std::string text) : kind(kind), at(at), text(std::move(text)) {}

// The place of a program's text: for errors, and for code that shows the line.
struct Source {
  std::string file;  // as errors name it: "Pulumi.yaml"
  std::string text;

  std::string Line(int number) const;  // from 1; "" beyond the end
};

// Null if the node has no such field, or is no object.
const Node* FindField(const Node& node, const std::string& key);

// "text", "a number", "a list": for messages.
const char* KindOf(const Node& node);

// The value of a text in JSON; nullopt if it is not JSON.
std::optional<Value> ValueOfJson(const std::string& text);

// Errors carry a pcl::Mistake where their place is known.
Result<Node> ReadNode(const Source& source);

}  // namespace kingpost::yaml
