// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/program_decl.h"
#include "languages/yaml/record.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

// Reads the common parts of a program and a component.
class BodyParser {
 public:
  BodyParser(Body* body, Diagnostics* diagnostics)
      : body_(*body), diagnostics_(*diagnostics), expressions_(diagnostics) {}

  // `fields` are its owner's own. Unknown ones are reported if it `is_complete`.
  void Parse(const Node& node, const std::string& what, std::vector<FieldReader> fields, bool is_complete) {
    const auto resource = [this](const Entry& entry) {
      body_.resources.push_back(ParseResource(entry, &expressions_, &diagnostics_));
    };
    const auto settings = [this](const Node& node) {
      const std::vector<FieldReader> fields = {
          {"requiredVersion", [this](const Node& range) { body_.required_version = expressions_.Parse(range); }}};
      ReadRecord(node, "pulumi", fields, &diagnostics_, Unknown("pulumi", fields));
    };
    fields.push_back({"resources", ReadEntries(resource, "resources", &diagnostics_)});
    fields.push_back({"variables", Named(&body_.variables, "variables")});
    fields.push_back({"outputs", Named(&body_.outputs, "outputs")});
    fields.push_back({"pulumi", settings});
    ReadRecord(node, what, fields, &diagnostics_, is_complete ? Unknown(what, fields) : nullptr);
    for (const std::string& stack : expressions_.stacks()) {
      ResourceDecl reference;
      reference.key = kImpliedPrefix + stack;
      reference.type.value = kStackReferenceType;
      reference.name = stack;
      reference.properties.push_back({"name", pcl::Make(pcl::Literal{Value(stack)})});
      body_.resources.push_back(std::move(reference));
    }
  }

  // Entries of another block that come first win.
  ReadField ConfigReader(const char* what) {
    const auto add = [=, this](const Entry& entry) {
      for (const ConfigDecl& known : body_.config) {
        if (known.key == entry.key) return;
      }
      body_.config.push_back(ParseConfig(entry, what));
    };
    return ReadEntries(add, what, &diagnostics_);
  }

 private:
  ReadField Named(std::vector<NamedExpression>* list, const char* what) {
    const auto add = [=, this](const Entry& entry) {
      list->push_back({entry.key, expressions_.Parse(entry.value), entry.at});
    };
    return ReadEntries(add, what, &diagnostics_);
  }

  ConfigDecl ParseConfig(const Entry& entry, const std::string& block) {
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
           ReadTextInto(&config.type->value, "type", &diagnostics_)(node);
         }},
        {"name", ReadTextInto(&config.name, "name", &diagnostics_)},
        {"secret", ReadBoolInto(&config.secret, "secret", &diagnostics_)},
        {"default", [&](const Node& node) { config.default_value = expressions_.Parse(node); }},
        {"value", [&](const Node&) { config.is_value = true; }},
        {"description", [&](const Node& node) { config.description = node.text; }},
        {"items", [&](const Node& node) { config.items = node; }}};
    ReadRecord(entry.value, block + "." + entry.key, fields, &diagnostics_, nullptr);
    return config;
  }

  ReadEntry Unknown(const std::string& what, const std::vector<FieldReader>& fields) {
    std::vector<std::string> known;
    for (const FieldReader& field : fields) known.push_back(field.name);
    return [this, what, known](const Entry& entry) {
      diagnostics_.Warning(entry.at, "Field '" + entry.key + "' does not exist on Object '" + what + "'",
                           "Existing fields are: " + ListClosest(entry.key, known, 10));
    };
  }

  Body& body_;
  Diagnostics& diagnostics_;
  ExpressionReader expressions_;
};

ComponentDecl ParseComponent(const Entry& entry, Diagnostics* diagnostics) {
  ComponentDecl component;
  component.name = entry.key;
  component.at = entry.at;
  BodyParser body(&component.body, diagnostics);
  body.Parse(entry.value, "components." + entry.key,
             {{"inputs", body.ConfigReader("inputs")},
              {"name", [](const Node&) {}},
              {"description", ReadTextInto(&component.description, "description", diagnostics)}},
             true);
  return component;
}

void ParseRoot(const Node& root, ProgramDecl* program, Diagnostics* diagnostics) {
  bool old_config = false;
  BodyParser body(&program->body, diagnostics);
  const auto component = [=](const Entry& entry) { program->components.push_back(ParseComponent(entry, diagnostics)); };
  const auto configuration = [&, read = body.ConfigReader("configuration")](const Node& node) {
    old_config = true;
    read(node);
  };
  // The other keys of a project's file are not about the program.
  body.Parse(root, "template",
             {{"config", body.ConfigReader("config")},
              {"configuration", configuration},
              {"name", ReadTextInto(&program->name, "name", diagnostics)},
              {"description", [=](const Node& node) { program->description = node.text; }},
              {"version", [=](const Node& node) { program->version = node.text; }},
              {"namespace",
               [=](const Node& node) {
                 program->package_namespace = Text{node.text, node.at};
               }},
              {"components", ReadEntries(component, "components", diagnostics)}},
             false);
  if (!old_config) return;
  const std::string& file = program->source.file;
  diagnostics->Warning({0, 0}, file + ": root-level `configuration` field is deprecated; please use `config` instead.");
}

}  // namespace

ProgramDecl ParseProgram(Source source, Diagnostics* diagnostics) {
  ProgramDecl result;
  result.source = std::move(source);
  const auto root = ReadNode(result.source);
  diagnostics->Add(root.status());
  if (root.ok()) ParseRoot(*root, &result, diagnostics);
  return result;
}

}  // namespace kingpost::yaml
