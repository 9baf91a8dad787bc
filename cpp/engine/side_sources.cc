// SPDX-License-Identifier: Apache-2.0
#include "engine/side_sources.h"

namespace kingpost::engine {

Status SideSources::Find() {
  if (operation_.base->snippets_json.empty()) return Status();
  if (!operation_.find_sources) {
    return Status(Code::kUnimplemented, "the state holds snippets, and this build does not run any");
  }
  auto found = operation_.find_sources(loop_, operation_);
  if (found.ok()) sources_ = std::move(*found);
  return found.status();
}

void SideSources::Start(Monitor& monitor) {
  program_ = published_.AddSource();
  std::vector<PublishedResources::Source> numbers;
  for (size_t i = 0; i < sources_.size(); ++i) numbers.push_back(published_.AddSource());
  not_ended_ = static_cast<int>(sources_.size()) + 1;
  for (size_t i = 0; i < sources_.size(); ++i) running_.Spawn(RunOne(&monitor, numbers[i], sources_[i].get()));
}

void SideSources::ProgramEnded() {
  if (program_ended_) return;
  program_ended_ = true;
  EndSource(program_);
}

void SideSources::EndSource(PublishedResources::Source number) {
  published_.Done(number);
  if (--not_ended_ == 0) on_all_ended();
}

void SideSources::Stop() { published_.Stop(Status(Code::kUnavailable, "the run was stopped")); }

Task<void> SideSources::RunOne(Monitor* monitor, PublishedResources::Source number, RegistrationSource* source) {
  RegistrationSource::WaitFor wait_for = [this, number](Urn urn) { return published_.Wait(number, std::move(urn)); };
  const Status ended = co_await source->Run(*monitor, std::move(wait_for));
  if (!ended.ok() && ended.code() != Code::kUnavailable) {
    if (failure_.ok()) failure_ = ended;
    report_.Report(Urn(), ended);
  }
  EndSource(number);
}

}  // namespace kingpost::engine
