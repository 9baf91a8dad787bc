// SPDX-License-Identifier: Apache-2.0
#include "engine/published_resources.h"

#include <algorithm>

namespace kingpost::engine {

PublishedResources::Source PublishedResources::AddSource() {
  sources_[next_source_] = Urn();
  return next_source_++;
}

void PublishedResources::Done(Source source) {
  if (sources_.erase(source) > 0) FailIfStuck();
}

std::shared_ptr<PublishedResources::Entry> PublishedResources::EntryOf(const Urn& urn) {
  auto& entry = entries_[urn];
  if (!entry) entry = std::make_shared<Entry>(loop_);
  return entry;
}

void PublishedResources::FailIfStuck() {
  const bool runs = std::any_of(sources_.begin(), sources_.end(), [](const auto& s) { return s.second.empty(); });
  if (!runs) Stop(Status(Code::kNotFound, "no source registered this URN"));
}

void PublishedResources::Stop(Status why) {
  if (!stopped_.ok()) return;
  stopped_ = std::move(why);
  for (auto& [urn, entry] : entries_) entry->settled.Set();
}

Task<Result<PublishedResource>> PublishedResources::Wait(Source source, Urn urn) {
  std::shared_ptr<Entry> entry = EntryOf(urn);
  if (!entry->published && stopped_.ok()) {
    sources_[source] = urn;
    FailIfStuck();
    co_await entry->settled;
  }
  if (entry->published) co_return *entry->published;
  co_return stopped_;
}

void PublishedResources::Publish(const PublishedResource& published, const std::vector<Urn>& aliases) {
  std::vector<Urn> names = aliases;
  names.push_back(published.urn);
  for (const Urn& name : names) {
    std::shared_ptr<Entry> entry = EntryOf(name);
    if (entry->published || entry->settled.is_set()) continue;
    entry->published = published;
    // Before anyone else can find that all wait.
    for (auto& [source, waits_for] : sources_) {
      if (waits_for == name) waits_for = Urn();
    }
    entry->settled.Set();
  }
}

void PublishedResources::RememberAliases(const Urn& urn, std::vector<Urn> aliases) {
  if (!aliases.empty()) aliases_[urn] = std::move(aliases);
}

void PublishedResources::PublishOutputs(const Urn& urn, const PropertyMap& outputs) {
  auto known = aliases_.find(urn);
  const PublishedResource published{urn, "", outputs};
  Publish(published, known == aliases_.end() ? std::vector<Urn>() : known->second);
}

}  // namespace kingpost::engine
