// SPDX-License-Identifier: Apache-2.0
// The change of a step, property by property; diff_writer.cc makes the lines of two values.
#include "console/display/diff.h"

#include <map>

#include "console/display/diff_writer.h"
#include "console/display/explanation.h"
#include "console/display/labels.h"

namespace kingpost {

namespace {

ChangeMark MarkOf(DiffKind kind) {
  switch (kind) {
    case DiffKind::kAdd:
    case DiffKind::kAddReplace:
      return kAddMark;
    case DiffKind::kDelete:
    case DiffKind::kDeleteReplace:
      return kDeleteMark;
    case DiffKind::kUpdate:
    case DiffKind::kUpdateReplace:
      return kUpdateMark;
  }
  return kUpdateMark;
}

// The value at the path, where anything inside a secret is that secret.
std::optional<Value> Lookup(const PropertyMap& map, const PropertyPath& path) {
  Value here{map};
  for (const PropertyPath::Element& element : path.elements()) {
    if (IsSecret(here)) return Value::Secret(Unwrapped(here));
    const Value& inside = Unwrapped(here);
    const PropertyPath step(std::vector<PropertyPath::Element>{element});
    const Value* next = step.Get(inside);
    if (!next) return std::nullopt;
    Value copy = *next;
    here = std::move(copy);
  }
  return here;
}

using Elements = std::vector<PropertyPath::Element>;

// Where the two sides of what a provider reports stand.
class StepSides {
 public:
  StepSides(const StepMetadata& step, bool refresh) : step_(step), refresh_(refresh) {}

  // Inputs are what the user wrote; outputs may hold more than was asked for. `input_diff`: the provider compared
  // inputs with inputs.
  std::optional<Value> Old(const PropertyPath& path, bool input_diff) const {
    if (!step_.old_state) return std::nullopt;
    const PropertyMap& first = input_diff && !refresh_ ? step_.old_state->inputs : step_.old_state->outputs;
    const PropertyMap& second = input_diff && !refresh_ ? step_.old_state->outputs : step_.old_state->inputs;
    std::optional<Value> found = Lookup(first, path);
    return found ? found : Lookup(second, path);
  }
  std::optional<Value> New(const PropertyPath& path) const {
    if (!step_.new_state) return std::nullopt;
    return Lookup(refresh_ ? step_.new_state->outputs : step_.new_state->inputs, path);
  }

 private:
  const StepMetadata& step_;
  const bool refresh_;
};

struct Entry {
  PropertyPath path;
  DiffKind kind = DiffKind::kUpdate;
  bool input_diff = false;
};

// The list shows its items, because it knows which were inserted and which moved.
std::optional<PropertyPath> ListOf(const PropertyPath& path, const StepSides& sides) {
  Elements elements;
  for (const PropertyPath::Element& element : path.elements()) {
    const PropertyPath above(elements);
    if (std::holds_alternative<int>(element) && !above.empty()) {
      const std::optional<Value> old_list = sides.Old(above, true), new_list = sides.New(above);
      if (!old_list || !new_list || !Unwrapped(*old_list).is_array() || !Unwrapped(*new_list).is_array())
        return std::nullopt;
      return DeepEqual(*old_list, *new_list) ? std::nullopt : std::optional<PropertyPath>(above);
    }
    elements.push_back(element);
  }
  return std::nullopt;
}

// The reported places, each once: an entry covers all places below it.
std::map<std::string, Entry> EntriesOf(const DetailedDiff& detailed, const StepSides& sides) {
  std::map<std::string, Entry> entries;
  for (const auto& [text, diff] : detailed) {
    const Result<PropertyPath> path = PropertyPath::Parse(text);
    if (!path.ok()) continue;
    Entry entry{*path, diff.kind, diff.input_diff};
    if (const std::optional<PropertyPath> list = ListOf(*path, sides)) entry = {*list, DiffKind::kUpdate, true};
    entries.emplace(entry.path.str(), std::move(entry));
  }
  for (auto at = entries.begin(); at != entries.end();) {
    bool is_told = false;
    Elements above = at->second.path.elements();
    while (!is_told && above.size() > 1) {
      above.pop_back();
      is_told = entries.count(PropertyPath(above).str()) > 0;
    }
    at = is_told ? entries.erase(at) : std::next(at);
  }
  return entries;
}

// The width to which the short paths are padded.
size_t WidestPath(const std::map<std::string, Entry>& entries) {
  constexpr size_t kShort = 24;
  size_t widest = 0;
  for (const auto& [text, entry] : entries) {
    const size_t width = static_cast<size_t>(DisplayWidth(Printable(text)));
    if (width <= kShort) widest = std::max(widest, width);
  }
  return widest;
}

void DetailedLines(const StepMetadata& step, const ChangeReasons& reasons, DiffWriter* writer, int indent, bool refresh,
                   bool align) {
  const StepSides sides(step, refresh);
  const std::map<std::string, Entry> entries = EntriesOf(*step.detailed, sides);
  const size_t width = align ? WidestPath(entries) : 0;
  for (const auto& [text, entry] : entries) {
    const ChangeMark mark = MarkOf(entry.kind);
    const bool adds = mark.text == kAddMark.text, deletes = mark.text == kDeleteMark.text;
    const std::optional<Value> old_value = adds ? std::nullopt : sides.Old(entry.path, entry.input_diff);
    std::optional<Value> new_value = deletes ? std::nullopt : sides.New(entry.path);
    // The provider will come to another value than the one it had, which nobody asked for.
    if (!adds && !deletes && old_value && !new_value && !refresh) new_value = Value(Computed());
    if (reasons.IsHidden(entry.path) || (!old_value && !new_value)) {
      const bool hidden = reasons.IsHidden(entry.path);
      writer->Line(indent, mark, Printable(text) + (hidden ? " (hidden)" : ""), reasons.NoteOf(entry.path));
      continue;
    }
    writer->Pair(KeyLabel(text, width), old_value ? &*old_value : nullptr, new_value ? &*new_value : nullptr, indent,
                 entry.path);
  }
}

// Keys that the provider names although their inputs are the same: it has compared them with what is recorded. Answers
// how many of them are inputs.
int NamedLines(const StepMetadata& step, const ChangeReasons& reasons, DiffWriter* writer, int indent) {
  int inputs = 0;
  for (const std::string& key : step.diffs) {
    const Value* before = step.old_state->inputs.Find(key);
    const Value* after = step.new_state->inputs.Find(key);
    if (!before != !after || (before && !DeepEqual(*before, *after))) continue;  // told as a change
    if (after) ++inputs;
    const PropertyPath path(std::vector<PropertyPath::Element>{key});
    const Value* recorded = step.old_state->outputs.Find(key);
    const Value unknown{Computed()};
    if (!after && recorded) after = &unknown;
    if ((!recorded && !after) || (recorded && after && DeepEqual(*recorded, *after))) {
      writer->Line(indent, kUpdateMark, Printable(key), reasons.NoteOf(path));
    } else {
      writer->Pair(KeyLabel(key, 0), recorded, after, indent, path);
    }
  }
  return inputs;
}

void ChangedLines(const StepMetadata& step, const ChangeReasons& reasons, DiffWriter* writer, int indent, bool refresh,
                  bool align) {
  if (step.detailed && !step.detailed->empty()) return DetailedLines(step, reasons, writer, indent, refresh, align);
  if (!step.old_state || !step.new_state) return;
  const PropertyMap& old_map = refresh ? step.old_state->outputs : step.old_state->inputs;
  const PropertyMap& new_map = refresh ? step.new_state->outputs : step.new_state->inputs;
  int hidden = writer->Objects(old_map, new_map, indent, false, PropertyPath());
  if (!refresh) hidden -= NamedLines(step, reasons, writer, indent);
  writer->Hidden(hidden, indent);
}

// A provider that the program has chosen.
std::string ProviderLine(const StepMetadata& step, const std::string& margin) {
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (!state || state->provider.empty()) return "";
  const Result<ProviderReference> reference = ProviderReference::Parse(state->provider);
  if (!reference.ok() || IsDefaultProviderUrn(reference->urn)) return "";
  return margin + "    [provider=" + Printable(state->provider) + "]\n";
}

}  // namespace

std::string OutputsHeading(int indent) { return std::string(indent + 4, ' ') + "--outputs:--\n"; }

std::string StepOutputsText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter,
                            int indent) {
  if (!step.new_state || step.op == StepOp::kSame) return "";
  PropertyMap old_outputs, new_outputs;
  for (const auto& [key, value] : step.new_state->outputs) {
    const Value* input = step.new_state->inputs.Find(key);
    if (!input || !DeepEqual(Unwrapped(*input), Unwrapped(value))) new_outputs.Set(key, value);
  }
  if (step.old_state) {
    for (const auto& [key, value] : step.old_state->outputs) {
      if (new_outputs.Has(key) || !step.new_state->outputs.Has(key)) old_outputs.Set(key, value);
    }
  }
  const std::string header = OutputsHeading(indent);
  if (!step.old_state || step.op == StepOp::kRead || step.op == StepOp::kImport) {
    const std::string lines = PropertiesText(new_outputs, ValueOptions(options, indent + 4));
    return lines.empty() ? "" : header + lines;
  }
  const ChangeReasons none;
  DiffWriter writer(options, painter, none);
  writer.Objects(old_outputs, new_outputs, indent + 2, false, PropertyPath());
  const std::string lines = writer.Take();
  return lines.empty() ? "" : header + lines;
}

ValueTextOptions ValueOptions(const DiffTextOptions& options, int indent) {
  ValueTextOptions text;
  text.indent = indent;
  text.full = options.full_output;
  text.show_secrets = options.show_secrets;
  text.align = options.align;
  text.masking = options.masking;
  return text;
}

std::string StepDiffText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter, int indent) {
  const StepLabel& label = LabelOf(step.op);
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  const std::string name = options.urns ? step.urn.str() : step.type;
  std::string head = std::string(label.mark) + Printable(name) + ": (" + StepOpName(step.op) + ")";
  if (state && state->protect) head += " [protected]";

  const std::string margin(indent, ' ');
  std::string out = margin + painter.Paint(label.style, head) + "\n";
  if (options.explain && !IsRootStack(step)) {
    for (const std::string& line : Explanation(step, false)) {
      out += margin + "    " + painter.Paint(Style::kDim, "# " + line) + "\n";
    }
  }
  if (!options.summary) {
    const std::string& id = step.old_state ? step.old_state->id : std::string();
    if (!id.empty()) out += margin + "    [id=" + Printable(id) + "]\n";
    if (!options.urns) out += margin + "    [urn=" + Printable(step.urn.str()) + "]\n";
    out += ProviderLine(step, margin);
  }

  if (step.op == StepOp::kSame) return out;
  const bool creates = step.op == StepOp::kCreate || step.op == StepOp::kImport || step.op == StepOp::kRead;
  const ValueTextOptions text = ValueOptions(options, indent + 4);
  if (creates && step.new_state) return out + PropertiesText(step.new_state->inputs, text);
  if (!step.new_state) return step.old_state ? out + PropertiesText(step.old_state->inputs, text) : out;
  const ChangeReasons reasons(step);
  DiffWriter writer(options, painter, reasons);
  ChangedLines(step, reasons, &writer, indent + 2, options.refresh || step.op == StepOp::kRefresh, options.align);
  return out + writer.Take();
}

std::string PropertiesDiffText(const PropertyMap& old_map, const PropertyMap& new_map, const DiffTextOptions& options,
                               const Painter& painter, int indent, bool show_sames) {
  const ChangeReasons none;
  DiffWriter writer(options, painter, none);
  writer.Objects(old_map, new_map, indent, show_sames, PropertyPath());
  return writer.Take();
}

}  // namespace kingpost
