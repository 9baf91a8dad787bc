// SPDX-License-Identifier: Apache-2.0
#include "scenarios/scenario.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "workspace/yaml_node.h"

namespace kingpost::scenarios {

namespace {

const std::vector<std::string> kWorldKeys = {"plugins", "policies",     "transforms", "migrations",
                                             "config",  "secretConfig", "stacks",     "requires"};
const std::vector<std::string> kActKeys = {
    // what happens
    "run", "program", "cloud", "cloudOf", "faults", "imports", "plugins", "policies", "transforms", "migrations",
    "config", "requires", "taint", "edit", "snippets", "journalFails",
    // what must come of it
    "steps", "calls", "sent", "order", "state", "pending", "says", "tells", "fails", "changes", "plan", "maybeCorrupt",
    "hasChanges", "condemned", "because"};

const std::vector<std::string> kResourceKeys = {"as",
                                                "type",
                                                "inputs",
                                                "parent",
                                                "protect",
                                                "dependsOn",
                                                "propertyDependencies",
                                                "provider",
                                                "providers",
                                                "version",
                                                "pluginDownloadURL",
                                                "pluginChecksums",
                                                "package",
                                                "ref",
                                                "deleteBeforeReplace",
                                                "ignoreChanges",
                                                "replaceOnChanges",
                                                "hideDiffs",
                                                "additionalSecretOutputs",
                                                "aliases",
                                                "aliasURNs",
                                                "aliasSpecs",
                                                "fromNode",
                                                "import",
                                                "timeouts",
                                                "retainOnDelete",
                                                "deletedWith",
                                                "replaceWith",
                                                "replacementTrigger",
                                                "transforms",
                                                "hooks",
                                                "remote",
                                                "envVarMappings",
                                                "reportsResults",
                                                "stateMigrations",
                                                "outputValues",
                                                "source",
                                                "expect",
                                                "fails"};

// The kinds of statements. The first of these keys that a statement has gives its kind, so keys that are also options
// of other statements come last.
const std::vector<std::pair<std::string, std::vector<std::string>>> kStatements = {
    {"resource", kResourceKeys},
    {"component", kResourceKeys},
    {"stack", kResourceKeys},
    {"outputs", {"values", "fails"}},
    {"read",
     {"as", "id", "type", "inputs", "parent", "dependsOn", "provider", "version", "pluginDownloadURL", "package",
      "additionalSecretOutputs", "expect", "fails"}},
    {"exists", {"type", "inputs", "parent", "provider", "version", "pluginDownloadURL", "package", "expect", "fails"}},
    {"invoke",
     {"args", "provider", "version", "pluginDownloadURL", "package", "dependsOn", "parent", "outputValues", "expect",
      "fails"}},
    {"call", {"args", "dependencies", "provider", "version", "package", "outputValues", "expect", "fails"}},
    {"stackTransform", {"fails"}},
    {"invokeTransform", {"fails"}},
    {"hook", {"onDryRun", "ignoreErrors", "error", "fails"}},
    {"errorHook", {"retries", "error", "fails"}},
    {"supports", {"expect"}},
    {"info", {"expect"}},
    {"log", {"severity", "on"}},
    {"together", {}},
    {"signal", {"fails"}},
    {"provider", kResourceKeys},
    {"package", {"plugin", "version", "url", "checksums", "parameterization", "extension", "same", "fails"}},
    {"error", {"bail"}},
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Mistake("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> KeysOf(const std::string& kind) {
  for (const auto& [name, options] : kStatements) {
    if (name != kind) continue;
    std::vector<std::string> keys = options;
    keys.push_back(kind);
    return keys;
  }
  return {};
}

void CheckStatements(const Json& statements, const std::string& where) {
  if (!statements.is_array()) throw Mistake(where + ": a program is a list of statements");
  for (size_t i = 0; i < statements.size(); ++i) {
    const std::string place = where + "[" + std::to_string(i) + "]";
    const Json& statement = statements[i];
    if (!statement.is_object()) throw Mistake(place + ": a statement is a mapping");
    const std::string kind = KindOf(statement);
    if (kind.empty()) throw Mistake(place + ": not a statement: " + statement.dump());
    AllowOnly(statement, KeysOf(kind), place);
    if (kind == "together") CheckStatements(statement[kind], place);
  }
}

void CheckPlugins(const Json& plugins, const std::string& where) {
  static const std::vector<std::string> kKeys = {"versions",       "replaces",       "deleteBeforeReplace",
                                                 "detailed",       "diff",           "adds",
                                                 "defaults",       "stables",        "features",
                                                 "configReplaces", "configDiff",     "refreshBeforeUpdate",
                                                 "views",          "functions",      "components",
                                                 "methods",        "parameterizeAs", "noImport",
                                                 "secretOutputs",  "schema",         "checkedConfig",
                                                 "names",          "forgetsSecrets"};
  for (const auto& [package, plugin] : plugins.items()) {
    AllowOnly(plugin, kKeys, where + ".plugins." + package);
    for (const auto& [type, component] : Mapping(plugin, "components").items()) {
      const std::string place = where + ".plugins." + package + ".components." + type;
      AllowOnly(component, {"program", "outputs", "dependencies", "stateMigrations", "fails"}, place);
      CheckStatements(component.value("program", Json::array()), place);
    }
  }
}

}  // namespace

std::string KindOf(const Json& statement) {
  for (const auto& [kind, keys] : kStatements) {
    if (statement.contains(kind)) return kind;
  }
  return "";
}

const Json& Mapping(const Json& map, const std::string& key) {
  static const Json& kEmpty = *new Json(Json::object());
  const auto found = map.find(key);
  return found == map.end() ? kEmpty : *found;
}

void AllowOnly(const Json& map, const std::vector<std::string>& keys, const std::string& where) {
  if (!map.is_object()) throw Mistake(where + ": a mapping is wanted, not " + map.dump());
  for (const auto& [key, value] : map.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) throw Mistake(where + ": unknown key \"" + key + "\"");
  }
}

Scenario LoadScenario(const std::string& folder, const std::string& file) {
  auto document = YamlDocument::Parse(file, ReadFile(folder + "/" + file));
  if (!document.ok()) throw Mistake(document.status().message());
  const Json& json = document->json();
  std::vector<std::string> keys = kWorldKeys;
  keys.insert(keys.end(), {"rule", "title", "permute", "acts"});
  AllowOnly(json, keys, file);

  Scenario scenario;
  scenario.file = file;
  const Json rule = json.value("rule", Json());
  for (const Json& one : rule.is_array() ? rule : Json::array({rule})) {
    if (!one.is_string()) throw Mistake(file + ": rule: quote the number of the row, as in \"3.10\"");
    scenario.rules.push_back(one);
  }
  scenario.title = json.value("title", "");
  if (scenario.title.empty()) throw Mistake(file + ": the title is missing");
  scenario.permute = json.value("permute", true);
  scenario.world = Json::object();
  for (const std::string& key : kWorldKeys) {
    if (json.contains(key)) scenario.world[key] = json[key];
  }
  CheckPlugins(scenario.world.value("plugins", Json::object()), file);
  const Json acts = json.value("acts", Json::array());
  if (acts.empty()) throw Mistake(file + ": no acts");
  for (size_t i = 0; i < acts.size(); ++i) {
    const std::string where = file + ": acts[" + std::to_string(i) + "]";
    AllowOnly(acts[i], kActKeys, where);
    if (!acts[i].contains("run")) throw Mistake(where + ": what does it run?");
    if (acts[i].contains("program")) CheckStatements(acts[i]["program"], where + ".program");
    CheckPlugins(acts[i].value("plugins", Json::object()), where);
    scenario.acts.push_back(acts[i]);
  }
  return scenario;
}

Json LoadRows(const std::string& folder) {
  auto document = YamlDocument::Parse("rows.yaml", ReadFile(folder + "/rows.yaml"));
  if (!document.ok()) throw Mistake(document.status().message());
  for (const auto& [rule, row] : document->json().items()) AllowOnly(row, {"name", "elsewhere"}, "rows.yaml: " + rule);
  return document->json();
}

}  // namespace kingpost::scenarios
