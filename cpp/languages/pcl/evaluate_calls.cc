// SPDX-License-Identifier: Apache-2.0
// Calls: functions of the language, and functions and methods of providers.
#include "languages/pcl/builtins.h"
#include "languages/pcl/conversions.h"
#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

namespace {

std::string CountText(int least, int most) {
  if (most < 0) return "at least " + std::to_string(least);
  if (least == most) return std::to_string(least);
  return std::to_string(least) + " to " + std::to_string(most);
}

const Value* Part(const Datum& object, const char* key) {
  return object.value.is_object() ? object.value.as_object().Find(key) : nullptr;
}

// URN and ID of a value that is a resource.
struct ResourceParts {
  std::string urn;
  Value id;
};
Result<ResourceParts> ResourceOf(const Value& value) {
  const Datum datum = Open(value);
  if (datum.value.is_reference()) {
    const ResourceReference& reference = datum.value.as_reference();
    return ResourceParts{reference.urn.str(), reference.id ? *reference.id : Value("")};
  }
  const Value *urn = Part(datum, "urn"), *id = Part(datum, "id");
  if (!urn || !id || !Open(*urn).value.is_string()) {
    return Status(Code::kInvalidArgument, std::string("expected a resource, and got ") + KindName(datum.value));
  }
  return ResourceParts{Open(*urn).value.as_string(), Open(*id).value};
}

Status AddDependencies(const Value& list, std::vector<Urn>* urns) {
  const Value opened = Open(list).value;
  if (opened.is_null() || opened.is_computed()) return Status();
  if (!opened.is_array()) return Status(Code::kInvalidArgument, "dependsOn must be a list of resources");
  for (const Value& element : opened.as_array()) {
    auto resource = ResourceOf(element);
    if (!resource.ok()) return resource.status().Wrap("dependsOn");
    urns->push_back(Urn(resource->urn));
  }
  return Status();
}

Status ReadInvokeOptions(const Datum& given, ResourceInvokeRequest* request, std::vector<Urn>* dependencies) {
  if (given.value.is_null()) return Status();
  if (!given.value.is_object()) return Status(Code::kInvalidArgument, "the options of a call must be an object");
  for (const auto& [name, value] : given.value.as_object()) {
    const Value opened = Open(value).value;
    if (opened.is_null()) continue;
    if (name == "dependsOn") {
      Status added = AddDependencies(value, dependencies);
      if (!added.ok()) return added;
    } else if (name == "provider" || name == "parent") {
      auto resource = ResourceOf(value);
      if (!resource.ok()) return resource.status().Wrap(name);
      const std::string id = resource->id.is_string() ? resource->id.as_string() : std::string(kUnknownString);
      (name == "parent" ? request->parent : request->provider) =
          name == "parent" ? resource->urn : resource->urn + "::" + id;
    } else if (name == "version" || name == "pluginDownloadUrl") {
      if (!opened.is_string()) return Status(Code::kInvalidArgument, name + " must be a text");
      (name == "version" ? request->version : request->plugin_download_url) = opened.as_string();
    } else {
      return Status(Code::kInvalidArgument, "unsupported option '" + name +
                                                "': a call has dependsOn, provider, parent, version and " +
                                                "pluginDownloadUrl");
    }
  }
  return Status();
}

// fn::invoke's `return`.
Result<Datum> PartOfAnswer(const Datum& answer, const std::string& token, const std::string& wanted, Position at) {
  const Value* found = Part(answer, wanted.c_str());
  if (!found) {
    return ErrorAt(at, "fn::invoke of " + token + " did not contain a property '" + wanted + "' in the returned value");
  }
  Datum part = Open(*found);
  part.marks.Add(answer.marks);
  return part;
}

}  // namespace

Result<Evaluator::Arguments> Evaluator::EvaluateArguments(const Call& node, Position, const Scope& scope) {
  Arguments arguments;
  for (const ExpressionPtr& argument : node.arguments) {
    auto value = Evaluate(*argument, scope);
    if (!value.ok()) return value.status();
    arguments.push_back(std::move(*value));
  }
  if (!node.expand_last) return arguments;
  const Datum last = std::move(arguments.back());
  arguments.pop_back();
  if (!last.value.is_array()) {
    return ErrorAt(node.arguments.back()->at,
                   std::string("only a list can be followed by '...', not ") + KindName(last.value));
  }
  for (const Value& element : last.value.as_array()) {
    arguments.push_back(Open(element));
    arguments.back().marks.Add(last.marks);
  }
  return arguments;
}

Result<Datum> Evaluator::EvaluateCall(const Call& node, Position at, const Scope& scope) {
  if (node.function == "try") return EvaluateTry(node, at, scope);
  if (node.function == "can") return EvaluateCan(node, at, scope);
  if (node.function == "recover") return EvaluateRecover(node, at, scope);
  const Builtin* builtin = FindBuiltin(node.function);
  const Signature* signature = builtin ? &(builtin->*around_.dialect.signature) : nullptr;
  if (builtin && !signature->compute && *builtin->unsupported_text) {
    return ErrorAt(at, "function '" + node.function + "' is not offered: " + builtin->unsupported_text);
  }
  auto arguments = EvaluateArguments(node, at, scope);
  if (!arguments.ok()) return arguments.status();
  if (node.function == "invoke") return Invoke(node, *arguments, at);
  if (node.function == "call") return CallMethod(*arguments, at);
  if (node.function == kReadFile) return ReadFile(node, *arguments, at);
  if (!signature || !signature->compute) return ErrorAt(at, "unknown function '" + node.function + "'");
  return CallBuiltin(node, *signature, std::move(*arguments), at);
}

Result<Datum> Evaluator::CallBuiltin(const Call& node, const Signature& builtin, Arguments arguments, Position at) {
  const int count = static_cast<int>(arguments.size());
  if (count < builtin.least || (builtin.most >= 0 && count > builtin.most)) {
    return ErrorAt(at, "function '" + node.function + "' takes " + CountText(builtin.least, builtin.most) +
                           " arguments, not " + std::to_string(count));
  }
  Datum result;
  if (node.function == "secret" || node.function == "unsecret") {
    result = std::move(arguments[0]);
    result.marks.secret = node.function == "secret";
    return result;
  }
  // The name and the type of a resource are no secret, and always known, whatever the resource holds.
  if (node.function.starts_with("pulumiResource")) {
    auto told = builtin.compute(around_, {arguments[0].value});
    return told.ok() ? Result<Datum>(Datum{std::move(*told), {}})
                     : ErrorAt(at, node.function + ": " + told.status().message());
  }
  std::vector<Value> values;
  bool known = true;
  for (Datum& argument : arguments) {
    result.marks.Add(argument.marks);
    values.push_back(OpenDeep(argument.value, &result.marks));
    const Value& value = values.back();
    if (value.is_null() && !builtin.takes_null) {
      return ErrorAt(at, "argument " + std::to_string(values.size()) + " of '" + node.function + "' must not be null");
    }
    known = known && (builtin.deep ? !ContainsUnknowns(value) : !value.is_computed());
  }
  if (!known && !builtin.takes_unknown) {
    result.value = Value(Computed());
    return result;
  }
  auto computed = builtin.compute(around_, values);
  if (!computed.ok()) {
    // An error about a secret could reveal it.
    return ErrorAt(at, node.function + ": " +
                           (result.marks.secret ? "the secret argument is not valid" : computed.status().message()));
  }
  // Functions join, repeat and spell out what they are given.
  SizeBudget budget(at, &size_);
  KP_TRY(budget.Add(*computed));
  Datum opened = Open(*computed);
  opened.marks.Add(result.marks);
  return opened;
}

// The first argument that can be computed.
Result<Datum> Evaluator::EvaluateTry(const Call& node, Position at, const Scope& scope) {
  std::string reasons;
  for (const ExpressionPtr& argument : node.arguments) {
    auto value = Evaluate(*argument, scope);
    if (value.ok() || stopped()) return value;
    reasons += (reasons.empty() ? "" : "; ") + value.status().message();
  }
  if (node.arguments.empty()) return ErrorAt(at, "function 'try' takes at least 1 argument");
  return ErrorAt(at, "no expression succeeded: " + reasons);
}

Result<Datum> Evaluator::EvaluateCan(const Call& node, Position at, const Scope& scope) {
  if (node.arguments.size() != 1) return ErrorAt(at, "function 'can' takes 1 argument");
  auto value = Evaluate(*node.arguments[0], scope);
  if (stopped()) return value;
  if (!value.ok()) return Datum{Value(false), {}};
  if (ContainsUnknowns(value->value)) return Datum{Value(Computed()), value->marks};
  return Datum{Value(true), value->marks};
}

// The second argument is for values of resources that failed. A snippet sees none: one that refers to a failed
// resource does not run.
Result<Datum> Evaluator::EvaluateRecover(const Call& node, Position at, const Scope& scope) {
  if (node.arguments.size() != 2) return ErrorAt(at, "function 'recover' takes 2 arguments");
  return Evaluate(*node.arguments[0], scope);
}

Result<Datum> Evaluator::Ask(Effect effect, const schema::Function& function, std::vector<Urn> dependencies,
                             Position at) {
  const Result<EffectAnswer>* answer = effects_.Ask(std::move(effect));
  if (!answer) return ErrorAt(at, "stopped");
  if (!answer->ok()) return ErrorAt(at, answer->status().message());
  if (!(*answer)->failures.empty()) {
    std::string text = "'" + function.token + "' failed:";
    for (const CheckFailure& failure : (*answer)->failures) {
      text += " " + (failure.property.empty() ? "" : failure.property + ": ") + failure.reason + ";";
    }
    text.pop_back();
    return ErrorAt(at, text);
  }
  Datum result;
  if ((*answer)->unknown) {
    result.value = Value(Computed());
  } else if (function.one_value) {
    const PropertyMap& values = (*answer)->result;
    if (values.size() != 1) {
      return ErrorAt(at,
                     "'" + function.token + "' should answer one value, and answered " + std::to_string(values.size()));
    }
    result = Open(values.begin()->second);
  } else {
    result.value = Value((*answer)->result);
  }
  result.marks.Add({false, std::move(dependencies)});
  return result;
}

const schema::Function* EvaluationContext::FindFunction(const std::string& token) const {
  if (find_function) return find_function(token);
  const auto package = packages.find(schema::PackageOf(token));
  return package == packages.end() ? nullptr : package->second->FindFunction(token);
}

Result<const schema::Function*> Evaluator::InvokedFunction(const Call& node, size_t arguments, Position at) {
  if (arguments < 2 || arguments > (around_.dialect.lenient ? 4 : 3)) {
    return ErrorAt(at, "function 'invoke' takes a token, an object of arguments and perhaps one of options");
  }
  const Literal* token = node.arguments[0]->as<Literal>();
  if (!token || !token->value.is_string()) return ErrorAt(at, "invoke token must be a string literal");
  const std::string& text = token->value.as_string();
  if (!schema::SplitToken(text)) {
    return ErrorAt(at, "malformed token '" + text + "': expected 'pkg:module:member' or 'pkg:member'");
  }
  const schema::Function* function = around_.FindFunction(text);
  if (!function) return ErrorAt(at, "unknown function '" + text + "'");
  if (function->positional && !around_.dialect.raw_arguments) {
    return ErrorAt(at, "function '" + text + "' takes its arguments one by one, which snippets cannot do");
  }
  return function;
}

Result<PropertyMap> Evaluator::InvokeInputs(const std::string& text, const schema::Function& function,
                                            const Value& given, Position at) {
  if (!given.is_object()) return ErrorAt(at, "the arguments of '" + text + "' must be an object");
  PropertyMap inputs = CollapseReferences(given).as_object();
  if (around_.dialect.raw_arguments) return inputs;
  inputs = ApplySchema(inputs, function.input_properties());
  for (const schema::Property& input : function.input_properties()) {
    if (input.required && !input.constant && !inputs.Has(input.name)) {
      return ErrorAt(at, "'" + text + "' needs the argument '" + input.name + "'");
    }
  }
  return inputs;
}

Result<Datum> Evaluator::Invoke(const Call& node, const Arguments& arguments, Position at) {
  const auto invoked = InvokedFunction(node, arguments.size(), at);
  if (!invoked.ok()) return invoked.status();
  const schema::Function& function = **invoked;
  const std::string& text = node.arguments[0]->as<Literal>()->value.as_string();
  const Datum& given = arguments[1];
  if (!given.known()) return Datum{Value(Computed()), given.marks};
  const auto inputs = InvokeInputs(text, function, given.value, at);
  if (!inputs.ok()) return inputs.status();

  Effect effect;
  effect.invoke.token = function.token;
  effect.invoke.args = FlattenOutputs(*inputs);
  std::vector<Urn> dependencies = given.marks.dependencies;
  CollectOutputDependencies(Value(*inputs), &dependencies);
  if (arguments.size() >= 3) {
    Status read = ReadInvokeOptions(arguments[2], &effect.invoke, &dependencies);
    if (!read.ok()) return ErrorAt(at, read.message());
  }
  // The answer may hold what it was asked with.
  Marks marks;
  marks.Add({given.marks.secret || ContainsSecrets(effect.invoke.args), dependencies});
  if (ContainsUnknowns(effect.invoke.args)) return Datum{Value(Computed()), std::move(marks)};
  for (const Urn& urn : marks.dependencies) effect.invoke.depends_on.push_back(urn.str());
  auto answer = Ask(std::move(effect), function, marks.dependencies, at);
  if (!answer.ok()) return answer;
  answer->marks.Add(marks);
  if (!around_.dialect.raw_arguments) return answer;
  // There, one secret makes the whole answer secret.
  answer->marks.secret = answer->marks.secret || ContainsSecrets(answer->value);
  if (arguments.size() < 4 || !answer->known()) return answer;
  return PartOfAnswer(*answer, text, arguments[3].value.as_string(), at);
}

// The content of a file, under another name for each of what is done with it: `readFile` is the text itself.
Result<Datum> Evaluator::ReadFile(const Call& node, const Arguments& arguments, Position at) {
  const Datum& path = arguments[0];
  if (!path.known()) return Unknown(path.marks);
  if (!path.value.is_string()) {
    return ErrorAt(at, std::string("the path of a file must be a text, not ") + KindName(path.value));
  }
  Effect effect;
  effect.kind = Effect::Kind::kReadFile;
  effect.path = path.value.as_string();
  const Result<EffectAnswer>* answer = effects_.Ask(std::move(effect));
  if (!answer) return ErrorAt(at, "stopped");
  if (!answer->ok()) {
    return ErrorAt(node.arguments[0]->at, path.marks.secret
                                              ? "the file cannot be read; its path is a secret and not shown"
                                              : answer->status().message());
  }
  return Datum{*(*answer)->result.Find("content"), path.marks};
}

Result<Datum> Evaluator::CallMethod(const Arguments& arguments, Position at) {
  if (arguments.size() < 3 || arguments.size() > 4) {
    return ErrorAt(at, "function 'call' takes a resource, a method, an object of arguments and perhaps one of options");
  }
  const Value* type = Part(arguments[0], "__type");
  if (!type || !type->is_string() || !arguments[1].value.is_string()) {
    return ErrorAt(at, "'call' needs a resource that is known, and the name of a method");
  }
  const std::string method = arguments[1].value.as_string();
  const auto package = around_.packages.find(schema::PackageOf(type->as_string()));
  const schema::Resource* resource =
      package == around_.packages.end() ? nullptr : package->second->FindResource(type->as_string());
  if (!resource) return ErrorAt(at, "unknown resource type '" + type->as_string() + "'");
  const schema::Function* function = resource->FindMethod(method);
  if (!function) return ErrorAt(at, "resource type " + type->as_string() + " does not have method " + method);
  if (!arguments[2].known()) return Datum{Value(Computed()), arguments[2].marks};
  if (!arguments[2].value.is_object()) return ErrorAt(at, "the arguments of '" + method + "' must be an object");

  auto self = ResourceOf(arguments[0].value);
  if (!self.ok()) return ErrorAt(at, self.status().message());
  Effect effect;
  effect.kind = Effect::Kind::kCall;
  effect.call.token = function->token;
  Marks marks = arguments[0].marks;
  marks.Add(arguments[2].marks);
  schema::Properties inputs = function->input_properties();
  std::erase_if(inputs, [](const schema::Property& input) { return input.name == "__self__"; });
  effect.call.args = ApplySchema(CollapseReferences(arguments[2].value).as_object(), inputs);
  if (arguments.size() == 4) {
    const Value* depends_on = Part(arguments[3], "dependsOn");
    Status added = depends_on ? AddDependencies(*depends_on, &marks.dependencies) : Status();
    if (!added.ok()) return ErrorAt(at, added.message());
  }
  ResourceReference reference;
  reference.urn = Urn(self->urn);
  reference.id = std::make_shared<const Value>(self->id);
  effect.call.accept_output_values = true;
  effect.call.args.Set("__self__", Value::Reference(std::move(reference)));
  auto answer = Ask(std::move(effect), *function, marks.dependencies, at);
  if (answer.ok()) answer->marks.Add(marks);
  return answer;
}

}  // namespace kingpost::pcl
