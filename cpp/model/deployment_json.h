// SPDX-License-Identifier: Apache-2.0
// The state file and the export file: deployment JSON v1 to v4 read, v3 and v4 written (rows 7.1 to 7.8, 7.20).
//
// Numbers and escapes follow Go's encoding/json, so that a state in which nothing changed is byte-identical after a
// load and a save. Reading is a SAX pass into Values; writing appends to a string. Both are O(document).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/secrets_manager.h"
#include "model/snapshot.h"

namespace kingpost {

// Which ciphertext a plaintext of a resource had, so that unchanged secrets keep theirs. Filled while reading. Any
// thread.
class SecretCache {
 public:
  virtual ~SecretCache() = default;
  virtual void Put(const Urn& urn, const std::string& plaintext, const std::string& ciphertext) = 0;
  virtual std::optional<std::string> Get(const Urn& urn, const std::string& plaintext) = 0;
};
std::shared_ptr<SecretCache> NewSecretCache();

struct DecodeOptions {
  // Null: secrets stay sealed (SecretData::sealed) with their ciphertext, and can be written back as they are.
  SecretsManager* secrets = nullptr;
  SecretCache* cache = nullptr;
  // If set, it is called with each resource of a document in its turn, and none is kept in the snapshot.
  std::function<void(const State&)> each;
  // Inputs and outputs in our own spelling stay text until their first access (model/property_text.h). `text_owner`
  // keeps the document in memory; without one they are copied.
  bool properties_as_text = false;
  std::shared_ptr<const void> text_owner = nullptr;
};

struct EncodeOptions {
  SecretsManager* secrets = nullptr;  // null only if there are no secrets, or all are sealed, or show_secrets
  SecretCache* cache = nullptr;
  bool show_secrets = false;  // "plaintext" instead of "ciphertext"
  bool reencrypt = false;     // forget known ciphertexts: the secrets manager has changed
};

// The detail of the status of a document that is well formed but not for this version.
struct UnsupportedDeployment {
  enum class Reason { kTooOld, kTooNew, kFeatures };
  Reason reason = Reason::kTooNew;
  std::vector<std::string> features;  // of kFeatures: the unknown ones
};

struct CheckpointDocument {
  std::string stack;  // "organization/project/name"
  bool has_latest = false;
  Snapshot snapshot;
};

// {"version":..,"checkpoint":{"stack":..,"latest":{..}}}
Result<CheckpointDocument> DecodeCheckpoint(std::string_view json, const DecodeOptions& options);
// Compact, no trailing newline. Version 4 with sorted features if any feature is used, else 3.
Result<std::string> EncodeCheckpoint(const CheckpointDocument& document, const EncodeOptions& options);

// {"version":..,"deployment":{..}}, indented with four spaces as `stack export` prints it. Reads checkpoints, too.
Result<Snapshot> DecodeExport(std::string_view json, const DecodeOptions& options);
// Ends with a newline.
Result<std::string> EncodeExport(const Snapshot& snapshot, const EncodeOptions& options);

// Returns the document under "deployment" of an export, in the same form, for people who edit it.
Result<std::string> EncodeDeployment(const Snapshot& snapshot, const EncodeOptions& options);
Result<Snapshot> DecodeDeployment(std::string_view json, const DecodeOptions& options);

// Reads only what names the secrets manager: {type, state JSON}, both empty if there is none. Cheap, no values built.
struct SecretsProviderRef {
  std::string type, state_json;
};
Result<SecretsProviderRef> PeekSecretsProvider(std::string_view json);
Result<int> CountResources(std::string_view checkpoint_json);

// One resource, one value: the parts of which journals are made.
Result<std::string> EncodeState(const State& state, const EncodeOptions& options);  // a JSON object
Result<StatePtr> DecodeState(std::string_view json, const DecodeOptions& options);
Result<std::string> EncodeValue(const Value& value, const Urn& urn, const EncodeOptions& options);
Result<Value> DecodeValue(std::string_view json, const Urn& urn, const DecodeOptions& options);
Result<std::string> EncodeProperties(const PropertyMap& map, const Urn& urn, const EncodeOptions& options);

// True if a property of the state, in or out of secrets, is a string that is not UTF-8 (feature byteString).
bool NeedsByteString(const State& state);

// Go's text of a float64 and of a string with quotes (no HTML escaping).
void AppendJsonNumber(double number, std::string* out);
// For people: the same, and NaN, +Inf and -Inf.
std::string NumberText(double number);
void AppendJsonString(std::string_view text, std::string* out);

}  // namespace kingpost
