// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "base/text.h"
#include "languages/pcl/builtins.h"
#include "model/stack_reference.h"

namespace kingpost::codegen {

namespace {

// Neither what a provider has, nor a file, nor what tells where the program runs.
bool IsOfLanguage(const Call* call) {
  if (call->function == kInvoke || call->arguments.empty()) return false;
  const pcl::Builtin* builtin = pcl::FindBuiltin(call->function);
  using Kind = schema::Type::Kind;
  return !builtin || (builtin->result != Kind::kAsset && builtin->result != Kind::kArchive);
}

std::map<std::string, std::string> ImportsOf(const Program& program, const Language& language) {
  std::map<std::string, std::string> imports;
  const auto add = [&](const std::string& token) {
    const std::string import = language.sdk(token, program.packages).import;
    if (!import.empty()) imports[PackageOf(token)] = import;
  };
  for (const Call* call : CallsIn(program)) {
    if (call->function == kInvoke) add(InvocationOf(*call).token);
  }
  for (const Resource& resource : program.resources) {
    if (resource.kind != Resource::Kind::kComponent) add(resource.token);
  }
  return imports;
}

std::set<std::string> NamesTaken(const Program& program, const Language& language) {
  std::set<std::string> taken = {"pulumi", "config"};
  const std::vector<const Call*> calls = CallsIn(program);
  if (std::any_of(calls.begin(), calls.end(), IsOfLanguage)) {
    taken.insert(language.functions.names.begin(), language.functions.names.end());
  }
  for (const auto& [package, import] : ImportsOf(program, language)) taken.insert(language.alias(package));
  return taken;
}

Variables NamesOf(const Program& program, const Language& language) {
  std::set<std::string> taken = NamesTaken(program, language);
  for (const NamedExpression& output : program.outputs) {
    if (language.exports_are_names) taken.insert(output.name);
  }
  return NameAll(program, Identifiers(language.names, language.is_keyword, std::move(taken)));
}

// With the arguments for "$0", "$1".
std::string Filled(const char* form, const std::vector<std::string>& arguments) {
  std::string text;
  for (const char* at = form; *at; ++at)
    text += *at == '$' ? arguments[static_cast<size_t>(*++at - '0')] : std::string(1, *at);
  return text;
}

}  // namespace

ProgramWriter::ProgramWriter(const Program& program, const Language& language)
    : ExpressionPrinter(program, NamesOf(program, language), language.notation),
      language_(language),
      imports_(ImportsOf(program, language)),
      taken_(NamesTaken(program, language)),
      deferred_(program) {}

std::string ProgramWriter::Write() const {
  std::string text = Settings();
  bool in_variables = false;
  for (const Statement& statement : StatementsOf(program_)) {
    if (statement.resource) {
      text += "\n" + Declaration(*statement.resource);
    } else {
      text += (in_variables ? "" : "\n") + (language_.declares + variables_.variables.at(statement.variable->name)) +
              " = " + Raw(*statement.variable->value, 0) + language_.ends;
    }
    in_variables = statement.variable != nullptr;
  }
  if (!program_.outputs.empty()) text += '\n';
  for (const NamedExpression& output : program_.outputs) text += Export(output) + language_.ends;
  return Head() + text;
}

std::string ProgramWriter::Settings() const {
  std::string text;
  bool own = false;
  for (const Setting& setting : program_.settings) {
    // "aws:region" is a setting of a package, "region" one of the project.
    const size_t colon = setting.name.find(':');
    const bool of_project = colon == std::string::npos;
    own = own || of_project;
    text += language_.declares + variables_.settings.at(setting.name) + " = ";
    text +=
        of_project ? "config" : language_.constructs + ("pulumi.Config(" + Quoted(setting.name.substr(0, colon))) + ")";
    text += setting.default_value ? ".get" : ".require";
    text += setting.secret ? language_.secret_getter : "";
    text += language_.getters[static_cast<int>(setting.kind)];
    text += "(" + Quoted(setting.name.substr(colon + 1)) + ")";
    if (setting.default_value) {
      const std::string value = Text(*setting.default_value, language_.default_depth);
      text += Filled(language_.with_default, {variables_.settings.at(setting.name),
                                              setting.secret ? Filled(FormOf("secret").call, {value}) : value});
    }
    text += language_.ends;
  }
  if (text.empty()) return "";
  const std::string config =
      std::string("\n") + language_.declares + "config = " + language_.constructs + "pulumi.Config()";
  return (own ? config + language_.ends : "\n") + text;
}

std::string ProgramWriter::Declaration(const Resource& resource) const {
  const bool read = resource.kind == Resource::Kind::kRead;
  const std::string type = resource.kind == Resource::Kind::kComponent
                               ? "pulumi.ComponentResource"
                               : InSdk(resource.token, language_.sdk(resource.token, program_.packages).type);
  const std::string opening = language_.declares + variables_.resources.at(resource.key) + " = " +
                              (read ? "" : language_.constructs) + type + (read ? ".get(" : "(");
  const std::string note = resource.note.empty() ? "" : language_.comment + resource.note + "\n";
  return note + Arguments(resource, opening) + language_.ends;
}

std::string ProgramWriter::InSdk(const std::string& token, const std::string& last) const {
  const SdkName sdk = language_.sdk(token, program_.packages);
  std::string name = sdk.import.empty() ? "pulumi" : language_.alias(PackageOf(token));
  for (const std::string& module : sdk.modules) name += "." + module;
  return name + "." + last;
}

std::string ProgramWriter::TextOf(const Call& call, int depth) const {
  if (call.function == kInvoke) {
    const Invocation invocation = InvocationOf(call);
    const std::string name = language_.provider_function(invocation.token);
    return Arguments(invocation, InSdk(invocation.token, name) + "(", depth);
  }
  std::vector<std::string> arguments;
  std::vector<size_t> later;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Expression& argument = *call.arguments[i];
    arguments.push_back(call.function == "unsecret" ? Wrapped(argument, depth) : Text(argument, depth));
    if (deferred_.Holds(argument)) later.push_back(i);
  }
  const bool by_nothing = call.function == "split" && arguments[0] == "\"\"";
  const FunctionForm& form = FormOf(by_nothing ? kSplitByNothing : call.function);
  const bool marks = call.function == "secret" || call.function == "unsecret";
  if (later.empty() || marks) return Filled(form.call, arguments);
  if (later.size() == 1) {
    const std::string whole = Wrapped(*call.arguments[later[0]], depth);
    arguments[later[0]] = "value";
    return whole + ".apply(" + (*form.applied ? form.applied : language_.of_parameter + Filled(form.call, arguments)) +
           ")";
  }
  std::vector<std::string> all;
  for (size_t i = 0; i < later.size(); ++i) {
    all.push_back(std::exchange(arguments[later[i]], "values[" + std::to_string(i) + "]"));
  }
  return Filled(language_.all, {Joined(all, ", ")}) + ".apply(" + language_.of_parameters +
         Filled(form.call, arguments) + ")";
}

// One output of another stack is a secret by itself, the map of all as soon as any of them is.
std::string ProgramWriter::TextOf(const PathStep& step, int depth) const {
  const auto* outputs = step.whole->as<PropertyRef>();
  const bool of_outputs = outputs && outputs->property == "outputs" && step.key.is_string();
  const Resource* stack = of_outputs ? FindResource(program_, outputs->key) : nullptr;
  if (!stack || stack->token != kStackReferenceType) return PathText(step, depth);
  return Filled(FormOf("getOutput").call, {variables_.resources.at(outputs->key), Constant(step.key)});
}

std::string ProgramWriter::Wrapped(const Expression& expression, int depth) const {
  const std::string text = Text(expression, depth);
  return deferred_.Is(expression) ? text : Filled(language_.wrap, {text});
}

const FunctionForm& ProgramWriter::FormOf(const std::string& function) const {
  const std::span<const FunctionForm> forms = language_.functions.forms;
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const FunctionForm& each) { return each.name == function; });
  KP_ASSERT(form != forms.end(), "the table of a language has all functions");
  for (const char* module : form->modules) {
    if (module) modules_.insert(module);
  }
  if (*form->helper) helpers_.insert(form->helper);
  return *form;
}

}  // namespace kingpost::codegen
