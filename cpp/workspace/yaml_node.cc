// SPDX-License-Identifier: Apache-2.0
// See yaml_node.h. libfyaml scans; the tree, anchors and types are made here, where their size can be bounded.
#include "workspace/yaml_node.h"

#include <libfyaml.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/encoding.h"
#include "workspace/yaml_number.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

constexpr size_t kTextSizeMax = size_t{16} << 20;
constexpr int kDepthMax = 100;
constexpr int kNodesMax = 1'000'000;  // aliases unfolded

struct FreeParser {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};
struct FreeDiag {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};

std::string TokenText(fy_token* token) {
  size_t size = 0;
  const char* text = token ? fy_token_get_text(token, &size) : nullptr;
  return text ? std::string(text, size) : "";
}

// Builds the tree from the parser's events by recursive descent.
class TreeBuilder {
 public:
  TreeBuilder(const std::string& file, const std::string& text) : file_(file), text_(text) {
    fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = nullptr;
    diag_.reset(fy_diag_create(&diag_config));
    fy_diag_set_collect_errors(diag_.get(), true);
    fy_parse_cfg config{};
    config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG);
    config.diag = diag_.get();
    parser_.reset(fy_parser_create(&config));
    fy_parser_set_string(parser_.get(), text_.data(), text_.size());
  }

  Result<YamlNodePtr> Build() {
    while (Next() && event_->type != FYET_SCALAR && event_->type != FYET_MAPPING_START &&
           event_->type != FYET_SEQUENCE_START && event_->type != FYET_ALIAS) {
      if (event_->type == FYET_DOCUMENT_END || event_->type == FYET_STREAM_END) break;
    }
    YamlNodePtr root;
    if (event_ && event_->type != FYET_DOCUMENT_END && event_->type != FYET_STREAM_END) root = Node(0);
    // The text after the root may be broken all the same.
    while (failure_.ok() && event_ && event_->type != FYET_DOCUMENT_END && event_->type != FYET_STREAM_END) Next();
    const bool ended = event_ != nullptr;
    Release();
    if (!ended) ScannerError();
    if (!failure_.ok()) return failure_;
    return root;
  }

 private:
  bool Next() {
    Release();
    event_ = fy_parser_parse(parser_.get());
    return event_ != nullptr;
  }

  void Release() {
    if (event_) fy_parser_event_free(parser_.get(), event_);
    event_ = nullptr;
  }

  void Fail(int line, const std::string& message) {
    if (failure_.ok()) failure_ = Status(Code::kInvalidArgument, file_ + ":" + std::to_string(line) + ": " + message);
  }

  void ScannerError() {
    void* state = nullptr;
    if (const fy_diag_error* error = fy_diag_errors_iterate(diag_.get(), &state)) {
      std::string message = error->msg;
      return Fail(std::max(error->line, 1), "not valid YAML: " + message.substr(0, message.find('\n')));
    }
    return Fail(1, "not valid YAML");
  }

  // The node whose first event is the current one; its last event is the current one afterwards.
  YamlNodePtr Node(int depth) {
    auto node = std::make_shared<YamlNode>();
    const fy_mark* start = fy_event_start_mark(event_);
    node->line = start ? start->line + 1 : last_line_;
    node->begin = start ? start->input_pos : last_end_;
    last_line_ = node->line;
    if (depth > kDepthMax) {
      Fail(node->line, "nested more than " + std::to_string(kDepthMax) + " levels deep");
      return node;
    }
    fy_token* anchor = nullptr;
    switch (event_->type) {
      case FYET_SCALAR:
        anchor = event_->scalar.anchor;
        node->tag = TokenText(event_->scalar.tag);
        Scalar(node.get());
        break;
      case FYET_ALIAS:
        Alias(node.get());
        break;
      case FYET_MAPPING_START:
        anchor = event_->mapping_start.anchor;
        node->tag = TokenText(event_->mapping_start.tag);
        break;
      case FYET_SEQUENCE_START:
        anchor = event_->sequence_start.anchor;
        node->tag = TokenText(event_->sequence_start.tag);
        break;
      default:
        Fail(node->line, "not valid YAML");
        return node;
    }
    const std::string anchor_name = TokenText(anchor);
    node->anchored = !anchor_name.empty();
    if (event_->type == FYET_MAPPING_START) Map(node.get(), depth);
    if (failure_.ok() && event_->type == FYET_SEQUENCE_START) Sequence(node.get(), depth);
    last_end_ = node->end;
    if (!anchor_name.empty()) anchors_[anchor_name] = node;
    return node;
  }

  void Scalar(YamlNode* node) {
    const fy_mark* end = fy_event_end_mark(event_);
    const fy_scalar_style style = event_->scalar.value ? fy_token_scalar_style(event_->scalar.value) : FYSS_PLAIN;
    node->text = TokenText(event_->scalar.value);
    node->plain = style == FYSS_PLAIN;
    node->end = end ? end->input_pos : node->begin;
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) {
      node->begin -= 1;
      node->end += 1;
    } else if (style == FYSS_LITERAL || style == FYSS_FOLDED) {
      // The scanner begins behind the header, | or >, and ends before the next token.
      node->begin = text_.find_last_of("|>", node->begin - 1);
      while (node->end > node->begin && std::isspace(static_cast<unsigned char>(text_[node->end - 1]))) --node->end;
    }
  }

  void Alias(YamlNode* node) {
    const std::string name = TokenText(event_->alias.anchor);
    const auto found = anchors_.find(name);
    node->begin -= 1;  // the asterisk
    node->end = node->begin + 1 + name.size();
    node->alias = true;
    if (found == anchors_.end()) {
      Fail(node->line, "*" + name + " refers to an anchor that is not defined before it");
      return;
    }
    node->target = found->second;
  }

  bool NextInside() {
    if (Next()) return true;
    ScannerError();
    return false;
  }

  void Map(YamlNode* node, int depth) {
    node->kind = YamlNode::Kind::kMap;
    node->flow = text_[node->begin] == '{' && fy_event_end_mark(event_)->input_pos > node->begin;
    std::map<std::string, int> lines;
    while (NextInside() && event_->type != FYET_MAPPING_END) {
      YamlNodePtr key = Node(depth + 1);
      if (!failure_.ok() || !NextInside()) return;
      YamlNodePtr value = Node(depth + 1);
      if (!failure_.ok()) return;
      const YamlNode& name = key->alias ? *key->target : *key;
      if (name.kind != YamlNode::Kind::kScalar) return Fail(key->line, "only strings can be keys");
      const auto [first, unique] = lines.emplace(name.text, key->line);
      if (!unique && !(name.plain && name.text == "<<")) {
        return void(
            Fail(key->line, "the key '" + name.text + "' is already set in line " + std::to_string(first->second)));
      }
      node->end = value->end;
      node->pairs.emplace_back(std::move(key), std::move(value));
    }
    if (failure_.ok() && node->flow) node->end = fy_event_end_mark(event_)->input_pos;
    if (node->end == 0) node->end = node->begin;
  }

  void Sequence(YamlNode* node, int depth) {
    node->kind = YamlNode::Kind::kSequence;
    node->flow = text_[node->begin] == '[' && fy_event_end_mark(event_)->input_pos > node->begin;
    while (NextInside() && event_->type != FYET_SEQUENCE_END) {
      YamlNodePtr item = Node(depth + 1);
      if (!failure_.ok()) return;
      node->end = item->end;
      node->items.push_back(std::move(item));
    }
    if (failure_.ok() && node->flow) node->end = fy_event_end_mark(event_)->input_pos;
    if (node->end == 0) node->end = node->begin;
  }

  const std::string& file_;
  const std::string& text_;
  std::unique_ptr<fy_diag, FreeDiag> diag_;
  std::unique_ptr<fy_parser, FreeParser> parser_;
  fy_event* event_ = nullptr;
  std::map<std::string, YamlNodePtr> anchors_;
  size_t last_end_ = 0;
  int last_line_ = 1;
  Status failure_;
};

// Slashes in the pointer of a stack's setting, as in /config/proj:key.
constexpr int kSettingDepth = 2;

// Types, aliases and merge keys; notes the line of every value.
class JsonBuilder {
 public:
  JsonBuilder(YamlNumbers numbers, std::map<std::string, int>* lines) : numbers_(numbers), lines_(lines) {}
  std::vector<ChangedNumber> TakeChangedNumbers() { return std::move(changed_numbers_); }
  bool too_large() const { return nodes_ > kNodesMax; }

  Json Build(const YamlNode& node, const std::string& pointer) {
    if (++nodes_ > kNodesMax) return nullptr;
    lines_->emplace(pointer, node.line);
    const YamlNode& shown = node.alias ? *node.target : node;
    switch (shown.kind) {
      case YamlNode::Kind::kScalar:
        return Scalar(shown, pointer);
      case YamlNode::Kind::kSequence: {
        Json array = Json::array();
        for (size_t i = 0; i < shown.items.size(); ++i) {
          array.push_back(Build(*shown.items[i], pointer + "/" + std::to_string(i)));
        }
        return array;
      }
      case YamlNode::Kind::kMap:
        break;
    }
    Json object = Json::object();
    for (const auto& [key, value] : shown.pairs) {
      const YamlNode& name = key->alias ? *key->target : *key;
      lines_->emplace(pointer + "/" + name.text, key->line);
      Json built = Build(*value, pointer + "/" + name.text);
      if (name.plain && name.text == "<<") {
        Merge(built, &object);
      } else {
        object[name.text] = std::move(built);
      }
    }
    return object;
  }

 private:
  Json Scalar(const YamlNode& node, const std::string& pointer) {
    const bool is_text = node.tag.size() >= 3 && node.tag.compare(node.tag.size() - 3, 3, "str") == 0;
    if (!node.plain || is_text || (!node.tag.empty() && node.tag[0] == '!' && node.tag.compare(0, 2, "!!") != 0)) {
      return node.text;
    }
    if (numbers_ == YamlNumbers::kAsValues) return ResolvePlainScalar(node.text);
    Json value = NumberAsWritten(node.text, std::count(pointer.begin(), pointer.end(), '/') > kSettingDepth);
    if (ChangesWhenParsed(node.text, value)) changed_numbers_.push_back({pointer, node.text, value.dump()});
    return value;
  }

  // Keys set in the map itself win over merged ones, wherever they stand.
  static void Merge(const Json& merged, Json* object) {
    if (merged.is_array()) {
      for (const Json& each : merged) Merge(each, object);
    } else if (merged.is_object()) {
      for (const auto& [key, value] : merged.items()) object->emplace(key, value);
    }
  }

  const YamlNumbers numbers_;
  std::map<std::string, int>* lines_;
  std::vector<ChangedNumber> changed_numbers_;
  int nodes_ = 0;
};

}  // namespace

const YamlNode* YamlNode::Find(const std::string& key) const {
  for (const auto& [name, value] : pairs) {
    if (name->text == key) return value.get();
  }
  return nullptr;
}

Result<YamlDocument> YamlDocument::Parse(std::string file, std::string text, YamlNumbers numbers) {
  if (text.size() > kTextSizeMax) {
    return Status(Code::kResourceExhausted,
                  file + ": the file is larger than 16 MiB, which no settings file should be");
  }
  if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    if (length == 0 || text[i] == '\0') {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      return Status(Code::kInvalidArgument, file + ":" + std::to_string(line) + ": the file is not a text in UTF-8");
    }
    i += length;
  }
  YamlDocument document;
  document.file_ = std::move(file);
  document.text_ = std::move(text);
  Result<YamlNodePtr> root = TreeBuilder(document.file_, document.text_).Build();
  if (!root.ok()) return root.status().Wrap("invalid YAML file");
  document.root_ = std::move(*root);
  if (!document.root_) return document;

  document.numbers_ = numbers;
  JsonBuilder builder(numbers, &document.lines_);
  document.json_ = builder.Build(*document.root_, "");
  document.changed_numbers_ = builder.TakeChangedNumbers();
  if (builder.too_large()) {
    return Status(Code::kResourceExhausted,
                  document.file_ + ": the aliases in it unfold to more than a million values");
  }
  return document;
}

int YamlDocument::LineOf(const std::string& pointer) const {
  for (std::string at = pointer;;) {
    const auto found = lines_.find(at);
    if (found != lines_.end()) return found->second;
    const size_t slash = at.rfind('/');
    if (slash == std::string::npos) return 1;
    at.resize(slash);
  }
}

Status YamlDocument::Error(const std::string& pointer, const std::string& message) const {
  return {Code::kInvalidArgument, file_ + ":" + std::to_string(LineOf(pointer)) + ": " + message};
}

}  // namespace kingpost
