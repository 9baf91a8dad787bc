// SPDX-License-Identifier: Apache-2.0
#include "engine/snippets.h"

#include "engine/snippet_run.h"

namespace kingpost::engine {

Status Snippets::Read() {
  auto read = pcl::ParseSnippets(operation_.base->snippets_json);
  if (read.ok()) snippets_ = std::move(*read);
  return read.status();
}

void Snippets::Start(Monitor& monitor) {
  program_ = watch_.AddSource();
  std::vector<RegistrationWatch::Source> sources;
  for (size_t i = 0; i < snippets_.size(); ++i) sources.push_back(watch_.AddSource());
  sources_ = static_cast<int>(snippets_.size()) + 1;
  for (size_t i = 0; i < snippets_.size(); ++i) running_.Spawn(RunOne(&monitor, sources[i], snippets_[i]));
}

void Snippets::ProgramEnded() {
  if (program_ended_) return;
  program_ended_ = true;
  EndSource(program_);
}

void Snippets::EndSource(RegistrationWatch::Source source) {
  watch_.Done(source);
  if (--sources_ == 0) on_all_ended();
}

void Snippets::Stop() { watch_.Stop(Status(Code::kUnavailable, "the run was stopped")); }

Task<void> Snippets::RunOne(Monitor* monitor, RegistrationWatch::Source source, pcl::Snippet snippet) {
  SnippetRun run({*monitor, watch_, source, schemas_, operation_.project_root}, std::move(snippet));
  const Status ended = co_await run.Run();
  if (!ended.ok() && ended.code() != Code::kUnavailable) {
    failed_ = true;
    report_.Report(Urn(), ended);
  }
  EndSource(source);
}

Task<void> Snippets::Finished() { co_await running_.Wait(); }

}  // namespace kingpost::engine
