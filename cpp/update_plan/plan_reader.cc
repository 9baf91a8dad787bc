// SPDX-License-Identifier: Apache-2.0
// Plan files, read: the reference's DeploymentPlanV1 (see plan_writer.cc), bare as its commands write it or in a
// document with a version.
#include "base/encoding.h"
#include "model/json_state.h"
#include "update_plan/planned_resource.h"

namespace kingpost::update_plan {

namespace {

constexpr int kPlanVersion = 1;

class PlanReader {
 public:
  PlanReader(JsonReader* reader, const DecodeOptions& options) : reader_(*reader), values_(reader, options) {}

  PlannedResources Read() {
    PlannedResources resources;
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      if (key == "version") {
        ReadVersion();
      } else if (key == "plan") {  // of a document with a version
        resources = Read();
      } else if (key == "resourcePlans") {
        ReadResources(&resources);
      } else {
        reader_.Skip();
      }
    }
    return resources;
  }

 private:
  void ReadVersion() {
    const double version = reader_.ReadNumber();
    if (!reader_.ok() || version == kPlanVersion) return;
    reader_.Fail("plan version " + NumberText(version) + " is not supported, only version " +
                 std::to_string(kPlanVersion) + "; make the plan anew");
  }

  void ReadResources(PlannedResources* out) {
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      const Urn urn{std::string(key)};
      values_.set_urn(urn);
      (*out)[urn] = ReadResource();
      if (!reader_.ok()) {
        reader_.Explain("resource " + Quote(urn.str()));
        return;
      }
    }
  }

  PlannedResource ReadResource() {
    PlannedResource resource;
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      if (key == "goal") {
        ReadGoal(&resource.goal);
      } else if (key == "steps") {
        for (reader_.BeginArray(); reader_.NextElement();) ReadOp(&resource.ops);
      } else if (key == "state") {
        if (reader_.Peek() == JsonReader::Kind::kNull) {
          reader_.ReadNull();
        } else {
          resource.outputs = values_.ReadProperties();
        }
      } else if (key == "seed") {
        ReadSeed(&resource.seed);
      } else {
        reader_.Skip();
      }
    }
    return resource;
  }

  void ReadOp(std::vector<StepOp>* ops) {
    const std::string_view name = reader_.ReadString();
    const std::optional<StepOp> op = ParseStepOp(name);
    if (op) {
      ops->push_back(*op);
    } else if (reader_.ok()) {
      reader_.Fail("unknown step " + Quote(name));
    }
  }

  void ReadSeed(std::string* seed) {
    std::string text;
    reader_.ReadString(&text);
    std::optional<std::string> bytes = Base64Decode(text);
    if (bytes) {
      *seed = std::move(*bytes);
    } else {
      reader_.Fail("the seed is not base64");
    }
  }

  void ReadGoal(std::optional<PlannedGoal>* out) {
    if (reader_.Peek() == JsonReader::Kind::kNull) return reader_.ReadNull();
    PlannedGoal& goal = out->emplace();
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      if (!ReadGoalText(key, &goal) && !ReadGoalList(key, &goal) && !ReadGoalObject(key, &goal)) reader_.Skip();
    }
  }

  bool ReadGoalText(std::string_view key, PlannedGoal* goal) {
    if (key == "type") return reader_.ReadString(&goal->type), true;
    if (key == "name") return reader_.ReadString(&goal->name), true;
    if (key == "custom") return reader_.ReadBool(&goal->custom), true;
    if (key == "parent") return ReadUrn(&goal->parent), true;
    if (key == "protect") return reader_.ReadBool(&goal->protect), true;
    if (key == "provider") return reader_.ReadString(&goal->provider), true;
    if (key == "id") return reader_.ReadString(&goal->import_id), true;
    if (key != "deleteBeforeReplace") return false;
    if (reader_.Peek() == JsonReader::Kind::kNull) {
      reader_.ReadNull();
    } else {
      goal->delete_before_replace = reader_.ReadBool();
    }
    return true;
  }

  bool ReadGoalList(std::string_view key, PlannedGoal* goal) {
    if (key == "dependencies") return ReadUrns(&goal->dependencies), true;
    if (key == "ignoreChanges") return ReadTexts(&goal->ignore_changes), true;
    if (key == "additionalSecretOutputs") return ReadTexts(&goal->additional_secret_outputs), true;
    if (key != "structuredAliases") return false;
    for (reader_.BeginArray(); reader_.NextElement();) ReadAlias(&goal->aliases.emplace_back());
    return true;
  }

  bool ReadGoalObject(std::string_view key, PlannedGoal* goal) {
    if (key == "inputDiff") return ReadDiff(&goal->input_diff), true;
    if (key == "outputDiff") return ReadDiff(&goal->output_diff), true;
    if (key == "customTimeouts") return ReadTimeouts(reader_, &goal->custom_timeouts), true;
    if (key != "propertyDependencies") return false;
    for (reader_.BeginObject(); reader_.NextKey(&key);) ReadUrns(&goal->property_dependencies[key]);
    return true;
  }

  void ReadUrn(Urn* out) {
    std::string text;
    reader_.ReadString(&text);
    *out = Urn(std::move(text));
  }
  void ReadUrns(std::vector<Urn>* out) {
    for (reader_.BeginArray(); reader_.NextElement();) ReadUrn(&out->emplace_back());
  }
  void ReadTexts(std::vector<std::string>* out) {
    for (reader_.BeginArray(); reader_.NextElement();) out->emplace_back(reader_.ReadString());
  }

  void ReadDiff(PlannedDiff* out) {
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      if (key == "adds") {
        out->adds = values_.ReadProperties();
      } else if (key == "updates") {
        out->updates = values_.ReadProperties();
      } else if (key == "deletes") {
        for (reader_.BeginArray(); reader_.NextElement();) out->deletes.emplace(reader_.ReadString());
      } else {
        reader_.Skip();
      }
    }
  }

  void ReadAlias(Alias* out) {
    std::string_view key;
    for (reader_.BeginObject(); reader_.NextKey(&key);) {
      std::string* text = key == "Name"      ? &out->name
                          : key == "Type"    ? &out->type
                          : key == "Project" ? &out->project
                          : key == "Stack"   ? &out->stack
                                             : nullptr;
      if (text) {
        reader_.ReadString(text);
      } else if (key == "URN") {
        ReadUrn(&out->urn);
      } else if (key == "Parent") {
        ReadUrn(&out->parent_urn);
      } else if (key == "NoParent") {
        reader_.ReadBool(&out->no_parent);
      } else {
        reader_.Skip();
      }
    }
  }

  JsonReader& reader_;
  JsonValueReader values_;
};

}  // namespace

Result<PlannedResources> DecodePlan(std::string_view json, const DecodeOptions& options) {
  JsonReader reader(json);
  PlanReader plan(&reader, options);
  PlannedResources resources = plan.Read();
  reader.Finish();
  if (!reader.ok()) return reader.status();
  return resources;
}

}  // namespace kingpost::update_plan
