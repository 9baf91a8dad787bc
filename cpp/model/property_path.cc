// SPDX-License-Identifier: Apache-2.0
// Property paths: parsing, printing, and reading and writing through them. Pure functions; any thread.
// Resetting to old values is in property_path_reset.cc.
#include "model/property_path.h"

#include <algorithm>
#include <charconv>

#include "base/encoding.h"

namespace kingpost {

namespace {

using Element = PropertyPath::Element;

Element NameElement(std::string name) {
  if (name == "*") return PropertyPath::Wildcard();
  return name;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Element>> Parse() {
    if (!text_.empty() && text_[0] == '.') return Bad("expected property path to start with a name or index");
    while (at_ < text_.size()) {
      if (text_[at_] == '[') {
        Status status = ParseIndex();
        if (!status.ok()) return status;
      } else if (text_[at_] == '.') {
        // A '[' may follow: old providers write "a.[0]".
        if (++at_ == text_.size()) return Bad("expected property path to end with a name or index");
      } else {
        const size_t end = std::min(text_.find_first_of(".[", at_), text_.size());
        elements_.push_back(NameElement(std::string(text_.substr(at_, end - at_))));
        at_ = end;
      }
    }
    return std::move(elements_);
  }

 private:
  static Status Bad(std::string message) { return Status(Code::kInvalidArgument, std::move(message)); }

  Status ParseIndex() {
    if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') return ParseQuotedName();
    const size_t end = text_.find(']', at_);
    if (end == text_.npos) return Bad("missing closing bracket in array index");
    const std::string_view digits = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (digits == "*") {
      elements_.emplace_back(PropertyPath::Wildcard());
      return Status::Ok();
    }
    int index = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || stop != digits.data() + digits.size()) {
      return Bad("invalid array index " + Quote(digits) + ": expected a number");
    }
    elements_.emplace_back(index);
    return Status::Ok();
  }

  // ["name"], where \" stands for a quote and any other backslash for itself.
  Status ParseQuotedName() {
    std::string name;
    size_t i = at_ + 2;
    for (; i < text_.size() && text_[i] != '"'; ++i) {
      if (text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] == '"') ++i;
      name += text_[i];
    }
    if (i == text_.size()) return Bad("missing closing quote in property name");
    if (i + 1 == text_.size() || text_[i + 1] != ']') return Bad("missing closing bracket in property access");
    at_ = i + 2;
    elements_.push_back(NameElement(std::move(name)));
    return Status::Ok();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Element> elements_;
};

bool IsPlainNameByte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

void AppendName(const std::string& name, bool first, std::string* out) {
  bool plain = true;
  for (char c : name) plain = plain && IsPlainNameByte(c);
  if (plain) {
    if (!first) *out += '.';
    *out += name;
    return;
  }
  *out += "[\"";
  for (char c : name) {
    if (c == '"') *out += '\\';
    *out += c;
  }
  *out += "\"]";
}

// The value itself, out of any secret or known output around it.
const Value& Bare(const Value& v) {
  const Value* bare = &v;
  while (true) {
    if (bare->is_secret()) {
      bare = &bare->as_secret().element;
    } else if (bare->is_output() && bare->as_output().known) {
      bare = &bare->as_output().element;
    } else {
      return *bare;
    }
  }
}

// `inner` with the secret or output around `original` put back.
Value Rewrap(const Value& original, Value inner) {
  if (original.is_secret()) return Value::Secret(Rewrap(original.as_secret().element, std::move(inner)));
  if (original.is_output() && original.as_output().known) {
    OutputData data = original.as_output();
    data.element = Rewrap(original.as_output().element, std::move(inner));
    return Value::Output(std::move(data));
  }
  return inner;
}

const Value* Step(const Value& v, const Element& element) {
  const Value& at = Bare(v);
  if (const int* index = std::get_if<int>(&element)) {
    if (!at.is_array() || *index < 0 || static_cast<size_t>(*index) >= at.as_array().size()) return nullptr;
    return &at.as_array()[*index];
  }
  const std::string* name = std::get_if<std::string>(&element);
  return name && at.is_object() ? at.as_object().Find(*name) : nullptr;
}

std::optional<Value> SetAt(const Value& root, const std::vector<Element>& path, size_t depth, const Value& value) {
  if (depth == path.size()) return value;
  const Value& at = Bare(root);
  const Value* child = Step(at, path[depth]);
  std::optional<Value> next = SetAt(child ? *child : Value(), path, depth + 1, value);
  if (!next) return std::nullopt;
  if (const std::string* name = std::get_if<std::string>(&path[depth])) {
    if (!at.is_object() && !at.is_null()) return std::nullopt;
    PropertyMap map = at.is_object() ? at.as_object() : PropertyMap();
    map.Set(*name, std::move(*next));
    return Rewrap(root, Value(std::move(map)));
  }
  const int* index = std::get_if<int>(&path[depth]);
  if (!index || *index < 0 || (!at.is_array() && !at.is_null())) return std::nullopt;
  Array array = at.is_array() ? at.as_array() : Array();
  if (static_cast<size_t>(*index) > array.size()) return std::nullopt;
  if (static_cast<size_t>(*index) == array.size()) array.emplace_back();
  array[*index] = std::move(*next);
  return Rewrap(root, Value(std::move(array)));
}

std::optional<Value> DeleteAt(const Value& root, const std::vector<Element>& path, size_t depth) {
  const Value& at = Bare(root);
  const Value* child = Step(at, path[depth]);
  const bool last = depth + 1 == path.size();
  std::optional<Value> next;
  if (!last) {
    next = child ? DeleteAt(*child, path, depth + 1) : std::nullopt;
    if (!next) return std::nullopt;
  }
  if (const std::string* name = std::get_if<std::string>(&path[depth])) {
    if (!at.is_object()) return std::nullopt;
    PropertyMap map = at.as_object();
    if (last) {
      map.Erase(*name);
    } else {
      map.Set(*name, std::move(*next));
    }
    return Rewrap(root, Value(std::move(map)));
  }
  if (!child) return std::nullopt;
  Array array = at.as_array();
  // The other elements keep their places.
  array[std::get<int>(path[depth])] = last ? Value() : std::move(*next);
  return Rewrap(root, Value(std::move(array)));
}

}  // namespace

Result<PropertyPath> PropertyPath::Parse(std::string_view text) {
  Result<std::vector<Element>> elements = Parser(text).Parse();
  if (!elements.ok()) return elements.status();
  return PropertyPath(std::move(*elements));
}

std::string PropertyPath::str() const {
  std::string out;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (const int* index = std::get_if<int>(&elements_[i])) {
      out += '[' + std::to_string(*index) + ']';
    } else if (const std::string* name = std::get_if<std::string>(&elements_[i])) {
      AppendName(*name, i == 0, &out);
    } else {
      out += "[\"*\"]";
    }
  }
  return out;
}

bool PropertyPath::Contains(const PropertyPath& other) const {
  if (other.elements_.size() < elements_.size()) return false;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (!std::holds_alternative<Wildcard>(elements_[i]) && elements_[i] != other.elements_[i]) return false;
  }
  return true;
}

const Value* PropertyPath::Get(const Value& root) const {
  const Value* at = &root;
  for (const Element& element : elements_) {
    at = Step(*at, element);
    if (!at) return nullptr;
  }
  return at;
}

std::optional<Value> PropertyPath::Set(const Value& root, const Value& value) const {
  if (empty()) return std::nullopt;
  return SetAt(root, elements_, 0, value);
}

std::optional<Value> PropertyPath::Delete(const Value& root) const {
  if (empty()) return std::nullopt;
  return DeleteAt(root, elements_, 0);
}

}  // namespace kingpost
