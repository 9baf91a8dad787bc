// SPDX-License-Identifier: Apache-2.0
#include "operation/stack_upgrade.h"

#include "journal/recover.h"
#include "model/deployment_json.h"

namespace kingpost {

namespace {

Result<CheckpointDocument> Decode(const StackDocument& document) {
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document.bytes, DecodeOptions());
  return checkpoint.ok() ? checkpoint : checkpoint.status().Wrap("could not read the state " + document.location);
}

}  // namespace

Result<std::vector<LegacyStack>> FindLegacyStacks(LayoutUpgrade& upgrade) {
  const Result<std::vector<StackEntry>> entries = upgrade.legacy().List();
  if (!entries.ok()) return entries.status();
  std::vector<StackName> names;
  for (const StackEntry& entry : *entries) names.push_back(entry.stack);
  const Result<std::vector<StackDocument>> documents = upgrade.legacy().LoadMany(names);
  if (!documents.ok()) return documents.status();
  std::vector<LegacyStack> stacks;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!(*documents)[i].exists) continue;  // removed just now
    const Result<CheckpointDocument> checkpoint = Decode((*documents)[i]);
    if (!checkpoint.ok()) return checkpoint.status();
    const std::vector<StatePtr>& resources = checkpoint->snapshot.resources;
    stacks.push_back({names[i], resources.empty() ? "" : std::string(resources[0]->urn.project())});
  }
  return stacks;
}

Status UpgradeStack(LayoutUpgrade& upgrade, const LegacyStack& stack, const SealOptions& seal,
                    std::vector<std::string>* notes) {
  const StackName to{kDiyOrganization, stack.project, stack.name.name};
  const Result<std::unique_ptr<StackLock>> lock = upgrade.legacy().Lock(stack.name);
  if (!lock.ok()) return lock.status();
  const Result<std::unique_ptr<StackLock>> target = upgrade.projects().Lock(to);
  if (!target.ok()) return target.status();
  for (const StackLock* held : {lock->get(), target->get()}) {
    notes->insert(notes->end(), held->notices().begin(), held->notices().end());
  }
  const Result<RecoveryReport> report = Recover(upgrade.legacy(), stack.name, seal);
  if (!report.ok()) return report.status();
  for (const std::string& line : report->Lines()) notes->push_back(line);
  const Result<StackDocument> document = upgrade.legacy().Load(stack.name);  // again: it is held now
  if (!document.ok()) return document.status();
  if (!document->exists) return {Code::kNotFound, document->location + " was removed by another process"};
  Result<CheckpointDocument> checkpoint = Decode(*document);
  if (!checkpoint.ok()) return checkpoint.status();
  checkpoint->stack = upgrade.projects().QualifiedName(to);
  const Result<std::string> bytes = EncodeCheckpoint(*checkpoint, EncodeOptions());
  if (!bytes.ok()) return bytes.status();
  const Status moved = (*lock)->WhileHeld([&] { return upgrade.Move(stack.name, to, *bytes); });
  if (!moved.ok()) return moved;
  const Status released = (*target)->Release();
  return released.ok() ? (*lock)->Release() : released;
}

}  // namespace kingpost
