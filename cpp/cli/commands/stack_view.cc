// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/stack_view.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "console/display/branches.h"
#include "console/display/terminal.h"
#include "model/deployment_json.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

constexpr int kMargin = 4;
constexpr int kGap = 2;

struct ViewLine {
  std::string branch, below;  // before the resource, and before what is said of it
  std::string type, name;
  std::vector<std::string> details;
};

bool IsShown(const State& state) { return !IsDefaultProviderUrn(state.urn); }

class ViewBuilder {
 public:
  ViewBuilder(const Snapshot& snapshot, const StackViewOptions& options) : snapshot_(snapshot), options_(options) {
    std::unordered_map<Urn, size_t> index;
    for (size_t i = 0; i < snapshot.resources.size(); ++i) {
      if (!snapshot.resources[i]->pending_delete) index.emplace(snapshot.resources[i]->urn, i);
    }
    children_.resize(snapshot.resources.size());
    for (size_t i = 0; i < snapshot.resources.size(); ++i) {
      const State& state = *snapshot.resources[i];
      if (!IsShown(state)) continue;
      const auto parent = state.parent.empty() ? index.end() : index.find(state.parent);
      const bool is_child =
          parent != index.end() && parent->second != i && IsShown(*snapshot.resources[parent->second]);
      (is_child ? children_[parent->second] : roots_).push_back(i);
    }
  }

  std::vector<ViewLine> Lines() const {
    std::vector<ViewLine> lines;
    for (const BranchLine& line : DrawBranches(roots_, children_)) lines.push_back(LineOf(line));
    return lines;
  }

 private:
  ViewLine LineOf(const BranchLine& drawn) const {
    const State& state = *snapshot_.resources[drawn.node];
    ViewLine line;
    line.branch = drawn.branch;
    line.below = drawn.below + (children_[drawn.node].empty() ? "   " : "│  ");
    line.type = Printable(state.type);
    line.name = Printable(state.urn.name());
    if (state.protect) line.name += " (protected)";
    if (state.pending_delete) line.name += " (replaced, to be deleted)";
    if (options_.show_urns) line.details.push_back("URN: " + Printable(state.urn.str()));
    if (options_.show_ids && !state.id.empty()) line.details.push_back("ID: " + Printable(state.id));
    return line;
  }

  const Snapshot& snapshot_;
  const StackViewOptions& options_;
  std::vector<size_t> roots_;
  std::vector<std::vector<size_t>> children_;
};

int TypeWidth(const std::vector<ViewLine>& lines) {
  int width = 4;  // of the heading
  for (const ViewLine& line : lines) width = std::max(width, DisplayWidth(line.branch + line.type));
  return width;
}

int NameWidth(const std::vector<ViewLine>& lines) {
  int width = 4;
  for (const ViewLine& line : lines) width = std::max(width, DisplayWidth(line.name));
  return width;
}

// A line that does not fit goes on below its own branch, broken between words.
void AddLine(const std::string& branch, const std::string& text, const StackViewOptions& options,
             const Painter& painter, std::string* out) {
  const int room = options.columns > 0 ? std::max(20, options.columns - kMargin - DisplayWidth(branch)) : 1 << 20;
  std::string before = painter.Paint(Style::kDim, branch);
  for (const std::string& part : WrapWords(text, room, 2)) {
    *out += std::string(kMargin, ' ') + before + part + "\n";
    before = std::string(static_cast<size_t>(DisplayWidth(branch)), ' ');
  }
}

}  // namespace

int CountShown(const Snapshot& snapshot) {
  return static_cast<int>(std::count_if(snapshot.resources.begin(), snapshot.resources.end(),
                                        [](const StatePtr& state) { return IsShown(*state); }));
}

std::string ResourceTree(const Snapshot& snapshot, const StackViewOptions& options, const Painter& painter) {
  const std::vector<ViewLine> lines = ViewBuilder(snapshot, options).Lines();
  const int width = TypeWidth(lines);
  const bool aligned = options.columns == 0 || kMargin + width + kGap + NameWidth(lines) <= options.columns;
  std::string out;
  AddLine("", aligned ? PadRight("TYPE", width + kGap) + "NAME" : "TYPE NAME", options, painter, &out);
  for (const ViewLine& line : lines) {
    const int room = width - DisplayWidth(line.branch);
    const std::string type = aligned ? PadRight(line.type, room + kGap) : line.type + " ";
    AddLine(line.branch, type + painter.Bold(line.name), options, painter, &out);
    for (const std::string& detail : line.details) AddLine(line.below, detail, options, painter, &out);
  }
  return out;
}

namespace {

void WriteStackResource(const State& state, JsonWriter* json) {
  json->BeginObject();
  const std::pair<const char*, std::string_view> texts[] = {
      {"urn", state.urn.str()}, {"type", state.type}, {"name", state.urn.name()}};
  for (const auto& [key, text] : texts) {
    json->Key(key);
    json->Text(text);
  }
  json->TextUnlessEmpty("id", state.id);
  json->TextUnlessEmpty("parent", state.parent.str());
  json->EndObject();
}

void WriteStackFacts(const StackFacts& facts, const Snapshot& snapshot, JsonWriter* json) {
  for (const auto& [key, text] :
       {std::pair("project", &facts.project), std::pair("stack", &facts.stack), std::pair("backend", &facts.backend)}) {
    json->Key(key);
    json->Text(*text);
  }
  json->Key("tags");
  json->TextMap(facts.tags);
  json->Key("manifest");
  json->BeginObject();
  json->TextUnlessEmpty("time", snapshot.manifest.time);
  json->TextUnlessEmpty("pulumiVersion", snapshot.manifest.version);
  json->EndObject();
  if (snapshot.secrets_type.empty()) return;
  json->Key("secretsProvider");
  json->BeginObject();
  json->Key("type");
  json->Text(snapshot.secrets_type);
  if (!snapshot.secrets_state_json.empty()) {
    json->Key("state");
    json->Json(snapshot.secrets_state_json);
  }
  json->EndObject();
}

}  // namespace

Result<std::string> StackAsJson(const Snapshot& snapshot, const StackFacts& facts) {
  JsonWriter json("  ");
  json.BeginObject();
  WriteStackFacts(facts, snapshot, &json);
  json.Key("resources");
  json.BeginArray();
  for (const StatePtr& state : snapshot.resources) WriteStackResource(*state, &json);
  json.EndArray();
  json.Key("outputs");
  const Result<std::string> outputs = EncodeValue(Value(facts.outputs), Urn(), EncodeOptions());
  if (!outputs.ok()) return outputs.status();
  json.Json(*outputs);
  json.EndObject();
  return PrintableJson(json.str()) + "\n";
}

}  // namespace kingpost
