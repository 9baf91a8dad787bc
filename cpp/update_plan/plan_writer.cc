// SPDX-License-Identifier: Apache-2.0
// Plan files, written: the reference's DeploymentPlanV1.
//
//   {"manifest":{"time","magic","version"},
//    "config":{"project:key":"text" or {"secure":"ciphertext"}},
//    "resourcePlans":{URN:{"goal":{..},"steps":["create"],"state":{..} or null,"seed":"base64"}}}
#include "base/digest.h"
#include "base/encoding.h"
#include "model/json_text.h"
#include "model/json_value.h"
#include "model/json_writer.h"
#include "model/version_range.h"
#include "update_plan/planned_resource.h"

namespace kingpost::update_plan {

namespace {

class PlanWriter {
 public:
  PlanWriter(const EncodeOptions& options, std::string* out) : options_(options), json_(out), values_(options, out) {}

  Status Write(const PlanDocument& document) {
    json_.BeginObject();
    WriteManifest(document.time);
    Status config = WriteConfig(document);
    if (!config.ok()) return config;
    if (!document.resources.empty()) {
      json_.Key("resourcePlans");
      json_.BeginObject();
      for (const auto& [urn, resource] : document.resources) {
        values_.set_urn(&urn);
        json_.Key(urn.str());
        WriteResource(resource);
      }
      json_.EndObject();
    }
    json_.EndObject();
    return values_.status();
  }

 private:
  void Text(std::string_view key, std::string_view text) {
    json_.Key(key);
    json_.Text(text);
  }
  void Flag(const char* key, bool value) {
    json_.Key(key);
    json_.Bool(value);
  }
  void PropertiesUnlessEmpty(const char* key, const PropertyMap& map) {
    if (map.empty()) return;
    json_.Key(key);
    json_.Value();
    values_.Append(map);
  }

  void WriteManifest(const std::string& time) {
    const std::string version = std::string("v") + kPulumiVersion;
    json_.Key("manifest");
    json_.BeginObject();
    Text("time", time);
    Text("magic", Sha256Hex(version));
    Text("version", version);
    json_.EndObject();
  }

  Status WriteConfig(const PlanDocument& document) {
    if (document.config.empty()) return Status();
    json_.Key("config");
    json_.BeginObject();
    for (const auto& [key, text] : document.config) {
      if (document.config_secret_keys.count(key) == 0) {
        Text(key, text);
        continue;
      }
      if (!options_.secrets) return Status(Code::kInternal, "no secrets manager to encrypt config key " + Quote(key));
      Result<std::string> ciphertext = options_.secrets->Encrypt(text);
      if (!ciphertext.ok()) return ciphertext.status().Wrap("encrypting config key " + Quote(key));
      json_.Key(key);
      json_.BeginObject();
      Text("secure", *ciphertext);
      json_.EndObject();
    }
    json_.EndObject();
    return Status();
  }

  void WriteResource(const PlannedResource& resource) {
    json_.BeginObject();
    if (resource.goal) {
      json_.Key("goal");
      WriteGoal(*resource.goal);
    }
    std::vector<std::string> steps;
    for (StepOp op : resource.ops) steps.push_back(StepOpName(op));
    json_.TextsUnlessEmpty("steps", steps);
    json_.Key("state");
    if (resource.outputs) {
      json_.Value();
      values_.Append(*resource.outputs);
    } else {
      json_.Null();
    }
    json_.TextUnlessEmpty("seed", Base64Encode(resource.seed));
    json_.EndObject();
  }

  void WriteGoal(const PlannedGoal& goal) {
    json_.BeginObject();
    Text("type", goal.type);
    Text("name", goal.name);
    Flag("custom", goal.custom);
    WriteDiff("inputDiff", goal.input_diff);
    WriteDiff("outputDiff", goal.output_diff);
    json_.TextUnlessEmpty("parent", goal.parent.str());
    Flag("protect", goal.protect);
    json_.TextsUnlessEmpty("dependencies", goal.dependencies);
    json_.TextUnlessEmpty("provider", goal.provider);
    WriteDependencies(goal.property_dependencies);
    if (goal.delete_before_replace) Flag("deleteBeforeReplace", *goal.delete_before_replace);
    json_.TextsUnlessEmpty("ignoreChanges", goal.ignore_changes);
    json_.TextsUnlessEmpty("additionalSecretOutputs", goal.additional_secret_outputs);
    WriteAliases(goal.aliases);
    json_.TextUnlessEmpty("id", goal.import_id);
    WriteTimeouts(goal.custom_timeouts);
    json_.EndObject();
  }

  void WriteDiff(const char* key, const PlannedDiff& diff) {
    json_.Key(key);
    json_.BeginObject();
    PropertiesUnlessEmpty("adds", diff.adds);
    json_.TextsUnlessEmpty("deletes", diff.deletes);
    PropertiesUnlessEmpty("updates", diff.updates);
    json_.EndObject();
  }

  void WriteDependencies(const PropertyDependencies& dependencies) {
    if (dependencies.empty()) return;
    json_.Key("propertyDependencies");
    json_.BeginObject();
    for (const auto& [key, urns] : dependencies) {
      json_.Key(key);
      json_.Texts(urns);
    }
    json_.EndObject();
  }

  void WriteAliases(const std::vector<Alias>& aliases) {
    if (aliases.empty()) return;
    json_.Key("structuredAliases");
    json_.BeginArray();
    for (const Alias& alias : aliases) {
      json_.BeginObject();
      Text("URN", alias.urn.str());
      Text("Name", alias.name);
      Text("Type", alias.type);
      Text("Project", alias.project);
      Text("Stack", alias.stack);
      Text("Parent", alias.parent_urn.str());
      Flag("NoParent", alias.no_parent);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void WriteTimeouts(const CustomTimeouts& timeouts) {
    json_.Key("customTimeouts");
    json_.BeginObject();
    json_.NumberUnlessZero("create", timeouts.create_s);
    json_.NumberUnlessZero("update", timeouts.update_s);
    json_.NumberUnlessZero("delete", timeouts.delete_s);
    json_.NumberUnlessZero("read", timeouts.read_s);
    json_.EndObject();
  }

  const EncodeOptions& options_;
  JsonWriter json_;
  JsonValueWriter values_;
};

}  // namespace

Result<std::string> EncodePlan(const PlanDocument& document, const EncodeOptions& options) {
  std::string compact;
  PlanWriter writer(options, &compact);
  Status written = writer.Write(document);
  if (!written.ok()) return written;
  return IndentJson(compact) + "\n";
}

}  // namespace kingpost::update_plan
