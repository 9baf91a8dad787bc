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
#include "naming/version_range.h"
#include "planfile/planned_resource.h"

namespace kingpost::planfile {

namespace {

class PlanWriter {
 public:
  PlanWriter(const EncodeOptions& options, std::string* out) : options_(options), out_(*out), values_(options, out) {}

  Status Write(const PlanDocument& document) {
    out_ += '{';
    WriteManifest(document.time);
    Status config = WriteConfig(document);
    if (!config.ok()) return config;
    if (!document.resources.empty()) {
      Key("resourcePlans");
      out_ += '{';
      for (const auto& [urn, resource] : document.resources) {
        values_.set_urn(&urn);
        Key(urn.str());
        WriteResource(resource);
      }
      out_ += '}';
    }
    out_ += '}';
    return values_.status();
  }

 private:
  void Key(std::string_view key) {
    if (out_.back() != '{') out_ += ',';
    AppendJsonString(key, &out_);
    out_ += ':';
  }
  void Text(const char* key, const std::string& text) {
    Key(key);
    AppendJsonString(text, &out_);
  }
  void TextUnlessEmpty(const char* key, const std::string& text) {
    if (!text.empty()) Text(key, text);
  }
  void Flag(const char* key, bool value) {
    Key(key);
    out_ += value ? "true" : "false";
  }
  static const std::string& TextOf(const std::string& text) { return text; }
  static const std::string& TextOf(const Urn& urn) { return urn.str(); }
  template <class Texts>
  void AppendTexts(const Texts& texts) {
    out_ += '[';
    for (const auto& text : texts) {
      if (out_.back() != '[') out_ += ',';
      AppendJsonString(TextOf(text), &out_);
    }
    out_ += ']';
  }
  template <class Texts>
  void TextsUnlessEmpty(const char* key, const Texts& texts) {
    if (texts.empty()) return;
    Key(key);
    AppendTexts(texts);
  }
  void PropertiesUnlessEmpty(const char* key, const PropertyMap& map) {
    if (map.empty()) return;
    Key(key);
    values_.Append(map);
  }

  void WriteManifest(const std::string& time) {
    const std::string version = std::string("v") + naming::kPulumiVersion;
    Key("manifest");
    out_ += '{';
    Text("time", time);
    Text("magic", Sha256Hex(version));
    Text("version", version);
    out_ += '}';
  }

  Status WriteConfig(const PlanDocument& document) {
    if (document.config.empty()) return Status();
    Key("config");
    out_ += '{';
    for (const auto& [key, text] : document.config) {
      if (document.config_secret_keys.count(key) == 0) {
        Text(key.c_str(), text);
        continue;
      }
      if (!options_.secrets) return Status(Code::kInternal, "no secrets manager to encrypt config key " + Quote(key));
      Result<std::string> ciphertext = options_.secrets->Encrypt(text);
      if (!ciphertext.ok()) return ciphertext.status().Wrap("encrypting config key " + Quote(key));
      Key(key);
      out_ += '{';
      Text("secure", *ciphertext);
      out_ += '}';
    }
    out_ += '}';
    return Status();
  }

  void WriteResource(const PlannedResource& resource) {
    out_ += '{';
    if (resource.goal) {
      Key("goal");
      WriteGoal(*resource.goal);
    }
    std::vector<std::string> steps;
    for (StepOp op : resource.ops) steps.push_back(StepOpName(op));
    TextsUnlessEmpty("steps", steps);
    Key("state");
    if (resource.outputs) {
      values_.Append(*resource.outputs);
    } else {
      out_ += "null";
    }
    TextUnlessEmpty("seed", Base64Encode(resource.seed));
    out_ += '}';
  }

  void WriteGoal(const PlannedGoal& goal) {
    out_ += '{';
    Text("type", goal.type);
    Text("name", goal.name);
    Flag("custom", goal.custom);
    WriteDiff("inputDiff", goal.input_diff);
    WriteDiff("outputDiff", goal.output_diff);
    TextUnlessEmpty("parent", goal.parent.str());
    Flag("protect", goal.protect);
    TextsUnlessEmpty("dependencies", goal.dependencies);
    TextUnlessEmpty("provider", goal.provider);
    WriteDependencies(goal.property_dependencies);
    if (goal.delete_before_replace) Flag("deleteBeforeReplace", *goal.delete_before_replace);
    TextsUnlessEmpty("ignoreChanges", goal.ignore_changes);
    TextsUnlessEmpty("additionalSecretOutputs", goal.additional_secret_outputs);
    WriteAliases(goal.aliases);
    TextUnlessEmpty("id", goal.import_id);
    WriteTimeouts(goal.custom_timeouts);
    out_ += '}';
  }

  void WriteDiff(const char* key, const PlannedDiff& diff) {
    Key(key);
    out_ += '{';
    PropertiesUnlessEmpty("adds", diff.adds);
    TextsUnlessEmpty("deletes", diff.deletes);
    PropertiesUnlessEmpty("updates", diff.updates);
    out_ += '}';
  }

  void WriteDependencies(const PropertyDependencies& dependencies) {
    if (dependencies.empty()) return;
    Key("propertyDependencies");
    out_ += '{';
    for (const auto& [key, urns] : dependencies) {
      Key(key);
      AppendTexts(urns);
    }
    out_ += '}';
  }

  void WriteAliases(const std::vector<Alias>& aliases) {
    if (aliases.empty()) return;
    Key("structuredAliases");
    out_ += '[';
    for (const Alias& alias : aliases) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      Text("URN", alias.urn.str());
      Text("Name", alias.name);
      Text("Type", alias.type);
      Text("Project", alias.project);
      Text("Stack", alias.stack);
      Text("Parent", alias.parent_urn.str());
      Flag("NoParent", alias.no_parent);
      out_ += '}';
    }
    out_ += ']';
  }

  void WriteTimeouts(const CustomTimeouts& timeouts) {
    const auto number = [this](const char* key, double seconds) {
      if (seconds == 0) return;
      Key(key);
      AppendJsonNumber(seconds, &out_);
    };
    Key("customTimeouts");
    out_ += '{';
    number("create", timeouts.create_s);
    number("update", timeouts.update_s);
    number("delete", timeouts.delete_s);
    number("read", timeouts.read_s);
    out_ += '}';
  }

  const EncodeOptions& options_;
  std::string& out_;
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

}  // namespace kingpost::planfile
