// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/resource_parser.h"

#include <algorithm>

#include "languages/yaml/option_flags.h"
#include "languages/yaml/record.h"
#include "model/resource.h"

namespace kingpost::yaml {

namespace {

class ResourceParser {
 public:
  ResourceParser(const Entry& entry, ExpressionReader* expressions, Diagnostics* diagnostics)
      : entry_(entry), expressions_(*expressions), diagnostics_(*diagnostics) {
    resource_.key = resource_.name = entry.key;
    resource_.at = entry.at;
  }

  ResourceDecl Parse() {
    const std::vector<FieldReader> fields = {
        {"type",
         [this](const Node& node) {
           resource_.type.at = node.at;
           ReadTextInto(&resource_.type.value, "type", &diagnostics_)(node);
         }},
        {"name",
         [this](const Node& node) {
           std::string name;
           ReadTextInto(&name, "name", &diagnostics_)(node);
           if (!name.empty()) resource_.name = PlainText(name, node.at, "name");
         }},
        {"defaultProvider",
         ReadBoolInto([this](bool flag) { resource_.default_provider = flag; }, "defaultProvider", &diagnostics_)},
        {"properties", [this](const Node& node) { ParseProperties(node); }},
        {"options", [this](const Node& node) { ParseOptions(node); }},
        {"get", [this](const Node& node) { ParseGet(node); }}};
    ReadRecord(entry_.value, "resources." + entry_.key, fields, &diagnostics_, [this](const Entry& other) {
      // These two were words of the language before it was published, and still mean nothing.
      if (other.key != "condition" && other.key != "metadata") resource_.unknown_keys.push_back({other.key, other.at});
    });
    if (resource_.type.value.empty() && entry_.value.is_object()) {
      diagnostics_.Error(entry_.at, "Required field 'type' is missing on resource \"" + entry_.key + "\"");
    }
    if (resource_.default_provider && !IsProviderType(resource_.type.value)) {
      diagnostics_.Error(entry_.at, "cannot set defaultProvider on non-provider resource");
    }
    CheckGet();
    return std::move(resource_);
  }

 private:
  std::vector<NamedExpression> ParseNamed(const Node& node, const std::string& what) {
    std::vector<NamedExpression> list;
    ReadEntries(
        [&](const Entry& e) {
          list.push_back({e.key, expressions_.Parse(e.value), e.at});
        },
        what, &diagnostics_)(node);
    return list;
  }

  void ParseProperties(const Node& node) {
    if (node.is_object()) {
      resource_.properties = ParseNamed(node, "properties");
    } else {
      resource_.all_properties = expressions_.Parse(node);
    }
  }

  void ParseGet(const Node& node) {
    const std::vector<FieldReader> fields = {
        {"id", [this](const Node& id) { resource_.get_id = expressions_.Parse(id); }},
        {"state", [this](const Node& state) { resource_.get_state = ParseNamed(state, "state"); }}};
    ReadRecord(node, "get", fields, &diagnostics_, [this](const Entry& other) {
      diagnostics_.Error(other.at, "Field '" + other.key + "' does not exist on Object 'get'",
                         "Existing fields are: id, state");
    });
    if (!resource_.get_id) diagnostics_.Error(node.at, "get needs the ID of the resource: add `id`");
  }

  void CheckGet() {
    const bool reads = resource_.get_id || !resource_.get_state.empty();
    if (!reads || (resource_.properties.empty() && !resource_.all_properties)) return;
    diagnostics_.Error(entry_.at, "Resource fields properties and get are mutually exclusive",
                       "Properties describe a resource that this stack manages; get reads one that something else "
                       "manages.");
  }

  // A text that says what it says, without interpolation.
  std::string PlainText(const std::string& text, pcl::Position at, const std::string& what) {
    const auto parsed = expressions_.ParseText(text, at);
    const std::string* plain = LiteralText(parsed);
    if (!plain) diagnostics_.Error(at, what + " must be a string");
    return plain ? *plain : "";
  }

  std::function<void(const Node&)> OptionText(std::optional<Text>* option, const std::string& what) {
    return [=, this](const Node& node) {
      std::string text;
      ReadTextInto(&text, what, &diagnostics_)(node);
      *option = Text{PlainText(text, node.at, what), node.at};
    };
  }
  std::function<void(const Node&)> OptionTexts(std::vector<std::string>* option, const std::string& what) {
    return ReadTextsInto(option, what, &diagnostics_);
  }
  std::function<void(const Node&)> OptionBool(std::optional<bool>* option, const std::string& what) {
    return ReadBoolInto([=](bool flag) { *option = flag; }, what, &diagnostics_);
  }
  std::function<void(const Node&)> OptionExpression(pcl::ExpressionPtr* option) {
    return [=, this](const Node& node) { *option = expressions_.Parse(node); };
  }

  void ParseOptions(const Node& node) {
    ResourceOptions* o = &resource_.options;
    std::vector<FieldReader> fields = {
        {"additionalSecretOutputs", OptionTexts(&o->additional_secret_outputs, "additionalSecretOutputs")},
        {"aliases", [this](const Node& aliases) { ParseAliases(aliases); }},
        {"customTimeouts", [this](const Node& timeouts) { ParseTimeouts(timeouts); }},
        {"dependsOn", OptionExpression(&o->depends_on)},
        {"ignoreChanges", OptionTexts(&o->ignore_changes, "ignoreChanges")},
        {"import", OptionText(&o->import_id, "import")},
        {"parent", OptionExpression(&o->parent)},
        {"protect", OptionExpression(&o->protect)},
        {"provider", OptionExpression(&o->provider)},
        {"providers", OptionExpression(&o->providers)},
        {"version", OptionText(&o->version, "version")},
        {"pluginDownloadURL", OptionText(&o->plugin_download_url, "pluginDownloadURL")},
        {"replaceOnChanges", OptionTexts(&o->replace_on_changes, "replaceOnChanges")},
        {"replaceWith", OptionExpression(&o->replace_with)},
        {"deletedWith", OptionExpression(&o->deleted_with)},
        {"hideDiffs", OptionTexts(&o->hide_diffs, "hideDiffs")},
        {"replacementTrigger", OptionExpression(&o->replacement_trigger)},
        {"envVarMappings", OptionExpression(&o->env_var_mappings)}};
    ForEachSpelledFlag([&](const auto& field) {
      const std::string name(field.program);
      fields.push_back({name, OptionBool(&(o->spelled.*field.goal), name)});
    });
    ReadRecord(node, "options", fields, &diagnostics_, [&](const Entry& other) {
      diagnostics_.Error(other.at, other.key + " does not exist on resource options",
                         "Existing fields are: " + ListClosest(other.key, ResourceOptionNames(), 5));
    });
  }

  void ParseTimeouts(const Node& node) {
    resource_.options.custom_timeouts = ParseNamed(node, "customTimeouts");
    for (const NamedExpression& timeout : resource_.options.custom_timeouts) {
      if (timeout.name == "create" || timeout.name == "update" || timeout.name == "delete" || timeout.name == "read") {
        continue;
      }
      diagnostics_.Error(timeout.at, "Field '" + timeout.name + "' does not exist on Object 'customTimeouts'",
                         "Existing fields are: create, update, delete, read");
    }
  }

  void ParseAliases(const Node& node) {
    if (!node.is_list()) {
      diagnostics_.Error(node.at, "aliases must be a list");
      return;
    }
    for (const Node& item : node.items) {
      Alternative alias;
      alias.at = item.at;
      if (item.is_object()) {
        alias.fields = ParseNamed(item, "alias");
      } else {
        alias.urn = expressions_.Parse(item);
      }
      for (const NamedExpression& field : alias.fields) {
        static const std::vector<std::string> kFields = {"urn",      "name",  "type",   "parent",
                                                         "noParent", "stack", "project"};
        if (std::find(kFields.begin(), kFields.end(), field.name) != kFields.end()) continue;
        diagnostics_.Error(field.at, "Property " + field.name + " does not exist on an alias",
                           "Existing properties are: " + ListClosest(field.name, kFields, 7));
      }
      resource_.options.aliases.push_back(std::move(alias));
    }
  }

  const Entry& entry_;
  ExpressionReader& expressions_;
  Diagnostics& diagnostics_;
  ResourceDecl resource_;
};

}  // namespace

const std::vector<std::string>& ResourceOptionNames() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    ForEachResourceField([&names](const auto& field) {
      if (!field.program.empty()) names.emplace_back(field.program);
    });
    return names;
  }();
  return kNames;
}

ResourceDecl ParseResource(const Entry& entry, ExpressionReader* expressions, Diagnostics* diagnostics) {
  return ResourceParser(entry, expressions, diagnostics).Parse();
}

}  // namespace kingpost::yaml
