// SPDX-License-Identifier: Apache-2.0
// Lets one source of registrations wait for what another one registers: a source beside the program for a resource of
// the program or of another source. Owns what has been published in this run, and who waits for what. Engine thread.
//
//   running ──Wait(urn)──▶ waiting ──Publish(urn)──▶ running ──Done──▶ gone
//
// When every source that is left waits, none can go on: whatever they wait for fails. So a missing resource, or a
// circle of references, is an error and not a hang.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/loop.h"
#include "kingpost/registration_source.h"

namespace kingpost::engine {

class PublishedResources {
 public:
  using Source = int;

  explicit PublishedResources(Loop& loop) : loop_(loop) {}

  // All sources are added before the first one runs.
  Source AddSource();
  void Done(Source source);
  // No further registration will come: waiting callers fail.
  void Stop(Status why);

  // Fails with "no source registered this URN", or with what Stop was told.
  Task<Result<PublishedResource>> Wait(Source source, Urn urn);

  // The first one for a URN counts. `aliases` are published, too.
  void Publish(const PublishedResource& published, const std::vector<Urn>& aliases);
  // Aliases of a component, whose outputs come later.
  void RememberAliases(const Urn& urn, std::vector<Urn> aliases);
  void PublishOutputs(const Urn& urn, const PropertyMap& outputs);

 private:
  struct Entry {
    explicit Entry(Loop& loop) : settled(loop) {}
    Event settled;
    std::optional<PublishedResource> published;
  };
  std::shared_ptr<Entry> EntryOf(const Urn& urn);
  void FailIfStuck();

  Loop& loop_;
  std::unordered_map<Urn, std::shared_ptr<Entry>> entries_;
  std::unordered_map<Urn, std::vector<Urn>> aliases_;
  std::map<Source, Urn> sources_;  // what each waits for, empty while it runs
  Source next_source_ = 0;
  Status stopped_;  // not ok: nobody is waited for any more
};

}  // namespace kingpost::engine
