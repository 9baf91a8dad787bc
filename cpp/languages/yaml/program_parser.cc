// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/program_decl.h"
#include "languages/yaml/record.h"
#include "languages/yaml/resource_parser.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

class TemplateParser {
 public:
  explicit TemplateParser(Diagnostics* diagnostics) : diagnostics_(*diagnostics) {}

  void Parse(const Node& root, ProgramDecl* result) {
    bool old_config = false;
    ExpressionReader expressions(&diagnostics_);
    std::vector<FieldReader> fields = BodyFields(&result->body, &expressions);
    fields.push_back({"config", ReadConfig(&result->body, "config", &expressions)});
    fields.push_back({"configuration", [&](const Node& node) {
                        old_config = true;
                        ReadConfig(&result->body, "configuration", &expressions)(node);
                      }});
    fields.push_back({"name", TextOf(&result->name, "name")});
    fields.push_back({"description", [&](const Node& node) { result->description = node.text; }});
    fields.push_back({"version", [&](const Node& node) { result->version = node.text; }});
    fields.push_back({"namespace", [&](const Node& node) { result->package_namespace = Text{node.text, node.at}; }});
    fields.push_back(
        {"components", ReadEntries([&](const Entry& entry) { result->components.push_back(ParseComponent(entry)); },
                                   "components", &diagnostics_)});
    // The other keys of a project's file are not about the program.
    ReadRecord(root, "template", fields, &diagnostics_, nullptr);
    AddStackReferences(expressions, &result->body);
    if (old_config) {
      diagnostics_.Warning(
          {0, 0},
          result->source.file + ": root-level `configuration` field is deprecated; please use `config` instead.");
    }
  }

 private:
  std::function<void(const Node&)> TextOf(std::string* text, const std::string& what) {
    return ReadTextInto(text, what, &diagnostics_);
  }

  std::function<void(const Node&)> Named(std::vector<NamedExpression>* list, const char* what,
                                         ExpressionReader* expressions) {
    return ReadEntries(
        [=](const Entry& e) {
          list->push_back({e.key, expressions->Parse(e.value), e.at});
        },
        what, &diagnostics_);
  }

  std::vector<FieldReader> BodyFields(Body* body, ExpressionReader* expressions) {
    const auto resource = [=, this](const Entry& entry) {
      body->resources.push_back(ParseResource(entry, expressions, &diagnostics_));
    };
    const auto settings = [=, this](const Node& node) {
      const std::vector<FieldReader> fields = {
          {"requiredVersion", [=](const Node& range) { body->required_version = expressions->Parse(range); }}};
      ReadRecord(node, "pulumi", fields, &diagnostics_, Unknown("pulumi", {"requiredVersion"}));
    };
    return {{"resources", ReadEntries(resource, "resources", &diagnostics_)},
            {"variables", Named(&body->variables, "variables", expressions)},
            {"outputs", Named(&body->outputs, "outputs", expressions)},
            {"pulumi", settings}};
  }

  // Entries of another block that come first win.
  std::function<void(const Node&)> ReadConfig(Body* body, const char* what, ExpressionReader* expressions) {
    const auto add = [=, this](const Entry& entry) {
      for (const ConfigDecl& known : body->config) {
        if (known.key == entry.key) return;
      }
      body->config.push_back(ParseConfig(entry, what, expressions));
    };
    return ReadEntries(add, what, &diagnostics_);
  }

  ConfigDecl ParseConfig(const Entry& entry, const std::string& block, ExpressionReader* expressions) {
    ConfigDecl config;
    config.key = entry.key;
    config.at = entry.at;
    if (!entry.value.is_object()) {
      config.is_value = true;
      return config;
    }
    const std::vector<FieldReader> fields = {
        {"type",
         [&](const Node& node) {
           config.type = Text{"", node.at};
           TextOf(&config.type->value, "type")(node);
         }},
        {"name", TextOf(&config.name, "name")},
        {"secret",
         [&](const Node& node) {
           config.secret_at = node.at;
           ReadBoolInto([&](bool flag) { config.secret = flag; }, "secret", &diagnostics_)(node);
         }},
        {"default", [&](const Node& node) { config.default_value = expressions->Parse(node); }},
        {"value", [&](const Node&) { config.is_value = true; }},
        {"description", [&](const Node& node) { config.description = node.text; }},
        {"items", [&](const Node& node) { config.items = node; }}};
    ReadRecord(entry.value, block + "." + entry.key, fields, &diagnostics_, nullptr);
    return config;
  }

  ComponentDecl ParseComponent(const Entry& entry) {
    ComponentDecl component;
    component.name = entry.key;
    component.at = entry.at;
    ExpressionReader expressions(&diagnostics_);
    std::vector<FieldReader> fields = BodyFields(&component.body, &expressions);
    fields.push_back({"inputs", ReadConfig(&component.body, "inputs", &expressions)});
    fields.push_back({"name", [](const Node&) {}});
    fields.push_back({"description", TextOf(&component.description, "description")});
    const std::string what = "components." + entry.key;
    ReadRecord(entry.value, what, fields, &diagnostics_,
               Unknown(what, {"name", "description", "pulumi", "inputs", "variables", "resources", "outputs"}));
    AddStackReferences(expressions, &component.body);
    return component;
  }

  std::function<void(const Entry&)> Unknown(const std::string& what, std::vector<std::string> known) {
    return [this, what, known = std::move(known)](const Entry& entry) {
      diagnostics_.Warning(entry.at, "Field '" + entry.key + "' does not exist on Object '" + what + "'",
                           "Existing fields are: " + ListClosest(entry.key, known, 10));
    };
  }

  static void AddStackReferences(const ExpressionReader& expressions, Body* body) {
    for (const std::string& stack : expressions.stacks()) {
      ResourceDecl reference;
      reference.key = kImpliedPrefix + stack;
      reference.type.value = kStackReferenceType;
      reference.name = stack;
      reference.properties.push_back({"name", pcl::Make(pcl::Literal{Value(stack)})});
      body->resources.push_back(std::move(reference));
    }
  }

  Diagnostics& diagnostics_;
};

}  // namespace

ProgramDecl ParseProgram(Source source, Diagnostics* diagnostics) {
  ProgramDecl result;
  result.source = std::move(source);
  auto root = ReadNode(result.source);
  if (!root.ok()) {
    diagnostics->Add(root.status());
    return result;
  }
  TemplateParser(diagnostics).Parse(*root, &result);
  return result;
}

}  // namespace kingpost::yaml
