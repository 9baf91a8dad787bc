// SPDX-License-Identifier: Apache-2.0
// Calls: functions of the language, and functions and methods of providers.
#include <algorithm>

#include "languages/pcl/builtins.h"
#include "languages/pcl/conversions.h"
#include "languages/pcl/evaluator.h"
#include "languages/pcl/resource_value.h"

namespace kingpost::pcl {

namespace {

Status Refuse(const std::string& message) { return Status(Code::kInvalidArgument, message); }

std::string CountText(int least, int most) {
  if (most < 0) return "at least " + std::to_string(least);
  if (least == most) return std::to_string(least);
  return std::to_string(least) + " to " + std::to_string(most);
}

Status AddDependencies(const Value& list, std::vector<Urn>* urns) {
  const Value opened = Open(list).value;
  if (opened.is_null() || opened.is_computed()) return Status();
  if (!opened.is_array()) return Refuse("dependsOn must be a list of resources");
  for (const Value& element : opened.as_array()) {
    auto resource = ResourceIn(element);
    if (!resource.ok()) return resource.status().Wrap("dependsOn");
    urns->push_back(Urn(resource->urn));
  }
  return Status();
}

Status ReadInvokeOptions(const Value& given, ResourceInvokeRequest* request, std::vector<Urn>* dependencies) {
  if (given.is_null()) return Status();
  if (!given.is_object()) return Refuse("the options of a call must be an object");
  for (const auto& [name, value] : given.as_object()) {
    const Value opened = Open(value).value;
    if (opened.is_null()) continue;
    if (name == "dependsOn") {
      KP_TRY(AddDependencies(value, dependencies));
    } else if (name == "provider" || name == "parent") {
      auto resource = ResourceIn(value);
      if (!resource.ok()) return resource.status().Wrap(name);
      (name == "parent" ? request->parent : request->provider) =
          name == "parent" ? resource->urn : resource->reference();
    } else if (name == "version" || name == "pluginDownloadUrl") {
      if (!opened.is_string()) return Refuse(name + " must be a text");
      (name == "version" ? request->version : request->plugin_download_url) = opened.as_string();
    } else {
      return Refuse("unsupported option '" + name +
                    "': a call has dependsOn, provider, parent, version and pluginDownloadUrl");
    }
  }
  return Status();
}

// Null if the language has no such function.
const Signature* SignatureOf(const std::string& function, Dialect dialect) {
  const Builtin* builtin = FindBuiltin(function);
  const Signature* signature = !builtin ? nullptr : dialect == Dialect::kYaml ? &builtin->yaml : &builtin->snippets;
  return signature && signature->compute ? signature : nullptr;
}

}  // namespace

Status CheckFunction(const std::string& function, Dialect dialect, Position at) {
  static constexpr const char* kOfEvaluator[] = {"try", "can", "recover", "invoke", "call"};
  if (std::ranges::find(kOfEvaluator, function) != std::end(kOfEvaluator) || SignatureOf(function, dialect))
    return Status();
  const Builtin* builtin = FindBuiltin(function);
  const std::string why = builtin ? builtin->unsupported_text : "";
  if (why.empty()) return ErrorAt(at, "unknown function '" + function + "'");
  return ErrorAt(at, "function '" + function + "' is not offered: " + why);
}

Evaluator::Arguments Evaluator::ArgumentsOf(const Call& node, const Scope& scope) {
  Arguments arguments;
  for (const ExpressionPtr& argument : node.arguments) arguments.push_back(Compute(*argument, scope));
  if (!node.expand_last) return arguments;
  const Datum last = std::move(arguments.back());
  arguments.pop_back();
  if (!last.value.is_array()) {
    Fail(node.arguments.back()->at, std::string("only a list can be followed by '...', not ") + KindName(last.value));
    return arguments;
  }
  for (const Value& element : last.value.as_array()) arguments.push_back(Open(element, last.marks));
  return arguments;
}

Datum Evaluator::Of(const Call& node, Position at, const Scope& scope) {
  if (node.function == "try") return Try(node, at, scope);
  if (node.function == "can") return Can(node, at, scope);
  if (node.function == "recover") {
    // The second argument is for values of resources that failed. A snippet sees none: one that refers to a failed
    // resource does not run.
    if (node.arguments.size() != 2) return Fail(at, "function 'recover' takes 2 arguments");
    return Compute(*node.arguments[0], scope);
  }
  if (Status offered = CheckFunction(node.function, around_.dialect, at); !offered.ok()) return Fail(offered);
  Arguments arguments = ArgumentsOf(node, scope);
  if (failed()) return Unknown({});
  if (node.function == "invoke") return Invoke(node, arguments, at);
  if (node.function == "call") return CallMethod(arguments, at);
  if (node.function == "readFile") return ReadFile(node, arguments, at);
  return CallBuiltin(node, *SignatureOf(node.function, around_.dialect), std::move(arguments), at);
}

Datum Evaluator::CallBuiltin(const Call& node, const Signature& builtin, Arguments arguments, Position at) {
  const int count = static_cast<int>(arguments.size());
  if (count < builtin.least || (builtin.most >= 0 && count > builtin.most)) {
    return Fail(at, "function '" + node.function + "' takes " + CountText(builtin.least, builtin.most) +
                        " arguments, not " + std::to_string(count));
  }
  if (node.function == "secret" || node.function == "unsecret") {
    arguments[0].marks.secret = node.function == "secret";
    return arguments[0];
  }
  // The name and the type of a resource are no secret, and always known, whatever the resource holds.
  if (node.function.starts_with("pulumiResource")) {
    auto told = builtin.compute(around_, {arguments[0].value});
    return told.ok() ? Datum{std::move(*told), {}} : Fail(at, node.function + ": " + told.status().message());
  }
  Marks marks;
  std::vector<Value> values;
  bool known = true;
  for (const Datum& argument : arguments) {
    marks.Add(argument.marks);
    values.push_back(OpenDeep(argument.value, &marks));
    const Value& value = values.back();
    if (value.is_null() && !builtin.takes_null) {
      return Fail(at, "argument " + std::to_string(values.size()) + " of '" + node.function + "' must not be null");
    }
    known = known && (builtin.deep ? !ContainsUnknowns(value) : !value.is_computed());
  }
  if (!known) return Unknown(std::move(marks));
  auto computed = builtin.Compute(around_, std::move(values));
  if (!computed.ok()) {
    // An error about a secret could reveal it.
    return Fail(
        at, node.function + ": " + (marks.secret ? "the secret argument is not valid" : computed.status().message()));
  }
  // Functions join, repeat and spell out what they are given.
  uint64_t size = 0;
  Charge(SizeOf(*computed), &size, at);
  return Open(*computed, marks);
}

// The first argument that can be computed.
Datum Evaluator::Try(const Call& node, Position at, const Scope& scope) {
  std::string reasons;
  for (const ExpressionPtr& argument : node.arguments) {
    Datum datum = Compute(*argument, scope);
    if (!failed() || stopped()) return datum;
    reasons += (reasons.empty() ? "" : "; ") + status_.message();
    status_ = Status();
  }
  if (node.arguments.empty()) return Fail(at, "function 'try' takes at least 1 argument");
  return Fail(at, "no expression succeeded: " + reasons);
}

Datum Evaluator::Can(const Call& node, Position at, const Scope& scope) {
  if (node.arguments.size() != 1) return Fail(at, "function 'can' takes 1 argument");
  Datum datum = Compute(*node.arguments[0], scope);
  if (stopped()) return datum;
  if (!failed()) return {ContainsUnknowns(datum.value) ? Value(Computed()) : Value(true), std::move(datum.marks)};
  status_ = Status();
  return {Value(false), {}};
}

const Result<EffectAnswer>* Evaluator::Ask(Effect effect, Position at) {
  if (failed()) return nullptr;
  const Result<EffectAnswer>* answer = effects_.Ask(std::move(effect));
  if (!answer) Fail(at, "stopped");
  return answer;
}

Datum Evaluator::AnswerOf(Effect effect, const schema::Function& function, const Marks& marks, Position at) {
  const Result<EffectAnswer>* asked = Ask(std::move(effect), at);
  if (!asked) return Unknown({});
  if (!asked->ok()) return Fail(at, asked->status().message());
  const EffectAnswer& answer = **asked;
  if (!answer.failures.empty()) {
    std::string text = "'" + function.token + "' failed:";
    for (const CheckFailure& failure : answer.failures) {
      text += " " + (failure.property.empty() ? "" : failure.property + ": ") + failure.reason + ";";
    }
    text.pop_back();
    return Fail(at, text);
  }
  Datum result{Value(answer.result), {}};
  if (answer.unknown) {
    result.value = Value(Computed());
  } else if (function.one_value) {
    if (answer.result.size() != 1) {
      return Fail(
          at, "'" + function.token + "' should answer one value, and answered " + std::to_string(answer.result.size()));
    }
    result = Open(answer.result.begin()->second);
  }
  result.marks.Add(marks);
  return result;
}

const schema::Function* EvaluationContext::FindFunction(const std::string& token) const {
  if (find_function) return find_function(token);
  const auto package = packages.find(schema::PackageOf(token));
  return package == packages.end() ? nullptr : package->second->FindFunction(token);
}

const schema::Function* Evaluator::InvokedFunction(const Call& node, size_t arguments, Position at) {
  const auto refuse = [&](const std::string& message) {
    Fail(at, message);
    return nullptr;
  };
  if (arguments < 2 || arguments > (around_.yaml() ? 4 : 3)) {
    return refuse("function 'invoke' takes a token, an object of arguments and perhaps one of options");
  }
  const std::string* token = LiteralText(node.arguments[0]);
  if (!token) return refuse("invoke token must be a string literal");
  if (!schema::SplitToken(*token)) {
    return refuse("malformed token '" + *token + "': expected 'pkg:module:member' or 'pkg:member'");
  }
  const schema::Function* function = around_.FindFunction(*token);
  if (!function) return refuse("unknown function '" + *token + "'");
  if (!function->positional || around_.yaml()) return function;
  return refuse("function '" + *token + "' takes its arguments one by one, which snippets cannot do");
}

Datum Evaluator::Invoke(const Call& node, const Arguments& arguments, Position at) {
  const schema::Function* function = InvokedFunction(node, arguments.size(), at);
  if (!function) return Unknown({});
  const std::string& token = *LiteralText(node.arguments[0]);
  const Datum& given = arguments[1];
  if (!given.known()) return given;
  if (!given.value.is_object()) return Fail(at, "the arguments of '" + token + "' must be an object");
  PropertyMap inputs = CollapseReferences(given.value).as_object();
  if (!around_.yaml()) {
    inputs = ApplySchema(inputs, function->input_properties());
    for (const schema::Property& input : function->input_properties()) {
      if (!input.required || input.constant || inputs.Has(input.name)) continue;
      return Fail(at, "'" + token + "' needs the argument '" + input.name + "'");
    }
  }

  Effect effect;
  effect.invoke.token = function->token;
  effect.invoke.args = FlattenOutputs(inputs);
  std::vector<Urn> dependencies = given.marks.dependencies;
  CollectOutputDependencies(Value(inputs), &dependencies);
  if (arguments.size() >= 3) {
    const Status read = ReadInvokeOptions(arguments[2].value, &effect.invoke, &dependencies);
    if (!read.ok()) return Fail(at, read.message());
  }
  // The answer may hold what it was asked with.
  Marks marks;
  marks.Add({given.marks.secret || ContainsSecrets(effect.invoke.args), dependencies});
  if (ContainsUnknowns(effect.invoke.args)) return Unknown(std::move(marks));
  for (const Urn& urn : marks.dependencies) effect.invoke.depends_on.push_back(urn.str());
  Datum answer = AnswerOf(std::move(effect), *function, marks, at);
  if (!around_.yaml()) return answer;
  // There, one secret makes the whole answer secret.
  answer.marks.secret = answer.marks.secret || ContainsSecrets(answer.value);
  if (arguments.size() < 4 || !answer.known()) return answer;
  // fn::invoke's `return`.
  const std::string& wanted = arguments[3].value.as_string();
  const Value* found = Member(answer.value, wanted);
  if (!found) {
    return Fail(at, "fn::invoke of " + token + " did not contain a property '" + wanted + "' in the returned value");
  }
  return Open(*found, answer.marks);
}

// The content of a file, under another name for each of what is done with it: `readFile` is the text itself.
Datum Evaluator::ReadFile(const Call& node, const Arguments& arguments, Position at) {
  const Datum& path = arguments[0];
  if (!path.known()) return path;
  if (!path.value.is_string()) {
    return Fail(at, std::string("the path of a file must be a text, not ") + KindName(path.value));
  }
  Effect effect;
  effect.kind = Effect::Kind::kReadFile;
  effect.path = path.value.as_string();
  const Result<EffectAnswer>* answer = Ask(std::move(effect), at);
  if (!answer) return Unknown({});
  if (answer->ok()) return {*(*answer)->result.Find("content"), path.marks};
  return Fail(node.arguments[0]->at, path.marks.secret ? "the file cannot be read; its path is a secret and not shown"
                                                       : answer->status().message());
}

Datum Evaluator::CallMethod(const Arguments& arguments, Position at) {
  if (arguments.size() < 3 || arguments.size() > 4) {
    return Fail(at, "function 'call' takes a resource, a method, an object of arguments and perhaps one of options");
  }
  const Value* type = Member(arguments[0].value, "__type");
  if (!type || !type->is_string() || !arguments[1].value.is_string()) {
    return Fail(at, "'call' needs a resource that is known, and the name of a method");
  }
  const std::string& token = type->as_string();
  const std::string& method = arguments[1].value.as_string();
  const auto package = around_.packages.find(schema::PackageOf(token));
  const schema::Resource* resource = package == around_.packages.end() ? nullptr : package->second->FindResource(token);
  if (!resource) return Fail(at, "unknown resource type '" + token + "'");
  const schema::Function* function = resource->FindMethod(method);
  if (!function) return Fail(at, "resource type " + token + " does not have method " + method);
  const Datum& given = arguments[2];
  if (!given.known()) return given;
  if (!given.value.is_object()) return Fail(at, "the arguments of '" + method + "' must be an object");

  auto self = ResourceIn(arguments[0].value);
  if (!self.ok()) return Fail(at, self.status().message());
  Effect effect;
  effect.kind = Effect::Kind::kCall;
  effect.call.token = function->token;
  Marks marks = arguments[0].marks;
  marks.Add(given.marks);
  schema::Properties inputs = function->input_properties();
  std::erase_if(inputs, [](const schema::Property& input) { return input.name == "__self__"; });
  effect.call.args = ApplySchema(CollapseReferences(given.value).as_object(), inputs);
  const Value* depends_on = arguments.size() == 4 ? Member(arguments[3].value, "dependsOn") : nullptr;
  const Status added = depends_on ? AddDependencies(*depends_on, &marks.dependencies) : Status();
  if (!added.ok()) return Fail(at, added.message());
  ResourceReference reference;
  reference.urn = Urn(self->urn);
  reference.id = std::make_shared<const Value>(self->id);
  effect.call.accept_output_values = true;
  effect.call.args.Set("__self__", Value::Reference(std::move(reference)));
  return AnswerOf(std::move(effect), *function, marks, at);
}

}  // namespace kingpost::pcl
