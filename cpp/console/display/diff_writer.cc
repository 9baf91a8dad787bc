// SPDX-License-Identifier: Apache-2.0
// Both sides are walked together. Lines of one change: its mark and label, the old value, "=>", the new value, the
// note.
#include "console/display/diff_writer.h"

#include <set>

#include "base/utf8.h"
#include "console/display/list_diff.h"
#include "console/display/structured_text.h"
#include "console/display/text_block.h"
#include "console/display/value_text.h"

namespace kingpost {

namespace {

constexpr int kInner = 4;          // columns that a level of nesting takes
constexpr size_t kShortText = 80;  // texts up to here are shown whole, changed or not
constexpr size_t kAround = 24;     // bytes of what is the same, before and after a change in a long line

PropertyPath Below(const PropertyPath& path, PropertyPath::Element element) {
  std::vector<PropertyPath::Element> elements = path.elements();
  elements.push_back(std::move(element));
  return PropertyPath(std::move(elements));
}

// The parts of two long lines that differ, with a little around them.
struct Excerpts {
  std::string old_text, new_text;
};
Excerpts ExcerptsOf(const std::string& a, const std::string& b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t before = 0, after = 0;
  while (before < shorter && a[before] == b[before]) ++before;
  while (after < shorter - before && a[a.size() - 1 - after] == b[b.size() - 1 - after]) ++after;
  size_t start = before > kAround ? before - kAround : 0;
  while (start > 0 && IsUtf8Continuation(a[start])) --start;
  size_t rest = after > kAround ? after - kAround : 0;
  while (rest > 0 && rest < a.size() && IsUtf8Continuation(a[a.size() - rest])) --rest;
  const auto cut = [&](const std::string& text) {
    const std::string middle = text.substr(start, text.size() - rest - start);
    return (start > 0 ? "…" : "") + middle + (rest > 0 ? "…" : "");
  };
  return {cut(a), cut(b)};
}

}  // namespace

bool DiffWriter::Same(const Value& a, const Value& b) const {
  return DeepEqual(Unwrapped(a), Unwrapped(b)) && IsSecret(a) == IsSecret(b);
}

int DiffWriter::Objects(const PropertyMap& old_map, const PropertyMap& new_map, int indent, bool show_sames,
                        const PropertyPath& path) {
  std::set<std::string> keys;
  for (const auto& [key, value] : old_map) keys.insert(key);
  for (const auto& [key, value] : new_map) keys.insert(key);
  const size_t width = options_.align ? std::max(WidestKey(old_map), WidestKey(new_map)) : 0;
  int hidden = 0;
  for (const std::string& key : keys) {
    if (!inside_document_ && key.rfind("__", 0) == 0) continue;
    const Value* old_value = old_map.Find(key);
    const Value* new_value = new_map.Find(key);
    if (!old_value || !new_value || !Same(*old_value, *new_value)) {
      Pair(KeyLabel(key, width), old_value, new_value, indent, Below(path, key));
    } else if (show_sames) {
      Line(indent, kNoMark, KeyLabel(key, width) + Text(*new_value, indent));
    } else {
      ++hidden;
    }
  }
  return hidden;
}

void DiffWriter::Pair(const std::string& label, const Value* old_value, const Value* new_value, int indent,
                      const PropertyPath& path) {
  if (!old_value && !new_value) return;
  const ChangeMark mark = !old_value ? kAddMark : !new_value ? kDeleteMark : kUpdateMark;
  if (reasons_.IsHidden(path)) return Line(indent, mark, label + "(hidden)", reasons_.NoteOfAll(path));
  if (!old_value) return One(mark, label, *new_value, indent, reasons_.NoteOfAll(path));
  if (!new_value) return One(mark, label, *old_value, indent, reasons_.NoteOfAll(path));
  Changed(label, *old_value, *new_value, indent, path, reasons_.NoteOf(path));
}

void DiffWriter::One(ChangeMark mark, const std::string& label, const Value& value, int indent,
                     const std::string& note) {
  Line(indent, mark, label + Text(value, indent), note);
}

void DiffWriter::Changed(const std::string& label, const Value& old_value, const Value& new_value, int indent,
                         const PropertyPath& path, const std::string& note) {
  const Value& old_inside = Unwrapped(old_value);
  const Value& new_inside = Unwrapped(new_value);
  if (IsOpaque(old_value) || IsOpaque(new_value)) return Scalars(label, old_value, new_value, indent, note);
  if (ChangedContainers(label, old_inside, new_inside, indent, path, note)) return;
  const bool texts = old_inside.is_string() && new_inside.is_string();
  if (texts && ChangedTexts(label, Masked(old_inside), Masked(new_inside), indent, note)) return;
  Scalars(label, old_value, new_value, indent, note);
}

bool DiffWriter::ChangedContainers(const std::string& label, const Value& old_value, const Value& new_value, int indent,
                                   const PropertyPath& path, const std::string& note) {
  if (old_value.is_object() && new_value.is_object()) {
    Line(indent, kUpdateMark, label + "{", note);
    Hidden(Objects(old_value.as_object(), new_value.as_object(), indent + kInner, false, path), indent + kInner);
    Line(indent, kNoMark, "}");
    return true;
  }
  if (old_value.is_array() && new_value.is_array()) {
    // Places in the list change, so what forces the replacement is told at its head.
    Line(indent, kUpdateMark, label + "[", reasons_.NoteOfAll(path));
    Arrays(old_value.as_array(), new_value.as_array(), indent + kInner, path);
    Line(indent, kNoMark, "]");
    return true;
  }
  return false;
}

std::string DiffWriter::Masked(const Value& text) const {
  return options_.masking ? options_.masking->Inner(text.as_string()) : text.as_string();
}

bool DiffWriter::ChangedTexts(const std::string& label, const std::string& old_text, const std::string& new_text,
                              int indent, const std::string& note) {
  const std::optional<StructuredText> old_document = ParseStructuredText(old_text);
  const std::optional<StructuredText> new_document =
      old_document ? ParseStructuredText(new_text) : std::optional<StructuredText>();
  if (old_document && new_document && old_document->value.kind() == new_document->value.kind()) {
    const std::string format = "(" + std::string(new_document->format) + ") ";
    if (!DeepEqual(old_document->value, new_document->value)) {
      static const ChangeReasons none;
      DiffWriter inner(options_, painter_, none);
      inner.inside_document_ = true;
      inner.ChangedContainers(label + format, old_document->value, new_document->value, indent, PropertyPath(), note);
      out_ += inner.Take();
      return true;
    }
    if (!HasSeveralLines(old_text) || !HasSeveralLines(new_text)) {
      Line(indent, kUpdateMark, label + format + "says the same in another layout", note);
      return true;
    }
  }
  if (!HasSeveralLines(old_text) && !HasSeveralLines(new_text)) return false;
  Line(indent, kUpdateMark, label + "|", note);
  for (const TextLine& line : ChangedText(old_text, new_text, options_.full_output)) {
    const bool left_out = line.kind == TextLine::Kind::kLeftOut;
    const ChangeMark mark = line.kind == TextLine::Kind::kDeleted    ? kDeleteMark
                            : line.kind == TextLine::Kind::kInserted ? kAddMark
                                                                     : kNoMark;
    Line(indent + kInner, mark, left_out ? painter_.Paint(Style::kDim, line.text) : line.text);
  }
  return true;
}

void DiffWriter::Scalars(const std::string& label, const Value& old_value, const Value& new_value, int indent,
                         const std::string& note) {
  std::string old_text = Text(old_value, indent, true), new_text = Text(new_value, indent, true);
  const Value& old_inside = Unwrapped(old_value);
  const Value& new_inside = Unwrapped(new_value);
  const bool opaque = IsOpaque(old_value) || IsOpaque(new_value);
  const bool is_long = old_text.size() > kShortText && new_text.size() > kShortText;
  if (!opaque && is_long && old_inside.is_string() && new_inside.is_string()) {
    if (!options_.full_output) {
      const Excerpts excerpts = ExcerptsOf(Masked(old_inside), Masked(new_inside));
      old_text = Text(Value(excerpts.old_text), indent, true);
      new_text = Text(Value(excerpts.new_text), indent, true);
    }
    if (old_text.size() + new_text.size() > kShortText) {
      Line(indent, kUpdateMark, label, note);
      Line(indent + kInner, kDeleteMark, old_text);
      return Line(indent + kInner, kAddMark, new_text);
    }
  }
  out_ += std::string(static_cast<size_t>(indent), ' ') + painter_.Paint(Style::kYellow, "~ " + label) +
          painter_.Paint(Style::kRed, old_text) + " => " + painter_.Paint(Style::kGreen, new_text) +
          painter_.Paint(Style::kMagenta, note) + "\n";
}

void DiffWriter::Arrays(const Array& old_array, const Array& new_array, int indent, const PropertyPath& path) {
  const auto label = [](int index) { return "[" + std::to_string(index) + "]: "; };
  const auto moved = [](const ListChange& change) {
    return "[" + std::to_string(change.old_index) + " => " + std::to_string(change.new_index) + "]: ";
  };
  const auto same = [this](const Value& a, const Value& b) { return Same(a, b); };
  int hidden = 0;
  for (const ListChange& change : DiffLists(old_array, new_array, same)) {
    const Value* old_value = change.old_index < 0 ? nullptr : &old_array[static_cast<size_t>(change.old_index)];
    const Value* new_value = change.new_index < 0 ? nullptr : &new_array[static_cast<size_t>(change.new_index)];
    switch (change.kind) {
      case ListChange::Kind::kSame:
        ++hidden;
        break;
      case ListChange::Kind::kInserted:
        One(kAddMark, label(change.new_index), *new_value, indent, "");
        break;
      case ListChange::Kind::kRemoved:
        One(kDeleteMark, label(change.old_index), *old_value, indent, "");
        break;
      case ListChange::Kind::kMoved:
        One(kUpdateMark, moved(change), *new_value, indent, "  # moved");
        break;
      case ListChange::Kind::kChanged:
        Changed(change.old_index == change.new_index ? label(change.new_index) : moved(change), *old_value, *new_value,
                indent, Below(path, change.new_index), "");
        break;
    }
  }
  Hidden(hidden, indent, "item", "items");
}

// A text of several lines is painted line by line, so that a pager or a cut between them keeps the colours.
void DiffWriter::Line(int indent, ChangeMark mark, const std::string& text, const std::string& note) {
  out_ += std::string(static_cast<size_t>(indent), ' ');
  const std::string all = mark.text + text;
  size_t start = 0;
  for (size_t end = all.find('\n'); end != std::string::npos; end = all.find('\n', start)) {
    out_ += painter_.Paint(mark.style, all.substr(start, end - start));
    if (start == 0) out_ += painter_.Paint(Style::kMagenta, note);
    out_ += '\n';
    start = end + 1;
  }
  out_ += painter_.Paint(mark.style, all.substr(start));
  if (start == 0) out_ += painter_.Paint(Style::kMagenta, note);
  out_ += '\n';
}

void DiffWriter::Hidden(int count, int indent, const char* noun, const char* nouns) {
  if (count == 0) return;
  const std::string text = "(" + std::to_string(count) + " unchanged " + (count == 1 ? noun : nouns) + " hidden)";
  Line(indent, kNoMark, painter_.Paint(Style::kDim, text));
}

std::string DiffWriter::Text(const Value& value, int indent, bool one_line) const {
  ValueTextOptions text = ValueOptions(options_, indent + 2);
  text.one_line = one_line;
  return ValueText(value, text);
}

}  // namespace kingpost
