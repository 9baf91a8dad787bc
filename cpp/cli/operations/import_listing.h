// SPDX-License-Identifier: Apache-2.0
// preview --import-file: lists what a preview would create, in the form that `import --file` reads. IDs are left for
// the user to fill in. Engine thread while the preview runs, then main.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kingpost/event.h"
#include "model/deployment_json.h"
#include "model/json_writer.h"

namespace kingpost {

class ImportListing : public EventSink {
 public:
  void Emit(const EngineEvent& event) override;

  // The finished file. `encode` seals the secrets of providers' settings.
  Result<std::string> Document(const EncodeOptions& encode) const;
  // Warnings for the user: what is not known before the update, and had to be left out.
  const std::vector<std::string>& omissions() const { return omissions_; }

 private:
  void GiveName(const Urn& urn);
  std::string UniqueName(const Urn& urn) const;
  void NoteOmissions(const State& provider);
  std::string NameOf(const Urn& urn) const;
  std::map<std::string, std::string> NameTable() const;
  Status Write(const State& state, const EncodeOptions& encode, JsonWriter* json) const;

  std::vector<StatePtr> creations_;
  std::map<Urn, std::string> names_;  // of all resources, unique
  std::map<std::string, Urn> taken_;  // the other way round
  std::map<Urn, PropertyMap> provider_inputs_;
  std::vector<std::string> omissions_;
};

}  // namespace kingpost
