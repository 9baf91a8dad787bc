// SPDX-License-Identifier: Apache-2.0
// Facts of a document that need none of its values.
#include <string>

#include "model/deployment_json.h"
#include "model/json_reader.h"
#include "model/json_text.h"

namespace kingpost {

namespace {

// Calls f at the member `key` of the deployment, wherever the envelope keeps it, and stops there.
template <class F>
bool AtDeploymentMember(JsonReader& reader, std::string_view key, const F& f) {
  std::string_view found;
  for (reader.BeginObject(); reader.NextKey(&found);) {
    if (found == key) {
      f();
      return true;
    }
    if (found == "checkpoint" || found == "deployment" || found == "latest") {
      if (AtDeploymentMember(reader, key, f)) return true;
    } else {
      reader.Skip();
    }
  }
  return false;
}

}  // namespace

Result<SecretsProviderRef> PeekSecretsProvider(std::string_view json) {
  JsonReader reader(json);
  SecretsProviderRef provider;
  AtDeploymentMember(reader, "secrets_providers", [&] {
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key);) {
      if (key == "type") {
        reader.ReadString(&provider.type);
      } else if (key == "state") {
        provider.state_json = CompactJson(reader.SkipRaw());
      } else {
        reader.Skip();
      }
    }
  });
  if (!reader.ok()) return reader.status();
  return provider;
}

Result<int> CountResources(std::string_view checkpoint_json) {
  JsonReader reader(checkpoint_json);
  int count = 0;
  AtDeploymentMember(reader, "resources", [&] {
    for (reader.BeginArray(); reader.NextElement(); ++count) reader.Skip();
  });
  if (!reader.ok()) return reader.status();
  return count;
}

}  // namespace kingpost
