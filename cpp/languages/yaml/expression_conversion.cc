// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/expression_conversion.h"

#include <algorithm>

#include "languages/yaml/expression_parser.h"
#include "languages/yaml/order.h"

namespace kingpost::yaml {

namespace {

using codegen::Make;
using Function = codegen::CallOf::Function;
using What = codegen::PlaceOf::What;

constexpr std::pair<const char*, What> kPlaces[] = {{"cwd", What::kDirectory},
                                                    {"project", What::kProject},
                                                    {"stack", What::kStack},
                                                    {"organization", What::kOrganization},
                                                    {"rootDirectory", What::kRootDirectory}};

codegen::ExpressionPtr TextLiteral(const std::string& text) { return Make(codegen::Literal{Value(text)}); }

const Type& TypeIn(const schema::Properties& properties, const std::string& name) {
  const schema::Property* property = schema::FindProperty(properties, name);
  return property ? *property->type : schema::AnyType();
}

// Whether the object may be meant by the type: it has all its keys, and the constants that they must be.
bool Suits(const pcl::ObjectLiteral& object, const Type& type) {
  if (type.kind != Type::Kind::kObject) return false;
  return std::all_of(object.items.begin(), object.items.end(), [&](const auto& item) {
    const std::string* key = LiteralText(item.key);
    const schema::Property* property = key ? schema::FindProperty(type.object->properties, *key) : nullptr;
    if (!property || !property->constant) return property != nullptr;
    const auto* value = item.value->template as<pcl::Literal>();
    return value && DeepEqual(value->value, schema::ValueOf(*property->constant));
  });
}

// The alternative of a union that the expression belongs to; other types as they are.
const Type& Narrowed(const Type& type, const pcl::Expression& expression) {
  if (type.kind != Type::Kind::kUnion) return type;
  const auto* object = expression.as<pcl::ObjectLiteral>();
  for (const Type* alternative : type.elements) {
    if (object && Suits(*object, *alternative)) return *alternative;
    if (expression.as<pcl::TupleLiteral>() && alternative->kind == Type::Kind::kArray) return *alternative;
  }
  for (const Type* alternative : type.elements) {
    if (object && alternative->kind == Type::Kind::kMap) return *alternative;
  }
  return schema::AnyType();
}

// Whose names are a schema's.
bool IsOfSchema(const Type& type) { return type.resource || (type.object && type.object->package); }

}  // namespace

ExpressionConverter::ExpressionConverter(const Template& source, const PackageBook& book,
                                         std::map<std::string, std::string> settings, Diagnostics* diagnostics)
    : source_(source),
      body_(source.body),
      book_(book),
      settings_(std::move(settings)),
      diagnostics_(*diagnostics),
      types_(source.body, book, &told_before_) {}

codegen::ExpressionPtr ExpressionConverter::Refuse(pcl::Position at, const std::string& what) {
  diagnostics_.Error(at, what + " is not converted", "Write this part by hand, and take it out here.");
  return Make(codegen::Literal{Value()});
}

const ResourceDecl* ExpressionConverter::FindResource(const std::string& name) const {
  for (const ResourceDecl& resource : body_.resources) {
    if (resource.key == name) return &resource;
  }
  return nullptr;
}

const NamedExpression* ExpressionConverter::FindVariable(const std::string& name) const {
  for (const NamedExpression& variable : body_.variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

codegen::ExpressionPtr ExpressionConverter::ConvertVariable(const NamedExpression& variable) {
  return variables_[variable.name] = Convert(variable.value);
}

codegen::ExpressionPtr ExpressionConverter::ConvertResources(const pcl::ExpressionPtr& expression, const Type& to) {
  const bool before = std::exchange(resources_allowed_, true);
  auto converted = Convert(expression, to);
  resources_allowed_ = before;
  return converted;
}

codegen::ExpressionPtr ExpressionConverter::Convert(const pcl::ExpressionPtr& expression, const Type& to) {
  const pcl::Expression& e = *expression;
  if (const auto* literal = e.as<pcl::Literal>()) return Make(codegen::Literal{literal->value});
  if (const auto* variable = e.as<pcl::Variable>()) return ConvertName(variable->name, e.at);
  if (const auto* node = e.as<pcl::GetAttribute>()) return ConvertStep(node->object, Value(node->name), e.at);
  if (const auto* node = e.as<pcl::GetIndex>()) {
    return ConvertStep(node->collection, node->key->as<pcl::Literal>()->value, e.at);
  }
  if (const auto* object = e.as<pcl::ObjectLiteral>()) return ConvertObject(*object, Narrowed(to, e));
  if (const auto* list = e.as<pcl::TupleLiteral>()) return ConvertList(*list, Narrowed(to, e));
  const bool before = std::exchange(resources_allowed_, false);
  const auto* call = e.as<pcl::Call>();
  auto converted = call ? ConvertCall(*call, e.at) : ConvertText(*e.as<pcl::Template>());
  resources_allowed_ = before;
  return converted;
}

codegen::ExpressionPtr ExpressionConverter::ConvertName(const std::string& name, pcl::Position at) {
  if (FindResource(name)) {
    if (resources_allowed_) return Make(codegen::ResourceRef{name});
    return Refuse(at, "the whole resource '" + name + "' as a value");
  }
  if (FindVariable(name)) return Make(codegen::VariableRef{name});
  if (name == kPulumi) {
    codegen::ObjectOf object;
    for (const auto& [key, what] : kPlaces) object.fields.push_back({key, Make(codegen::PlaceOf{what})});
    return Make(std::move(object));
  }
  const std::string own = source_.name + ":";
  const std::string key = name.starts_with(own) ? name.substr(own.size()) : name;
  const auto declared = settings_.find(key);
  const std::string setting = declared == settings_.end() ? key : declared->second;
  used_settings_.insert(setting);
  return Make(codegen::SettingRef{setting});
}

codegen::ExpressionPtr ExpressionConverter::ConvertProperty(const ResourceDecl& resource, const std::string& name) {
  bool optional = name != "id" && name != "urn";
  const auto resolved = book_.FindResource(UseOf(resource));
  if (resolved.ok()) {
    const schema::Property* property = schema::FindProperty(resolved->schema->outputs, name);
    optional = optional && property && !property->required;
  }
  return Make(codegen::PropertyRef{resource.key, name, optional});
}

codegen::ExpressionPtr ExpressionConverter::ConvertStep(const pcl::ExpressionPtr& whole, const Value& key,
                                                        pcl::Position at) {
  const auto* root = whole->as<pcl::Variable>();
  if (root && root->name == kPulumi && key.is_string()) {
    for (const auto& [name, what] : kPlaces) {
      if (key.as_string() == name) return Make(codegen::PlaceOf{what});
    }
  }
  const ResourceDecl* resource = root ? FindResource(root->name) : nullptr;
  if (resource && key.is_string()) return ConvertProperty(*resource, key.as_string());
  if (resource) return Refuse(at, "an element of the resource '" + root->name + "'");
  return Make(codegen::PartOf{Convert(whole), key, IsOfSchema(types_.TypeOf(whole))});
}

bool ExpressionConverter::IsSurelyText(const codegen::Expression& converted, const pcl::ExpressionPtr& expression) {
  if (const auto* property = std::get_if<codegen::PropertyRef>(&converted.node)) {
    return !property->optional && types_.TypeOf(expression).plain_kind() == Type::Kind::kString;
  }
  if (const auto* variable = std::get_if<codegen::VariableRef>(&converted.node)) return IsSurelyText(*variable);
  if (std::get_if<codegen::SettingRef>(&converted.node))
    return types_.TypeOf(expression).plain_kind() == Type::Kind::kString;
  if (const auto* literal = std::get_if<codegen::Literal>(&converted.node)) return literal->value.is_string();
  if (std::get_if<codegen::PlaceOf>(&converted.node) || std::get_if<codegen::JoinedText>(&converted.node)) return true;
  const auto* call = std::get_if<codegen::CallOf>(&converted.node);
  if (!call) return false;
  static const std::set<Function> kOthers = {Function::kSplit,        Function::kSelect, Function::kLength,
                                             Function::kTextLength,   Function::kSecret, Function::kUnsecret,
                                             Function::kSingleOrNone, Function::kText};
  return kOthers.count(call->function) == 0;
}

bool ExpressionConverter::IsSurelyText(const codegen::VariableRef& variable) {
  const auto converted = variables_.find(variable.name);
  return converted != variables_.end() && IsSurelyText(*converted->second, FindVariable(variable.name)->value);
}

codegen::ExpressionPtr ExpressionConverter::ConvertText(const pcl::Template& text) {
  codegen::JoinedText joined;
  for (const pcl::ExpressionPtr& part : text.parts) {
    auto converted = Convert(part);
    const bool plain = IsSurelyText(*converted, part);
    joined.parts.push_back(plain ? converted : Make(codegen::CallOf{Function::kText, {converted}}));
  }
  return Make(std::move(joined));
}

codegen::ExpressionPtr ExpressionConverter::ConvertList(const pcl::TupleLiteral& list, const Type& to) {
  codegen::ListOf converted;
  const Type& element = to.kind == Type::Kind::kArray ? *to.element : schema::AnyType();
  for (const pcl::ExpressionPtr& each : list.elements) converted.elements.push_back(Convert(each, element));
  return Make(std::move(converted));
}

codegen::ExpressionPtr ExpressionConverter::ConvertObject(const pcl::ObjectLiteral& object, const Type& to) {
  codegen::ObjectOf converted;
  converted.typed = to.object && IsOfSchema(to);
  const Type& element = to.kind == Type::Kind::kMap ? *to.element : schema::AnyType();
  for (const auto& item : object.items) {
    const std::string* key = LiteralText(item.key);
    if (!key) return Refuse(item.key->at, "a key that is computed");
    converted.fields.push_back(
        {*key, Convert(item.value, converted.typed ? TypeIn(to.object->properties, *key) : element)});
  }
  return Make(std::move(converted));
}

std::vector<codegen::Field> ExpressionConverter::ConvertInputs(const std::vector<NamedExpression>& list,
                                                               const schema::Properties& properties) {
  std::vector<codegen::Field> fields;
  for (const NamedExpression& each : list) {
    fields.push_back({each.name, ConvertResources(each.value, TypeIn(properties, each.name))});
  }
  return fields;
}

codegen::ExpressionPtr ExpressionConverter::ConvertCall(const pcl::Call& call, pcl::Position at) {
  const std::string& name = call.function;
  if (name == "invoke") return ConvertInvoke(call, at);
  if (name == "getOutput") {  // of a stack that a function names
    const std::string* wanted = LiteralText(call.arguments[1]);
    if (!wanted) return Refuse(at, "fn::stackReference with a name that is computed");
    auto outputs = Make(codegen::PropertyRef{call.arguments[0]->as<pcl::Variable>()->name, "outputs"});
    return Make(codegen::PartOf{std::move(outputs), Value(*wanted), false});
  }
  if (name.find("Asset") != std::string::npos || name.find("Archive") != std::string::npos) return ConvertFile(call);
  if (name.starts_with("pulumiResource")) return ConvertResourceFact(call, at);
  if (name == "length") return ConvertLength(call.arguments[0]);
  std::vector<codegen::ExpressionPtr> arguments;
  if (name.starts_with("filebase64")) {  // the path, instead of the content that the evaluator asks for
    arguments = {Convert(call.arguments[0]->as<pcl::Call>()->arguments[0])};
  } else {
    for (const pcl::ExpressionPtr& argument : call.arguments) arguments.push_back(Convert(argument));
  }
  const auto* delimiter = name == "join" ? std::get_if<codegen::Literal>(&arguments[0]->node) : nullptr;
  if (delimiter && delimiter->value.is_null()) arguments[0] = TextLiteral("");
  const Function function = pcl::FindBuiltin(name)->written;
  if (function == Function::kNone) return Refuse(at, "fn::" + name);
  return Make(codegen::CallOf{function, std::move(arguments)});
}

codegen::ExpressionPtr ExpressionConverter::ConvertLength(const pcl::ExpressionPtr& argument) {
  const Type::Kind kind = types_.TypeOf(argument).kind;
  pcl::ExpressionPtr written = argument;
  const auto* variable = argument->as<pcl::Variable>();
  for (const ConfigDecl& config : body_.config) {
    if (variable && config.key == variable->name && config.default_value) written = config.default_value;
  }
  const bool parts = written->as<pcl::TupleLiteral>() || written->as<pcl::ObjectLiteral>() ||
                     kind == Type::Kind::kArray || kind == Type::Kind::kMap || kind == Type::Kind::kObject;
  return Make(codegen::CallOf{parts ? Function::kLength : Function::kTextLength, {Convert(argument)}});
}

codegen::ExpressionPtr ExpressionConverter::ConvertResourceFact(const pcl::Call& call, pcl::Position at) {
  const auto* variable = call.arguments[0]->as<pcl::Variable>();
  const ResourceDecl* resource = variable ? FindResource(variable->name) : nullptr;
  if (!resource) return Refuse(at, "fn::" + call.function + " of what is no resource of the program");
  if (call.function == "pulumiResourceName") return TextLiteral(resource->name);
  const auto resolved = book_.FindResource(UseOf(*resource));
  return resolved.ok() ? TextLiteral(resolved->schema->token) : Refuse(at, resolved.status().message());
}

codegen::ExpressionPtr ExpressionConverter::ConvertInvoke(const pcl::Call& call, pcl::Position at) {
  const std::string& token = *LiteralText(call.arguments[0]);
  const auto function = book_.FindFunction(token);
  if (!function.ok()) return Refuse(at, function.status().message() + "; the call");
  const schema::Function& schema = *function->schema;
  if (schema.positional) return Refuse(at, "a call of " + schema.token + ", whose arguments have an order,");
  codegen::InvokeOf invoke;
  invoke.token = schema.token;
  invoke.takes_arguments = !schema.input_properties().empty();
  for (const schema::Property& output : schema.output_properties()) invoke.answers.push_back(output.name);
  for (const auto& item : call.arguments[1]->as<pcl::ObjectLiteral>()->items) {
    const std::string* key = LiteralText(item.key);
    if (!key) return Refuse(item.key->at, "a key that is computed");
    invoke.arguments.push_back({*key, ConvertResources(item.value, TypeIn(schema.input_properties(), *key))});
  }
  ConvertInvokeOptions(call, &invoke);
  const std::string* wanted = call.arguments.size() > 3 ? LiteralText(call.arguments[3]) : nullptr;
  auto answer = Make(std::move(invoke));
  return wanted ? Make(codegen::PartOf{std::move(answer), Value(*wanted), true}) : answer;
}

void ExpressionConverter::ConvertInvokeOptions(const pcl::Call& call, codegen::InvokeOf* invoke) {
  bool provider = false;
  if (call.arguments.size() > 2) {
    for (const auto& item : call.arguments[2]->as<pcl::ObjectLiteral>()->items) {
      const std::string name = *LiteralText(item.key);
      provider = provider || name == "provider";
      invoke->options.push_back(
          {name == "pluginDownloadUrl" ? "pluginDownloadURL" : name, ConvertResources(item.value)});
    }
  }
  const ResourceDecl* implied = provider ? nullptr : DefaultProviderOf(body_, schema::PackageOf(invoke->token));
  if (implied) invoke->options.push_back({"provider", Make(codegen::ResourceRef{implied->key})});
}

codegen::ExpressionPtr ExpressionConverter::ConvertFile(const pcl::Call& call) {
  const std::string& name = call.function;
  if (name == "assetArchive") {
    codegen::ArchiveOf archive{ArchiveData::Kind::kAssets, nullptr, {}};
    for (const auto& item : call.arguments[0]->as<pcl::ObjectLiteral>()->items) {
      archive.assets.push_back({*LiteralText(item.key), Convert(item.value)});
    }
    return Make(std::move(archive));
  }
  auto content = Convert(call.arguments[0]);
  if (name == "stringAsset") return Make(codegen::AssetOf{AssetData::Kind::kText, content});
  if (name == "fileAsset") return Make(codegen::AssetOf{AssetData::Kind::kPath, content});
  if (name == "remoteAsset") return Make(codegen::AssetOf{AssetData::Kind::kUri, content});
  const bool file = name == "fileArchive";
  return Make(codegen::ArchiveOf{file ? ArchiveData::Kind::kPath : ArchiveData::Kind::kUri, content, {}});
}

}  // namespace kingpost::yaml
