// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "languages/yaml/expression_reader.h"
#include "languages/yaml/record.h"
#include "model/resource_fields.h"

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
    std::optional<bool> default_provider;
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
        {"defaultProvider", ReadBoolInto(&default_provider, "defaultProvider", &diagnostics_)},
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
    resource_.default_provider = default_provider.value_or(false);
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
    ReadRecord(node, "get", fields, &diagnostics_,
               [this](const Entry& other) { RefuseField(other, "get", "id, state", &diagnostics_); });
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

  // The value of an option; null if it is empty, or wrong.
  using ParseOption = pcl::ExpressionPtr (ResourceParser::*)(const Node& node, const std::string& option);

  void ParseOptions(const Node& node) {
    std::vector<FieldReader> fields;
    const auto add = [&](const std::string& option, ParseOption parse) {
      fields.push_back({option, [=, this](const Node& value) {
                          auto parsed = (this->*parse)(value, option);
                          if (!parsed) return;
                          // The last of two spellings of one option counts.
                          std::erase_if(resource_.options, [&](const auto& other) { return other.name == option; });
                          resource_.options.push_back({option, std::move(parsed)});
                        }});
    };
    for (const char* option : kComputedOptions) add(option, &ResourceParser::ParseComputed);
    for (const char* option : {"additionalSecretOutputs", "ignoreChanges", "replaceOnChanges", "hideDiffs"}) {
      add(option, &ResourceParser::ParseTexts);
    }
    ForEachResourceField([&](const auto& field) {
      if (field.kIsFlag && field.program != "protect") add(std::string(field.program), &ResourceParser::ParseFlag);
    });
    for (const char* option : {"import", "version", "pluginDownloadURL"}) add(option, &ResourceParser::ParsePlainText);
    add("aliases", &ResourceParser::ParseAliases);
    add("customTimeouts", &ResourceParser::ParseTimeouts);
    ReadRecord(node, "options", fields, &diagnostics_, [&](const Entry& other) {
      diagnostics_.Error(other.at, other.key + " does not exist on resource options",
                         "Existing fields are: " + ListClosest(other.key, ResourceOptionNames(), 5));
    });
    std::ranges::stable_sort(resource_.options, {}, [&fields](const NamedExpression& option) {
      return std::ranges::find(fields, option.name, &FieldReader::name) - fields.begin();
    });
  }

  pcl::ExpressionPtr ParseComputed(const Node& node, const std::string&) { return expressions_.Parse(node); }

  pcl::ExpressionPtr ParseTexts(const Node& node, const std::string& option) {
    if (!node.is_list()) diagnostics_.Error(node.at, option + " must be a list");
    pcl::TupleLiteral list;
    for (const Node& item : node.items) {
      std::string text;
      ReadTextInto(&text, option + "[" + std::to_string(list.elements.size()) + "]", &diagnostics_)(item);
      list.elements.push_back(pcl::Make(pcl::Literal{Value(text)}, node.at));
    }
    return list.elements.empty() ? nullptr : pcl::Make(std::move(list), node.at);
  }

  pcl::ExpressionPtr ParseFlag(const Node& node, const std::string& option) {
    std::optional<bool> flag;
    ReadBoolInto(&flag, option, &diagnostics_)(node);
    return flag ? pcl::Make(pcl::Literal{Value(*flag)}, node.at) : nullptr;
  }

  pcl::ExpressionPtr ParsePlainText(const Node& node, const std::string& option) {
    std::string text;
    ReadTextInto(&text, option, &diagnostics_)(node);
    return pcl::Make(pcl::Literal{Value(PlainText(text, node.at, option))}, node.at);
  }

  // An object as it is written: its keys call no functions.
  pcl::ExpressionPtr ParseFields(const Node& node, const std::string& what) {
    pcl::ObjectLiteral object;
    for (NamedExpression& field : ParseNamed(node, what)) {
      object.items.push_back({pcl::Make(pcl::Literal{Value(field.name)}, field.at), std::move(field.value)});
    }
    return pcl::Make(std::move(object), node.at);
  }

  pcl::ExpressionPtr ParseTimeouts(const Node& node, const std::string& option) {
    auto timeouts = ParseFields(node, option);
    for (const Entry& entry : node.entries) {
      if (entry.key == "create" || entry.key == "update" || entry.key == "delete" || entry.key == "read") continue;
      RefuseField(entry, option, "create, update, delete, read", &diagnostics_);
    }
    return node.entries.empty() ? nullptr : timeouts;
  }

  pcl::ExpressionPtr ParseAliases(const Node& node, const std::string&) {
    static const std::vector<std::string> kFields = {"urn", "name", "type", "parent", "noParent", "stack", "project"};
    if (!node.is_list()) diagnostics_.Error(node.at, "aliases must be a list");
    pcl::TupleLiteral aliases;
    for (const Node& item : node.items) {
      aliases.elements.push_back(item.is_object() ? ParseFields(item, "alias") : expressions_.Parse(item));
      for (const Entry& field : item.entries) {
        if (std::ranges::find(kFields, field.key) != kFields.end()) continue;
        diagnostics_.Error(field.at, "Property " + field.key + " does not exist on an alias",
                           "Existing properties are: " + ListClosest(field.key, kFields, 7));
      }
    }
    return aliases.elements.empty() ? nullptr : pcl::Make(std::move(aliases), node.at);
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

bool IsComputedOption(const std::string& name) {
  return std::ranges::find(kComputedOptions, name) != std::end(kComputedOptions);
}

std::string ResourceDecl::OptionText(const std::string& option) const {
  const NamedExpression* found = pcl::FindNamed(options, option);
  const std::string* text = found ? LiteralText(found->value) : nullptr;
  return text ? *text : "";
}

ResourceDecl ParseResource(const Entry& entry, ExpressionReader* expressions, Diagnostics* diagnostics) {
  return ResourceParser(entry, expressions, diagnostics).Parse();
}

}  // namespace kingpost::yaml
