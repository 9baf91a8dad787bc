// SPDX-License-Identifier: Apache-2.0
#include "workspace/yaml_writer.h"

#include "languages/codegen/expression_printer.h"
#include "languages/codegen/names.h"
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

Document Function(const std::string& name, Document argument) { return Document{{"fn::" + name, std::move(argument)}}; }

Document Plain(const Value& value) {
  if (value.is_string()) return WithoutInterpolation(value.as_string());
  if (value.is_bool()) return value.as_bool();
  return value.is_number() ? Document(value.as_number()) : Document();
}

std::string YamlText(const std::string& text) { return Quoted(text); }

bool IsYamlWord(const std::string& name) { return name == "pulumi"; }

// Values are parts of the document; what stands in "${...}" is printed.
class YamlWriter final : public ExpressionPrinter {
 public:
  explicit YamlWriter(const Program& program)
      : ExpressionPrinter(program, NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsYamlWord, {})),
                          {YamlText, "true", "false", "null", nullptr, PlainAttribute}) {}

  std::string Write() const {
    std::string text;
    if (!program_.settings.empty()) text += YamlEntry("configuration", Settings(), 0);
    Document variables;
    for (const NamedExpression& variable : program_.variables) {
      variables[WithoutInterpolation(variables_.variables.at(variable.name))] = ValueOf(*variable.value);
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
    if (!program_.outputs.empty()) text += YamlEntry("outputs", Entries(program_.outputs), 0);
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
      if (setting.default_value) declared["default"] = ValueOf(*setting.default_value);
    }
    return settings;
  }

  Document Declaration(const Resource& resource) const {
    Document declared;
    declared["type"] = ShortToken(resource.token, program_.packages);
    if (variables_.resources.at(resource.key) != resource.name) declared["name"] = WithoutInterpolation(resource.name);
    const bool read = resource.kind == Resource::Kind::kRead;
    Document& given = read ? declared["get"] : declared;
    if (read) given["id"] = ValueOf(*resource.id);
    if (!resource.inputs.empty()) given[read ? "state" : "properties"] = Entries(resource.inputs);
    if (const Document options = Options(resource); !options.empty()) declared["options"] = options;
    return declared;
  }

  // Without what names a component, which is not declared.
  Document Options(const Resource& resource) const {
    Document options;
    for (const NamedExpression& option : resource.options) {
      const auto* reference = option.value->as<ResourceRef>();
      const Resource* named = reference ? FindResource(program_, reference->key) : nullptr;
      if (!named || named->kind != Resource::Kind::kComponent) options[option.name] = ValueOf(*option.value);
    }
    // There is no SDK to tell the version.
    if (!resource.plugin_version.empty()) options["version"] = resource.plugin_version;
    return options;
  }

  Document Entries(const std::vector<NamedExpression>& fields) const {
    Document object = Document::object();
    for (const NamedExpression& field : fields) {
      if (FindCall(*field.value, kNoParent)) {
        object["noParent"] = true;
      } else {
        object[WithoutInterpolation(field.name)] = ValueOf(*field.value);
      }
    }
    return object;
  }

  Document List(const std::vector<ExpressionPtr>& list) const {
    Document elements = Document::array();
    for (const ExpressionPtr& element : list) elements.push_back(ValueOf(*element));
    return elements;
  }

  Document ValueOf(const Expression& expression) const {
    if (const auto* literal = expression.as<Literal>()) return Plain(literal->value);
    if (const auto* list = expression.as<TupleLiteral>()) return List(list->elements);
    if (const auto* object = expression.as<ObjectLiteral>()) return Entries(FieldsOf(*object));
    if (const auto* joined = expression.as<Template>()) return Interpolated(*joined, WithoutInterpolation, 0);
    if (const auto* call = expression.as<Call>(); call && !call->arguments.empty()) return ValueOf(*call);
    const auto step = pcl::LastStepOf(expression);
    const Call* invoke = step && step->key.is_string() ? FindCall(*step->whole, kInvoke) : nullptr;
    return invoke ? ValueOf(InvocationOf(*invoke), step->key.as_string()) : Document("${" + Text(expression, 0) + "}");
  }

  Document ValueOf(const Call& call) const {
    if (call.function == kAsText) return ValueOf(*call.arguments[0]);
    if (call.function == kInvoke) return ValueOf(InvocationOf(call), "");
    return Function(NameInYaml(call.function),
                    call.arguments.size() == 1 ? ValueOf(*call.arguments[0]) : List(call.arguments));
  }

  Document ValueOf(const Invocation& invocation, const std::string& wanted) const {
    Document call{{"function", ShortToken(invocation.token, program_.packages)}};
    if (!invocation.arguments.empty()) call["arguments"] = Entries(invocation.arguments);
    if (!invocation.options.empty()) call["options"] = Entries(invocation.options);
    if (!wanted.empty()) call["return"] = wanted;
    return Function("invoke", call);
  }

  // The path that stands in "${...}"; "" if it is none.
  std::string Text(const Expression& expression, int depth) const override {
    const bool is_written_out =
        expression.as<Literal>() || expression.as<TupleLiteral>() || expression.as<ObjectLiteral>();
    return is_written_out ? "" : Raw(expression, depth);
  }
  std::string TextOf(const PathStep& step, int depth) const override {
    const std::string whole = Text(*step.whole, depth);
    return whole.empty() ? "" : whole + Step(step.key, step.named);
  }
  using ExpressionPrinter::TextOf;
  std::string TextOf(const SettingRef& reference) const override { return reference.name; }
  std::string TextOf(const Call& call, int depth) const override {
    if (call.function == kAsText) return Text(*call.arguments[0], depth);
    return call.arguments.empty() ? "pulumi." + call.function : "";
  }
  std::string TextOf(const Template&, int) const override { return ""; }
};

}  // namespace

std::string WriteYaml(const Program& program) { return YamlWriter(program).Write(); }

}  // namespace kingpost::codegen
