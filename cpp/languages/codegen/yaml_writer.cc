// SPDX-License-Identifier: Apache-2.0
#include "workspace/yaml_writer.h"

#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

using Document = nlohmann::ordered_json;

// "$" where it would begin an interpolation, or make another one plain.
std::string WithoutInterpolation(const std::string& text) { return Doubled(text, "$", "{$"); }

const char* YamlType(Setting::Kind kind) {
  static constexpr const char* kTypes[] = {"string", "boolean", "integer", "number", "object", "object"};
  return kTypes[static_cast<int>(kind)];
}

// ".name", "[0]", "[\"a key\"]"
std::string YamlStep(const Value& key) {
  if (!key.is_string()) return "[" + pcl::NumberText(key.as_number()) + "]";
  return IsIdentifier(key.as_string()) ? "." + key.as_string() : "[" + Quoted(key.as_string()) + "]";
}

Document Function(const std::string& name, Document argument) { return Document{{"fn::" + name, std::move(argument)}}; }

Document Constant(const Value& value) {
  if (value.is_string()) return WithoutInterpolation(value.as_string());
  if (value.is_bool()) return value.as_bool();
  return value.is_number() ? Document(value.as_number()) : Document();
}

bool IsYamlWord(const std::string& name) { return name == "pulumi"; }

class YamlWriter {
 public:
  explicit YamlWriter(const Program& program)
      : program_(program), variables_(NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsYamlWord, {}))) {}

  std::string Write() const {
    std::string text;
    if (!program_.settings.empty()) text += YamlEntry("configuration", Settings(), 0);
    Document variables;
    for (const NamedExpression& variable : program_.variables) {
      variables[WithoutInterpolation(variables_.variables.at(variable.name))] = Text(*variable.value);
    }
    if (!variables.empty()) text += YamlEntry("variables", variables, 0);
    if (!program_.resources.empty()) text += "resources:\n";
    for (const Resource& resource : program_.resources) {
      if (resource.kind == Resource::Kind::kComponent) {
        text += "  # The component " + Quoted(resource.name) + " of the type " + resource.token +
                " has no form in YAML; its children are declared without it.\n";
      } else {
        if (!resource.note.empty()) text += "  # " + resource.note + "\n";
        text += YamlEntry(WithoutInterpolation(variables_.resources.at(resource.key)), Declaration(resource), 2);
      }
    }
    if (!program_.outputs.empty()) text += YamlEntry("outputs", Fields(program_.outputs), 0);
    return text;
  }

 private:
  Document Settings() const {
    Document settings;
    for (const Setting& setting : program_.settings) {
      Document& declared = settings[WithoutInterpolation(setting.name)];
      const bool list = setting.kind == Setting::Kind::kList;
      declared["type"] = list ? std::string("list<") + YamlType(setting.element) + ">" : YamlType(setting.kind);
      if (setting.secret) declared["secret"] = true;
      if (setting.default_value) declared["default"] = Text(*setting.default_value);
    }
    return settings;
  }

  Document Declaration(const Resource& resource) const {
    Document declared;
    declared["type"] = ShortToken(resource.token, program_.packages);
    if (variables_.resources.at(resource.key) != resource.name) declared["name"] = WithoutInterpolation(resource.name);
    const bool read = resource.kind == Resource::Kind::kRead;
    Document& given = read ? declared["get"] : declared;
    if (read) given["id"] = Text(*resource.id);
    if (!resource.inputs.empty()) given[read ? "state" : "properties"] = Fields(resource.inputs);
    if (const Document options = Options(resource); !options.empty()) declared["options"] = options;
    return declared;
  }

  // Without what names a component, which is not declared.
  Document Options(const Resource& resource) const {
    Document options;
    for (const NamedExpression& option : resource.options) {
      const auto* reference = option.value->as<ResourceRef>();
      const Resource* named = reference ? FindResource(program_, reference->key) : nullptr;
      if (!named || named->kind != Resource::Kind::kComponent) options[option.name] = Text(*option.value);
    }
    // There is no SDK to tell the version.
    if (!resource.plugin_version.empty()) options["version"] = resource.plugin_version;
    return options;
  }

  Document Fields(const std::vector<NamedExpression>& fields) const {
    Document object = Document::object();
    for (const NamedExpression& field : fields) {
      if (FindCall(*field.value, kNoParent)) {
        object["noParent"] = true;
      } else {
        object[WithoutInterpolation(field.name)] = Text(*field.value);
      }
    }
    return object;
  }

  Document List(const std::vector<ExpressionPtr>& list) const {
    Document elements = Document::array();
    for (const ExpressionPtr& element : list) elements.push_back(Text(*element));
    return elements;
  }

  Document Text(const Expression& expression) const {
    if (const auto* literal = expression.as<Literal>()) return Constant(literal->value);
    if (const auto* list = expression.as<TupleLiteral>()) return List(list->elements);
    if (const auto* object = expression.as<ObjectLiteral>()) return Fields(FieldsOf(*object));
    if (const auto* joined = expression.as<Template>()) return TextOf(*joined);
    if (const auto* call = expression.as<Call>(); call && !call->arguments.empty()) return TextOf(*call);
    const auto step = pcl::LastStepOf(expression);
    const Call* invoke = step && step->key.is_string() ? FindCall(*step->whole, kInvoke) : nullptr;
    return invoke ? TextOf(InvocationOf(*invoke), step->key.as_string()) : Document("${" + Path(expression) + "}");
  }

  Document TextOf(const Template& joined) const {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const std::string* literal = LiteralText(part);
      text += literal ? WithoutInterpolation(*literal) : "${" + Path(*part) + "}";
    }
    return text;
  }

  Document TextOf(const Call& call) const {
    if (call.function == kAsText) return Text(*call.arguments[0]);
    if (call.function == kInvoke) return TextOf(InvocationOf(call), "");
    return Function(NameInYaml(call.function),
                    call.arguments.size() == 1 ? Text(*call.arguments[0]) : List(call.arguments));
  }

  Document TextOf(const Invocation& invocation, const std::string& wanted) const {
    Document call{{"function", ShortToken(invocation.token, program_.packages)}};
    if (!invocation.arguments.empty()) call["arguments"] = Fields(invocation.arguments);
    if (!invocation.options.empty()) call["options"] = Fields(invocation.options);
    if (!wanted.empty()) call["return"] = wanted;
    return Function("invoke", call);
  }

  // The text in ${...}; "" if it is no path.
  std::string Path(const Expression& expression) const {
    if (const auto* reference = expression.as<ResourceRef>()) return variables_.resources.at(reference->key);
    if (const auto* reference = expression.as<PropertyRef>()) {
      return variables_.resources.at(reference->key) + YamlStep(Value(reference->property));
    }
    if (const auto* reference = expression.as<SettingRef>()) return reference->name;
    if (const auto* reference = expression.as<Variable>()) return variables_.variables.at(reference->name);
    if (const Call* text = FindCall(expression, kAsText)) return Path(*text->arguments[0]);
    const auto* call = expression.as<Call>();
    if (call && call->arguments.empty()) return "pulumi." + call->function;
    const auto step = pcl::LastStepOf(expression);
    const std::string whole = step ? Path(*step->whole) : "";
    return whole.empty() ? "" : whole + YamlStep(step->key);
  }

  const Program& program_;
  const Variables variables_;
};

}  // namespace

std::string WriteYaml(const Program& program) { return YamlWriter(program).Write(); }

}  // namespace kingpost::codegen
