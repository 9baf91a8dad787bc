// SPDX-License-Identifier: Apache-2.0
// See yaml_edit.h. Two trees are compared, the old text's and the new value; each difference becomes one splice. The
// result is read back: if it does not say the new value after all, the whole document is written anew.
#include "workspace/yaml_edit.h"

#include <algorithm>

#include "workspace/yaml_number.h"
#include "workspace/yaml_writer.h"

namespace kingpost {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Splice {
  size_t begin = 0, end = 0;
  std::string text;
};

class Editor {
 public:
  explicit Editor(const YamlDocument& document) : text_(document.text()), numbers_(document.numbers()) {}

  // False if the node cannot be changed in place.
  bool Change(const YamlNode& node, const OrderedJson& value) {
    if (Says(node, value)) return true;
    if (node.alias || node.anchored || !node.tag.empty()) return false;
    switch (node.kind) {
      case YamlNode::Kind::kMap:
        return value.is_object() && !value.empty() && !node.flow && !node.pairs.empty() && ChangeMap(node, value);
      case YamlNode::Kind::kSequence:
        return value.is_array() && !value.empty() && !node.flow && !node.items.empty() && ChangeSequence(node, value);
      case YamlNode::Kind::kScalar:
        return ChangeScalar(node, value);
    }
    return false;
  }

  std::string Apply() {
    std::stable_sort(splices_.begin(), splices_.end(),
                     [](const Splice& a, const Splice& b) { return a.begin < b.begin; });
    std::string result;
    size_t at = 0;
    for (const Splice& splice : splices_) {
      if (splice.begin < at) return "";  // overlapping: read back as different, so written anew
      result.append(text_, at, splice.begin - at);
      result += splice.text;
      at = splice.end;
    }
    return result.append(text_, at, std::string::npos);
  }

 private:
  bool Says(const YamlNode& node, const OrderedJson& value) const {
    const YamlNode& shown = node.alias ? *node.target : node;
    if (shown.kind == YamlNode::Kind::kScalar) {
      if (!shown.plain || !shown.tag.empty()) return value == shown.text;
      const OrderedJson read = ResolvePlainScalar(shown.text);
      return read == value || (numbers_ == YamlNumbers::kAsWritten && read.is_number() && value == shown.text);
    }
    if (shown.kind == YamlNode::Kind::kSequence) {
      if (!value.is_array() || value.size() != shown.items.size()) return false;
      for (size_t i = 0; i < shown.items.size(); ++i) {
        if (!Says(*shown.items[i], value[i])) return false;
      }
      return true;
    }
    if (!value.is_object() || value.size() != shown.pairs.size()) return false;
    return std::all_of(shown.pairs.begin(), shown.pairs.end(), [&](const auto& pair) {
      const auto found = value.find(pair.first->text);
      return found != value.end() && Says(*pair.second, *found);
    });
  }

  size_t LineBegin(size_t at) const {
    const size_t newline = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  }
  size_t LineEnd(size_t at) const {  // behind the newline
    const size_t newline = text_.find('\n', at);
    return newline == std::string::npos ? text_.size() : newline + 1;
  }
  bool OnlySpaces(size_t begin, size_t end) const { return text_.find_first_not_of(' ', begin) >= end; }
  int Column(size_t at) const { return static_cast<int>(at - LineBegin(at)); }

  // Behind the last line of the node: where a sibling is inserted. Comments that follow stay behind it.
  size_t After(const YamlNode& node) const { return LineEnd(std::max(node.begin, node.end)); }

  bool ChangeScalar(const YamlNode& node, const OrderedJson& value) {
    if (value.is_structured() && !value.empty()) return false;
    if (node.end == node.begin) return false;  // an empty value: only the entry knows where it stands
    splices_.push_back({node.begin, node.end, YamlFlow(value)});
    return true;
  }

  bool ChangeMap(const YamlNode& map, const OrderedJson& value) {
    const int indent = Column(map.pairs[0].first->begin);
    for (const auto& [key, old_value] : map.pairs) {
      const auto found = value.find(key->text);
      const bool done =
          found == value.end() ? RemoveEntry(*key, *old_value) : ChangeOrRewrite(*key, *old_value, *found, indent);
      if (!done) return false;
    }
    std::string added;
    for (const auto& [key, new_value] : value.items()) {
      const bool known = std::any_of(map.pairs.begin(), map.pairs.end(),
                                     [&, &name = key](const auto& pair) { return pair.first->text == name; });
      if (!known) added += YamlEntry(key, new_value, indent);
    }
    if (!added.empty()) Insert(After(*LastOf(map)), std::move(added));
    return true;
  }

  static const YamlNode* LastOf(const YamlNode& map) {
    const auto& [key, value] = map.pairs.back();
    return value->end > key->end ? value.get() : key.get();
  }

  bool ChangeOrRewrite(const YamlNode& key, const YamlNode& old_value, const OrderedJson& new_value, int indent) {
    const size_t splices = splices_.size();
    if (Change(old_value, new_value)) return true;
    splices_.resize(splices);
    if (old_value.anchored) return false;  // others refer to it

    // From behind the colon to the end of the value. A comment on the line of a scalar stays.
    const size_t colon = text_.find(':', key.end);
    if (colon == std::string::npos || !OnlySpaces(key.end, colon)) return false;
    const std::string entry = YamlEntry("k", new_value, indent);
    std::string text = entry.substr(entry.find(':') + 1);
    const size_t end = std::max(colon + 1, old_value.end);
    const size_t line_end = LineEnd(end);
    const bool several_lines = std::count(text.begin(), text.end(), '\n') > 1;
    if (!several_lines) {
      text.pop_back();
      splices_.push_back({colon + 1, end, text});
      return true;
    }
    const size_t first_line = text.find('\n');
    splices_.push_back({colon + 1, end, text.substr(0, first_line)});
    Insert(line_end, text.substr(first_line + 1));
    return true;
  }

  bool RemoveEntry(const YamlNode& key, const YamlNode& value) {
    const size_t begin = LineBegin(key.begin);
    if (!OnlySpaces(begin, key.begin) || value.anchored) return false;
    splices_.push_back({begin, LineEnd(std::max(key.end, value.end)), ""});
    return true;
  }

  bool ChangeSequence(const YamlNode& sequence, const OrderedJson& value) {
    const size_t dash = DashOf(*sequence.items[0]);
    if (dash == std::string::npos) return false;
    const int indent = Column(dash);
    for (size_t i = 0; i < sequence.items.size(); ++i) {
      const YamlNode& item = *sequence.items[i];
      if (i < value.size() && Change(item, value[i])) continue;
      const size_t begin = DashOf(item);
      if (begin == std::string::npos || item.anchored || !OnlySpaces(LineBegin(begin), begin)) return false;
      std::string text = i < value.size() ? YamlItem(value[i], indent) : "";
      splices_.push_back({LineBegin(begin), After(item), std::move(text)});
    }
    std::string added;
    for (size_t i = sequence.items.size(); i < value.size(); ++i) added += YamlItem(value[i], indent);
    if (!added.empty()) Insert(After(*sequence.items.back()), std::move(added));
    return true;
  }

  size_t DashOf(const YamlNode& item) const {
    const size_t last = item.begin == 0 ? std::string::npos : text_.find_last_not_of(' ', item.begin - 1);
    return last != std::string::npos && text_[last] == '-' ? last : std::string::npos;
  }

  void Insert(size_t at, std::string text) {
    if (at == text_.size() && !text_.empty() && text_.back() != '\n') text = "\n" + text;
    splices_.push_back({at, at, std::move(text)});
  }

  const std::string& text_;
  const YamlNumbers numbers_;
  std::vector<Splice> splices_;
};

bool ReadsAs(const YamlDocument& document, const std::string& text, const nlohmann::json& value) {
  const Result<YamlDocument> read = YamlDocument::Parse(document.file(), text, document.numbers());
  return read.ok() && read->json() == value;
}

bool IsJsonFile(const std::string& file) { return file.size() > 5 && file.compare(file.size() - 5, 5, ".json") == 0; }

}  // namespace

std::string EditYaml(const YamlDocument& document, const OrderedJson& value) {
  const nlohmann::json wanted = value;
  if (document.json() == wanted || (!document.root() && value.empty())) return document.text();
  if (IsJsonFile(document.file())) return value.dump(4) + "\n";

  std::string edited;
  if (document.root()) {
    Editor editor(document);
    if (editor.Change(*document.root(), value)) edited = editor.Apply();
  } else if (!value.empty()) {  // only comments, or nothing
    edited = document.text();
    if (!edited.empty() && edited.back() != '\n') edited += '\n';
    edited += YamlBlock(value, 0);
  }
  if (!edited.empty() && ReadsAs(document, edited, wanted)) return edited;
  return value.empty() ? "{}\n" : YamlBlock(value, 0);
}

}  // namespace kingpost
