// SPDX-License-Identifier: Apache-2.0
// Pulumi's folder layout: where each document of a stack is, in a store with projects or in the legacy one without.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/status.h"
#include "kingpost/state_store.h"

namespace kingpost {

class StoreLayout {
 public:
  // root: the folder that holds .pulumi. Reads .pulumi/meta.yaml; without one, stacks directly in .pulumi/stacks tell
  // the legacy layout. Writes nothing.
  static Result<StoreLayout> Detect(const std::string& root);
  // The same of any store: what is in its meta.yaml, if it has one, and whether stacks lie where the legacy layout has
  // them. `where` is for messages.
  static Result<StoreLayout> Read(const std::string& root, const std::string& where,
                                  const std::optional<std::string>& meta,
                                  const std::function<Result<bool>()>& has_legacy_stacks);

  // As if there were nothing to detect.
  static StoreLayout Of(const std::string& root, bool legacy);

  bool legacy() const { return legacy_; }
  const std::string& root() const { return root_; }
  std::string MetaFile() const { return root_ + "/.pulumi/meta.yaml"; }
  bool meta_missing() const { return meta_missing_; }

  std::string StacksFolder() const { return root_ + "/.pulumi/stacks"; }
  // Without .gz or .zst.
  std::string StackFile(const StackName& stack) const { return StacksFolder() + "/" + Scoped(stack) + ".json"; }
  std::string TagsFile(const StackName& stack) const { return StacksFolder() + "/" + Scoped(stack) + ".pulumi-tags"; }
  std::string HistoryFolder(const StackName& stack) const { return root_ + "/.pulumi/history/" + Scoped(stack); }
  // In the folder of the history and named as its files are, so that they are renamed and removed with them, by the
  // reference too.
  std::string ReasonsFile(const StackName& stack, ReasonsKind of) const {
    const char* run = of == ReasonsKind::kPreview ? "preview" : "operation";
    return HistoryFolder(stack) + "/" + stack.name + "-" + run + ".reasons.json";
  }
  std::string BackupFolder(const StackName& stack) const { return root_ + "/.pulumi/backups/" + Scoped(stack); }
  std::string LockFolder(const StackName& stack) const { return root_ + "/.pulumi/locks/" + QualifiedName(stack); }
  std::string JournalFile(const StackName& stack) const {
    return root_ + "/.pulumi/journals/" + Scoped(stack) + ".journal";
  }
  // In a store of objects: the owner of the stack, and its records.
  std::string RunFolder(const StackName& stack) const { return root_ + "/.pulumi/journals/" + Scoped(stack); }
  std::string QualifiedName(const StackName& stack) const { return legacy_ ? stack.name : stack.str(); }

 private:
  std::string Scoped(const StackName& stack) const { return legacy_ ? stack.name : stack.project + "/" + stack.name; }

  std::string root_;
  bool legacy_ = false;
  bool meta_missing_ = false;
};

// The contents of meta.yaml.
std::string MetaText(bool legacy);

// "dev" of "dev.json", "dev.json.gz" and "dev.json.zst"; "" for other files.
std::string StackOfFile(const std::string& file_name);

// When the operation of "NAME-UNIXNANO.history.json[.gz|.zst]" ended; nullopt for other files.
std::optional<int64_t> HistoryTimeOf(const std::string& file_name);

Status CheckName(const StoreLayout& layout, const StackName& stack);

}  // namespace kingpost
