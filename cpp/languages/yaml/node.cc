// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/node.h"

#include <algorithm>

#include "base/json_access.h"
#include "workspace/yaml_node.h"
#include "workspace/yaml_number.h"

namespace kingpost::yaml {

namespace {

Value FromJson(const nlohmann::json& json) {
  if (json.is_boolean()) return Value(BoolIn(json));
  if (json.is_number()) return Value(NumberIn(json));
  if (json.is_string()) return Value(TextIn(json));
  if (json.is_array()) {
    Array list;
    for (const auto& element : json) list.push_back(FromJson(element));
    return Value(std::move(list));
  }
  if (!json.is_object()) return Value();
  PropertyMap object;
  for (const auto& [key, element] : json.items()) object.Set(key, FromJson(element));
  return Value(std::move(object));
}

class NodeReader {
 public:
  explicit NodeReader(const std::string& text) : text_(text) {
    starts_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  Result<Node> Read(const YamlNode& from) const {
    Node node;
    node.at = Place(from);
    if (from.alias) return pcl::ErrorAt(node.at, "alias nodes are not supported");
    if (from.kind == YamlNode::Kind::kScalar) {
      ReadScalar(from, &node);
      return node;
    }
    node.kind = from.kind == YamlNode::Kind::kSequence ? Node::Kind::kList : Node::Kind::kObject;
    for (const YamlNodePtr& item : from.items) {
      auto read = Read(*item);
      if (!read.ok()) return read;
      node.items.push_back(std::move(*read));
    }
    for (const auto& [key, value] : from.pairs) {
      auto name = Read(*key);
      if (!name.ok()) return name;
      if (!name->is_text()) return pcl::ErrorAt(name->at, "mapping keys must be strings");
      auto read = Read(*value);
      if (!read.ok()) return read;
      node.entries.push_back({std::move(name->text), name->at, std::move(*read)});
    }
    return node;
  }

 private:
  pcl::Position Place(const YamlNode& node) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), node.begin);
    const size_t start = *(after - 1);
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    const auto column = std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(start),
                                      text_.begin() + static_cast<std::ptrdiff_t>(node.begin), begins);
    return {static_cast<int>(after - starts_.begin()), static_cast<int>(column) + 1};
  }

  static void ReadScalar(const YamlNode& from, Node* node) {
    node->kind = Node::Kind::kText;
    node->text = from.text;
    const bool text_tag = from.tag.ends_with("str");
    if (!from.plain || text_tag) return;
    const Value value = FromJson(ResolvePlainScalar(from.text));
    if (value.is_string()) return;
    node->kind = value.is_null() ? Node::Kind::kNull : value.is_bool() ? Node::Kind::kBool : Node::Kind::kNumber;
    node->value = value;
  }

  const std::string& text_;
  std::vector<size_t> starts_;  // of the lines
};

}  // namespace

std::optional<Value> ValueOfJson(const std::string& text) {
  const nlohmann::json json = ParseJson(text);
  if (json.is_discarded()) return std::nullopt;
  return FromJson(json);
}

std::string Source::Line(int number) const {
  size_t begin = 0;
  for (int line = 1; line < number; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return "";
    ++begin;
  }
  std::string line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

const Node* FindField(const Node& node, const std::string& key) {
  const auto found = std::ranges::find(node.entries, key, &Entry::key);
  return found == node.entries.end() ? nullptr : &found->value;
}

const char* KindOf(const Node& node) {
  constexpr const char* kNames[] = {"null", "a boolean", "a number", "a string", "a list", "an object"};
  return kNames[static_cast<size_t>(node.kind)];
}

Result<Node> ReadNode(const Source& source) {
  auto document = YamlDocument::Parse(source.file, source.text);
  if (!document.ok()) return document.status();
  if (!document->root()) return Node(Node::Kind::kObject);
  return NodeReader(document->text()).Read(*document->root());
}

}  // namespace kingpost::yaml
