// Structural diffs walk both sides together and never look into a secret unless secrets are shown.
#include "cli/display/diff.h"

#include <map>
#include <set>

#include "cli/display/labels.h"
#include "cli/display/value_text.h"

namespace kingpost {

namespace {

enum class Change { kAdd, kDelete, kUpdate };

struct Mark {
  const char* text;
  Style style;
};
Mark MarkOf(Change change) {
  switch (change) {
    case Change::kAdd:
      return {"+ ", Style::kGreen};
    case Change::kDelete:
      return {"- ", Style::kRed};
    case Change::kUpdate:
      return {"~ ", Style::kYellow};
  }
  return {"  ", Style::kNone};
}

Change ChangeOf(DiffKind kind) {
  switch (kind) {
    case DiffKind::kAdd:
    case DiffKind::kAddReplace:
      return Change::kAdd;
    case DiffKind::kDelete:
    case DiffKind::kDeleteReplace:
      return Change::kDelete;
    case DiffKind::kUpdate:
    case DiffKind::kUpdateReplace:
      return Change::kUpdate;
  }
  return Change::kUpdate;
}

bool IsSecret(const Value& value) { return value.is_secret() || (value.is_output() && value.as_output().secret); }

const Value& Inside(const Value& value) {
  if (value.is_secret()) return Inside(value.as_secret().element);
  if (value.is_output() && value.as_output().known) return Inside(value.as_output().element);
  return value;
}

class DiffWriter {
 public:
  DiffWriter(const DiffTextOptions& options, const Painter& painter) : options_(options), painter_(painter) {}

  // How many properties were the same and not listed.
  int Objects(const PropertyMap& old_map, const PropertyMap& new_map, int indent, bool show_sames) {
    std::set<std::string> keys;
    for (const auto& [key, value] : old_map) keys.insert(key);
    for (const auto& [key, value] : new_map) keys.insert(key);
    const size_t width = options_.align ? std::max(WidestKey(old_map), WidestKey(new_map)) : 0;
    int hidden = 0;
    for (const std::string& key : keys) {
      if (key.rfind("__", 0) == 0) continue;
      const Value* old_value = old_map.Find(key);
      const Value* new_value = new_map.Find(key);
      if (old_value && new_value && Same(*old_value, *new_value)) {
        if (show_sames) {
          Line(indent, "  ", Style::kNone, KeyLabel(key, width) + Text(*new_value, indent));
        } else {
          ++hidden;
        }
        continue;
      }
      Pair(KeyLabel(key, width), old_value, new_value, indent, "");
    }
    return hidden;
  }

  // One named change; either side may be missing.
  void Pair(const std::string& label, const Value* old_value, const Value* new_value, int indent,
            const std::string& note) {
    if (!old_value && !new_value) return;
    if (!old_value) return Line(indent, "+ ", Style::kGreen, label + Text(*new_value, indent) + note);
    if (!new_value) return Line(indent, "- ", Style::kRed, label + Text(*old_value, indent) + note);

    const bool opaque = (IsSecret(*old_value) || IsSecret(*new_value)) && !options_.show_secrets;
    const Value& old_inside = Inside(*old_value);
    const Value& new_inside = Inside(*new_value);
    if (!opaque && old_inside.is_object() && new_inside.is_object()) {
      Line(indent, "~ ", Style::kYellow, label + "{" + note);
      Hidden(Objects(old_inside.as_object(), new_inside.as_object(), indent + 4, false), indent + 4);
      return Line(indent, "  ", Style::kYellow, "}");
    }
    if (!opaque && old_inside.is_array() && new_inside.is_array()) {
      Line(indent, "~ ", Style::kYellow, label + "[" + note);
      Arrays(old_inside.as_array(), new_inside.as_array(), indent + 4);
      return Line(indent, "  ", Style::kYellow, "]");
    }
    Line(indent, "~ ", Style::kYellow, label + Text(*old_value, indent) + " => " + Text(*new_value, indent) + note);
  }

  void Line(int indent, const char* mark, Style style, const std::string& text) {
    out_ += std::string(indent, ' ') + painter_.Paint(style, mark + text) + "\n";
  }
  void Hidden(int count, int indent) {
    if (count == 0) return;
    const std::string noun = count == 1 ? " unchanged property hidden)" : " unchanged properties hidden)";
    out_ += std::string(indent + 2, ' ') + painter_.Paint(Style::kDim, "(" + std::to_string(count) + noun) + "\n";
  }

  std::string Take() { return std::move(out_); }

 private:
  static bool Same(const Value& a, const Value& b) {
    return DeepEqual(Inside(a), Inside(b)) && IsSecret(a) == IsSecret(b);
  }

  void Arrays(const Array& old_array, const Array& new_array, int indent) {
    int hidden = 0;
    for (size_t i = 0; i < std::max(old_array.size(), new_array.size()); ++i) {
      const Value* old_value = i < old_array.size() ? &old_array[i] : nullptr;
      const Value* new_value = i < new_array.size() ? &new_array[i] : nullptr;
      if (old_value && new_value && Same(*old_value, *new_value)) {
        ++hidden;
      } else {
        Pair("[" + std::to_string(i) + "]: ", old_value, new_value, indent, "");
      }
    }
    Hidden(hidden, indent);
  }

  std::string Text(const Value& value, int indent) const {
    ValueTextOptions text;
    text.indent = indent + 2;
    text.full = options_.full_output;
    text.show_secrets = options_.show_secrets;
    text.align = options_.align;
    return ValueText(value, text);
  }

  const DiffTextOptions& options_;
  const Painter& painter_;
  std::string out_;
};

bool IsHidden(const std::string& path_text, const StepMetadata& step) {
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (!state || state->hide_diff.empty()) return false;
  const Result<PropertyPath> path = PropertyPath::Parse(path_text);
  for (const std::string& hidden_text : state->hide_diff) {
    if (hidden_text == path_text) return true;
    const Result<PropertyPath> hidden = PropertyPath::Parse(hidden_text);
    if (path.ok() && hidden.ok() && hidden->Contains(*path)) return true;
  }
  return false;
}

// The value at the path, where anything inside a secret is that secret.
std::optional<Value> Lookup(const PropertyMap& map, const PropertyPath& path) {
  Value here{map};
  for (const PropertyPath::Element& element : path.elements()) {
    if (IsSecret(here)) return Value::Secret(Inside(here));
    const Value& inside = Inside(here);
    const PropertyPath step(std::vector<PropertyPath::Element>{element});
    const Value* next = step.Get(inside);
    if (!next) return std::nullopt;
    Value copy = *next;
    here = std::move(copy);
  }
  return here;
}

void DetailedLines(const StepMetadata& step, DiffWriter* writer, int indent, bool refresh) {
  for (const auto& [path_text, diff] : *step.detailed) {
    const Change change = ChangeOf(diff.kind);
    const Mark mark = MarkOf(change);
    if (IsHidden(path_text, step)) {
      writer->Line(indent, mark.text, mark.style, Printable(path_text) + " (hidden)");
      continue;
    }
    const Result<PropertyPath> path = PropertyPath::Parse(path_text);
    std::optional<Value> old_value, new_value;
    if (path.ok() && step.old_state && change != Change::kAdd) {
      old_value = Lookup(diff.input_diff ? step.old_state->inputs : step.old_state->outputs, *path);
    }
    if (path.ok() && step.new_state && change != Change::kDelete) {
      new_value = Lookup(refresh ? step.new_state->outputs : step.new_state->inputs, *path);
    }
    const std::string note = IsReplace(diff.kind) ? " (forces replacement)" : "";
    if (!old_value && !new_value) {
      writer->Line(indent, mark.text, mark.style, Printable(path_text) + note);
    } else {
      writer->Pair(Printable(path_text) + ": ", old_value ? &*old_value : nullptr, new_value ? &*new_value : nullptr,
                   indent, note);
    }
  }
}

void ChangedLines(const StepMetadata& step, DiffWriter* writer, int indent, bool refresh) {
  const StatePtr& old_state = step.old_state;
  const StatePtr& new_state = step.new_state;
  if (step.detailed && !step.detailed->empty()) return DetailedLines(step, writer, indent, refresh);
  if (!old_state || !new_state) return;
  const PropertyMap& old_map = refresh ? old_state->outputs : old_state->inputs;
  const PropertyMap& new_map = refresh ? new_state->outputs : new_state->inputs;
  writer->Hidden(writer->Objects(old_map, new_map, indent, false), indent);
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

std::string StepOutputsText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter,
                            int indent) {
  if (!step.new_state || step.op == StepOp::kSame) return "";
  PropertyMap old_outputs, new_outputs;
  for (const auto& [key, value] : step.new_state->outputs) {
    const Value* input = step.new_state->inputs.Find(key);
    if (!input || !DeepEqual(Inside(*input), Inside(value))) new_outputs.Set(key, value);
  }
  if (step.old_state) {
    for (const auto& [key, value] : step.old_state->outputs) {
      if (new_outputs.Has(key) || !step.new_state->outputs.Has(key)) old_outputs.Set(key, value);
    }
  }
  const std::string header = std::string(indent + 4, ' ') + "--outputs:--\n";
  if (!step.old_state || step.op == StepOp::kRead || step.op == StepOp::kImport) {
    const ValueTextOptions text{indent + 4, options.full_output, options.show_secrets, options.align};
    const std::string lines = PropertiesText(new_outputs, text);
    return lines.empty() ? "" : header + lines;
  }
  DiffWriter writer(options, painter);
  writer.Objects(old_outputs, new_outputs, indent + 2, false);
  const std::string lines = writer.Take();
  return lines.empty() ? "" : header + lines;
}

std::string StepDiffText(const StepMetadata& step, const DiffTextOptions& options, const Painter& painter, int indent) {
  const StepLabel& label = LabelOf(step.op);
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  const std::string name = options.urns ? step.urn.str() : step.type;
  std::string head = std::string(label.mark) + Printable(name) + ": (" + StepOpName(step.op) + ")";
  if (state && state->protect) head += " [protected]";

  const std::string margin(indent, ' ');
  std::string out = margin + painter.Paint(label.style, head) + "\n";
  if (!options.summary) {
    const std::string& id = step.old_state ? step.old_state->id : std::string();
    if (!id.empty()) out += margin + "    [id=" + Printable(id) + "]\n";
    if (!options.urns) out += margin + "    [urn=" + Printable(step.urn.str()) + "]\n";
    out += ProviderLine(step, margin);
  }

  DiffWriter writer(options, painter);
  if (step.op == StepOp::kSame) return out;
  const bool creates = step.op == StepOp::kCreate || step.op == StepOp::kImport || step.op == StepOp::kRead;
  const ValueTextOptions text{indent + 4, options.full_output, options.show_secrets, options.align};
  if (creates && step.new_state) return out + PropertiesText(step.new_state->inputs, text);
  if (!step.new_state) return step.old_state ? out + PropertiesText(step.old_state->inputs, text) : out;
  ChangedLines(step, &writer, indent + 2, options.refresh || step.op == StepOp::kRefresh);
  return out + writer.Take();
}

std::string PropertiesDiffText(const PropertyMap& old_map, const PropertyMap& new_map, const DiffTextOptions& options,
                               const Painter& painter, int indent, bool show_sames) {
  DiffWriter writer(options, painter);
  writer.Objects(old_map, new_map, indent, show_sames);
  return writer.Take();
}

std::string ChangedKeys(const StepMetadata& step, const Painter& painter) {
  std::map<std::string, Change> changes;
  if (step.detailed && !step.detailed->empty()) {
    for (const auto& [path, diff] : *step.detailed) {
      const std::string key = path.substr(0, path.find_first_of(".["));
      const bool whole = key.size() == path.size();
      changes[key.empty() ? path : key] = whole ? ChangeOf(diff.kind) : Change::kUpdate;
    }
  } else {
    for (const std::string& key : step.diffs) {
      const bool was = step.old_state && step.old_state->inputs.Has(key);
      const bool is = step.new_state && step.new_state->inputs.Has(key);
      changes[key] = was && !is ? Change::kDelete : is && !was ? Change::kAdd : Change::kUpdate;
    }
  }
  std::string out;
  for (const auto& [key, change] : changes) {
    const Mark mark = MarkOf(change);
    if (!out.empty()) out += ",";
    out += painter.Paint(mark.style, std::string(1, mark.text[0]) + Printable(key));
  }
  return out;
}

}  // namespace kingpost
