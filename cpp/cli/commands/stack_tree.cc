// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/stack_tree.h"

#include <map>

#include "cli/session/stack_access.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"
#include "operation/fleet/recorded_references.h"

namespace kingpost {

namespace {

struct StackRead {
  size_t stack = 0;  // of the list
  std::vector<std::string> behind;
};

struct StackReads {
  PropertyMap outputs;
  std::vector<fleet::RecordedReference> references;
  std::vector<StackRead> reads;
  std::vector<std::string> reads_others;  // that are not listed
};

Result<std::vector<StackReads>> LoadReads(StateStore& store, const std::vector<StackTreeNode>& stacks) {
  std::vector<StackName> names;
  std::map<std::string, size_t> place;
  for (const StackTreeNode& stack : stacks) {
    place[stack.stack.str()] = names.size();
    names.push_back(stack.stack);
  }
  const Result<std::vector<StackDocument>> documents = store.LoadMany(names);
  if (!documents.ok()) return documents.status();
  std::vector<StackReads> all(stacks.size());
  for (size_t i = 0; i < stacks.size(); ++i) {
    if ((*documents)[i].bytes.empty()) continue;
    const Result<CheckpointDocument> checkpoint = DecodeCheckpoint((*documents)[i].bytes, DecodeOptions());
    if (!checkpoint.ok()) return checkpoint.status().Wrap("stack " + stacks[i].name);
    all[i].outputs = OutputsOfStack(checkpoint->snapshot);
    all[i].references = fleet::ReferencesIn(checkpoint->snapshot, stacks[i].stack.project);
  }
  for (StackReads& one : all) {
    for (const fleet::RecordedReference& reference : one.references) {
      const auto found = place.find(reference.stack.str());
      if (found == place.end()) {
        one.reads_others.push_back(reference.stack.str());
      } else {
        one.reads.push_back({found->second, fleet::StaleOutputs(reference.outputs, all[found->second].outputs)});
      }
    }
  }
  return all;
}

std::string ListedNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + Printable(name);
  return text;
}

class StackTree {
 public:
  StackTree(const std::vector<StackTreeNode>& stacks, const std::vector<StackReads>& reads, const Painter& painter)
      : stacks_(stacks), reads_(reads), painter_(painter), readers_(stacks.size()), told_(stacks.size()) {
    for (size_t i = 0; i < reads.size(); ++i) {
      for (const StackRead& read : reads[i].reads) {
        if (read.stack != i) readers_[read.stack].push_back(i);
      }
    }
  }

  std::string Text() {
    for (size_t i = 0; i < stacks_.size(); ++i) {
      if (reads_[i].reads.empty()) Add(i, "", "", nullptr);
    }
    // The remaining stacks read each other in a cycle.
    for (size_t i = 0; i < stacks_.size(); ++i) {
      if (!told_[i]) Add(i, "", "", nullptr);
    }
    return text_;
  }

 private:
  void Add(size_t stack, const std::string& branch, const std::string& below, const StackRead* read) {
    text_ += painter_.Paint(Style::kDim, branch) + Printable(stacks_[stack].name);
    if (read && !read->behind.empty()) {
      text_ +=
          "  " + painter_.Paint(Style::kYellow, "behind: " + ListedNames(read->behind) +
                                                    (read->behind.size() == 1 ? " is" : " are") + " others by now");
    }
    if (!reads_[stack].reads_others.empty()) {
      text_ += painter_.Paint(Style::kDim, "  reads " + ListedNames(reads_[stack].reads_others) + " too");
    }
    const bool again = told_[stack] && !readers_[stack].empty();
    text_ += painter_.Paint(Style::kDim, "  " + (again ? "see above" : stacks_[stack].note)) + "\n";
    if (told_[stack]) return;
    told_[stack] = true;
    for (size_t k = 0; k < readers_[stack].size(); ++k) {
      const size_t reader = readers_[stack][k];
      const bool last = k + 1 == readers_[stack].size();
      Add(reader, below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "), ReadOf(reader, stack));
    }
  }

  const StackRead* ReadOf(size_t reader, size_t stack) const {
    for (const StackRead& read : reads_[reader].reads) {
      if (read.stack == stack) return &read;
    }
    return nullptr;
  }

  const std::vector<StackTreeNode>& stacks_;
  const std::vector<StackReads>& reads_;
  const Painter painter_;
  std::vector<std::vector<size_t>> readers_;
  std::vector<bool> told_;
  std::string text_;
};

std::string TreeAsJson(const std::vector<StackTreeNode>& stacks, const std::vector<StackReads>& all) {
  JsonWriter json("  ");
  json.BeginArray();
  for (size_t i = 0; i < stacks.size(); ++i) {
    json.BeginObject();
    json.Key("name");
    json.Text(stacks[i].name);
    json.Key("reads");
    json.BeginArray();
    for (const StackRead& read : all[i].reads) {
      json.BeginObject();
      json.Key("name");
      json.Text(stacks[read.stack].name);
      json.TextsUnlessEmpty("behind", read.behind);
      json.EndObject();
    }
    for (const std::string& other : all[i].reads_others) {
      json.BeginObject();
      json.Key("name");
      json.Text(other);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  return PrintableJson(json.str()) + "\n";
}

}  // namespace

Status PrintStackTree(Session& session, const std::vector<StackTreeNode>& stacks, bool as_json) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::vector<StackReads>> reads = LoadReads(**store, stacks);
  if (!reads.ok()) return reads.status();
  session.Print(as_json ? TreeAsJson(stacks, *reads) : StackTree(stacks, *reads, session.painter()).Text());
  return Status::Ok();
}

}  // namespace kingpost
