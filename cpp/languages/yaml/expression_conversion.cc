// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/expression_conversion.h"

#include <algorithm>

#include "languages/codegen/narrowing.h"
#include "languages/pcl/builtins.h"
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/order.h"

namespace kingpost::yaml {

namespace {

using codegen::IsOfSchema;
using codegen::MakeCall;
using codegen::MakeText;
using codegen::Narrowed;
using codegen::TypeIn;
using pcl::Make;

}  // namespace

ExpressionConverter::ExpressionConverter(const ProgramDecl& source, const PackageIndex& book,
                                         std::map<std::string, std::string> settings, Diagnostics* diagnostics)
    : source_(source),
      body_(source.body),
      book_(book),
      settings_(std::move(settings)),
      diagnostics_(*diagnostics),
      types_(source.body, book, &told_before_) {}

pcl::ExpressionPtr ExpressionConverter::Refuse(pcl::Position at, const std::string& what) {
  diagnostics_.Error(at, what + " is not converted", "Write this part by hand, and take it out here.");
  return Make(pcl::Literal{});
}

const ResourceDecl* ExpressionConverter::FindResource(const std::string& name) const {
  for (const ResourceDecl& resource : body_.resources) {
    if (resource.key == name) return &resource;
  }
  return nullptr;
}

pcl::ExpressionPtr ExpressionConverter::ConvertVariable(const NamedExpression& variable) {
  return variables_[variable.name] = Convert(variable.value);
}

pcl::ExpressionPtr ExpressionConverter::ConvertResources(const pcl::ExpressionPtr& expression, const Type& to) {
  const bool before = std::exchange(resources_allowed_, true);
  auto converted = Convert(expression, to);
  resources_allowed_ = before;
  return converted;
}

pcl::ExpressionPtr ExpressionConverter::Convert(const pcl::ExpressionPtr& expression, const Type& to) {
  const pcl::Expression& e = *expression;
  if (e.as<pcl::Literal>()) return expression;
  if (const auto* variable = e.as<pcl::Variable>()) return ConvertName(variable->name, e.at);
  if (const auto step = pcl::LastStepOf(e)) return ConvertStep(*step, e.at);
  if (e.as<pcl::TupleLiteral>() || e.as<pcl::ObjectLiteral>()) return ConvertParts(e, Narrowed(to, e));
  const bool before = std::exchange(resources_allowed_, false);
  const auto* call = e.as<pcl::Call>();
  auto converted = call ? ConvertCall(*call, e.at) : ConvertText(*e.as<pcl::Template>());
  resources_allowed_ = before;
  return converted;
}

pcl::ExpressionPtr ExpressionConverter::ConvertName(const std::string& name, pcl::Position at) {
  if (FindResource(name)) {
    if (resources_allowed_) return Make(pcl::ResourceRef{name});
    return Refuse(at, "the whole resource '" + name + "' as a value");
  }
  if (pcl::FindNamed(body_.variables, name)) return Make(pcl::Variable{name});
  if (name == kPulumi) {
    pcl::ObjectLiteral object;
    for (const char* place : kPlaces) object.Add(place, MakeCall(place));
    return Make(std::move(object));
  }
  const std::string own = source_.name + ":";
  const std::string key = name.starts_with(own) ? name.substr(own.size()) : name;
  const auto declared = settings_.find(key);
  const std::string setting = declared == settings_.end() ? key : declared->second;
  used_settings_.insert(setting);
  return Make(pcl::SettingRef{setting});
}

pcl::ExpressionPtr ExpressionConverter::ConvertProperty(const ResourceDecl& resource, const std::string& name) {
  bool optional = name != "id" && name != "urn";
  const auto resolved = book_.FindResource(UseOf(resource));
  if (resolved.ok()) {
    const schema::Property* property = schema::FindProperty(resolved->schema->outputs, name);
    optional = optional && property && !property->required;
  }
  return Make(pcl::PropertyRef{resource.key, name, optional});
}

pcl::ExpressionPtr ExpressionConverter::ConvertStep(const pcl::PathStep& step, pcl::Position at) {
  const auto* root = step.whole->as<pcl::Variable>();
  const std::string key = step.key.is_string() ? step.key.as_string() : "";
  if (root && root->name == kPulumi && std::count(std::begin(kPlaces), std::end(kPlaces), key) > 0)
    return MakeCall(key);
  const ResourceDecl* resource = root ? FindResource(root->name) : nullptr;
  if (resource && step.key.is_string()) return ConvertProperty(*resource, key);
  if (resource) return Refuse(at, "an element of the resource '" + root->name + "'");
  auto whole = Convert(step.whole);
  if (step.key.is_string() && IsOfSchema(types_.TypeOf(step.whole))) return Make(pcl::GetAttribute{whole, key});
  return Make(pcl::GetIndex{whole, Make(pcl::Literal{step.key})});
}

bool ExpressionConverter::IsSurelyText(const pcl::Expression& converted, const pcl::ExpressionPtr& expression) {
  if (const auto* variable = converted.as<pcl::Variable>()) {
    const auto value = variables_.find(variable->name);
    return value != variables_.end() &&
           IsSurelyText(*value->second, pcl::FindNamed(body_.variables, variable->name)->value);
  }
  const auto* property = converted.as<pcl::PropertyRef>();
  if (converted.as<pcl::SettingRef>() || (property && !property->optional)) {
    return types_.TypeOf(expression).plain_kind() == Type::Kind::kString;
  }
  if (const auto* literal = converted.as<pcl::Literal>()) return literal->value.is_string();
  const auto* call = converted.as<pcl::Call>();
  const pcl::Builtin* builtin = call ? pcl::FindBuiltin(call->function) : nullptr;
  return converted.as<pcl::Template>() || (builtin && builtin->result == Type::Kind::kString);
}

pcl::ExpressionPtr ExpressionConverter::ConvertText(const pcl::Template& text) {
  pcl::Template joined;
  for (const pcl::ExpressionPtr& part : text.parts) {
    auto converted = Convert(part);
    const bool plain = IsSurelyText(*converted, part);
    joined.parts.push_back(plain ? converted : MakeCall(codegen::kAsText, {converted}));
  }
  return Make(std::move(joined));
}

pcl::ExpressionPtr ExpressionConverter::ConvertParts(const pcl::Expression& whole, const Type& to) {
  const auto convert = [this](const pcl::ExpressionPtr& part, const Type& type) { return Convert(part, type); };
  const auto refuse = [this](pcl::Position at, const std::string& what) { return Refuse(at, what); };
  return codegen::WithParts(whole, to, convert, refuse);
}

std::vector<NamedExpression> ExpressionConverter::ConvertInputs(const std::vector<NamedExpression>& list,
                                                                const schema::Properties& properties) {
  std::vector<NamedExpression> fields;
  for (const NamedExpression& each : list) {
    fields.push_back({each.name, ConvertResources(each.value, TypeIn(properties, each.name))});
  }
  return fields;
}

pcl::ExpressionPtr ExpressionConverter::ConvertCall(const pcl::Call& call, pcl::Position at) {
  const std::string& name = call.function;
  if (name == codegen::kInvoke) return ConvertInvoke(call, at);
  if (name == "getOutput") {  // of a stack that a function names
    if (!LiteralText(call.arguments[1])) return Refuse(at, "fn::stackReference with a name that is computed");
    auto outputs = Make(pcl::PropertyRef{call.arguments[0]->as<pcl::Variable>()->name, "outputs"});
    return Make(pcl::GetIndex{std::move(outputs), call.arguments[1]});
  }
  if (name.starts_with("pulumiResource")) return ConvertResourceFact(call, at);
  if (name == "length") return ConvertLength(call.arguments[0]);
  std::vector<pcl::ExpressionPtr> arguments;
  if (name.starts_with("filebase64")) {  // the path, instead of the content that the evaluator asks for
    arguments = {Convert(call.arguments[0]->as<pcl::Call>()->arguments[0])};
  } else {
    for (const pcl::ExpressionPtr& argument : call.arguments) arguments.push_back(Convert(argument));
  }
  const auto* delimiter = name == "join" ? arguments[0]->as<pcl::Literal>() : nullptr;
  if (delimiter && delimiter->value.is_null()) arguments[0] = MakeText("");
  return MakeCall(name, std::move(arguments));
}

pcl::ExpressionPtr ExpressionConverter::ConvertLength(const pcl::ExpressionPtr& argument) {
  const Type::Kind kind = types_.TypeOf(argument).kind;
  pcl::ExpressionPtr written = argument;
  const auto* variable = argument->as<pcl::Variable>();
  for (const ConfigDecl& config : body_.config) {
    if (variable && config.key == variable->name && config.default_value) written = config.default_value;
  }
  const bool parts = written->as<pcl::TupleLiteral>() || written->as<pcl::ObjectLiteral>() ||
                     kind == Type::Kind::kArray || kind == Type::Kind::kMap || kind == Type::Kind::kObject;
  return MakeCall(parts ? "length" : codegen::kTextLength, {Convert(argument)});
}

pcl::ExpressionPtr ExpressionConverter::ConvertResourceFact(const pcl::Call& call, pcl::Position at) {
  const auto* variable = call.arguments[0]->as<pcl::Variable>();
  const ResourceDecl* resource = variable ? FindResource(variable->name) : nullptr;
  if (!resource) return Refuse(at, "fn::" + call.function + " of what is no resource of the program");
  if (call.function == "pulumiResourceName") return MakeText(resource->name);
  const auto resolved = book_.FindResource(UseOf(*resource));
  return resolved.ok() ? MakeText(resolved->schema->token) : Refuse(at, resolved.status().message());
}

pcl::ExpressionPtr ExpressionConverter::ConvertInvoke(const pcl::Call& call, pcl::Position at) {
  const auto function = book_.FindFunction(*LiteralText(call.arguments[0]));
  if (!function.ok()) return Refuse(at, function.status().message() + "; the call");
  const schema::Function& schema = *function->schema;
  if (schema.positional) return Refuse(at, "a call of " + schema.token + ", whose arguments have an order,");
  codegen::FunctionShape& shape = functions_[schema.token];
  shape = {!schema.input_properties().empty(), {}};
  for (const schema::Property& output : schema.output_properties()) shape.answers.push_back(output.name);
  pcl::ObjectLiteral given;
  given.typed = true;
  for (const auto& item : call.arguments[1]->as<pcl::ObjectLiteral>()->items) {
    const std::string* key = LiteralText(item.key);
    if (!key) return Refuse(item.key->at, "a key that is computed");
    given.Add(*key, ConvertResources(item.value, TypeIn(schema.input_properties(), *key)));
  }
  std::vector<pcl::ExpressionPtr> arguments = {MakeText(schema.token), Make(std::move(given))};
  pcl::ObjectLiteral options = ConvertInvokeOptions(call, schema.token);
  if (!options.items.empty()) arguments.push_back(Make(std::move(options)));
  const std::string* wanted = call.arguments.size() > 3 ? LiteralText(call.arguments[3]) : nullptr;
  auto answer = MakeCall(codegen::kInvoke, std::move(arguments));
  return wanted ? Make(pcl::GetAttribute{std::move(answer), *wanted}) : answer;
}

pcl::ObjectLiteral ExpressionConverter::ConvertInvokeOptions(const pcl::Call& call, const std::string& token) {
  pcl::ObjectLiteral options;
  options.typed = true;
  bool provider = false;
  if (call.arguments.size() > 2) {
    for (const auto& item : call.arguments[2]->as<pcl::ObjectLiteral>()->items) {
      const std::string name = *LiteralText(item.key);
      provider = provider || name == "provider";
      options.Add(name == "pluginDownloadUrl" ? "pluginDownloadURL" : name, ConvertResources(item.value));
    }
  }
  const ResourceDecl* implied = provider ? nullptr : DefaultProviderOf(body_, schema::PackageOf(token));
  if (implied) options.Add("provider", Make(pcl::ResourceRef{implied->key}));
  return options;
}

}  // namespace kingpost::yaml
