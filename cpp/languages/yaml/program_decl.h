// SPDX-License-Identifier: Apache-2.0
// A YAML program as it is declared, its expressions parsed; and the same of each component of a plugin. What the names
// mean, and whether the types fit, is not known yet. Any thread; values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "languages/pcl/ast.h"
#include "languages/yaml/diagnostics.h"

namespace kingpost::yaml {

struct Text {
  std::string value;
  pcl::Position at;
};

using pcl::NamedExpression;

// The options whose values a program may compute; those of the others are spelled.
inline constexpr const char* kComputedOptions[] = {"parent",      "dependsOn",          "protect",
                                                   "provider",    "providers",          "replaceWith",
                                                   "deletedWith", "replacementTrigger", "envVarMappings"};
bool IsComputedOption(const std::string& name);

struct ResourceDecl {
  std::string key;
  pcl::Position at;  // of the key
  Text type;
  std::string name;  // in its URN; `key`, where the program does not say
  bool default_provider = false;
  std::vector<NamedExpression> properties;
  pcl::ExpressionPtr all_properties;  // instead of `properties`: an expression that makes them all
  // In the order of the parser's list: `aliases` as a list of texts and objects, `customTimeouts` as an object.
  std::vector<NamedExpression> options;
  std::vector<Text> unknown_keys;
  pcl::ExpressionPtr get_id;  // it is read, and not managed
  std::vector<NamedExpression> get_state;

  // The text of an option that is one; "" where the program does not say it.
  std::string OptionText(const std::string& option) const;
};

struct ConfigDecl {
  std::string key;
  pcl::Position at;
  std::string name;  // in the configuration; "" for `key`
  std::optional<Text> type;
  std::optional<bool> secret;
  pcl::ExpressionPtr default_value;
  bool is_value = false;  // the project sets it for all stacks
  Node items;             // of an input that is a list: what it is a list of
  std::string description;
};

// The common parts of a program and a component.
struct Body {
  std::vector<ConfigDecl> config;  // a component's inputs
  std::vector<NamedExpression> variables;
  std::vector<ResourceDecl> resources;
  std::vector<NamedExpression> outputs;
  pcl::ExpressionPtr required_version;
};

struct ComponentDecl {
  std::shared_ptr<const Source> source;  // of plugins, which may have several files
  std::string name;
  pcl::Position at;
  std::string description;
  Body body;
};

struct ProgramDecl {
  std::string name, description, version;
  std::optional<Text> package_namespace;
  Body body;
  std::vector<ComponentDecl> components;
  Source source;
};

// Unreadable parts are reported in *diagnostics; the rest is in the template.
ProgramDecl ParseProgram(Source source, Diagnostics* diagnostics);

// The possible keys of a resource, and its options; in the spelling of messages.
inline constexpr const char* kResourceKeys[] = {"type", "name", "defaultProvider", "properties", "options", "get"};
const std::vector<std::string>& ResourceOptionNames();

// Names that only the program's text makes, for resources that its functions imply: fn::stackReference.
inline constexpr char kImpliedPrefix[] = "\x01stackReference:";

// The name itself stands for what the language knows of where it runs.
inline constexpr char kPulumi[] = "pulumi";
inline constexpr const char* kPlaces[] = {"cwd", "project", "stack", "organization", "rootDirectory"};

}  // namespace kingpost::yaml
