// SPDX-License-Identifier: Apache-2.0
// The file of a function: the forms that take values and outputs, and the interfaces of what they take and answer.
#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

namespace {

std::string TypeBase(const Function& function) { return UpperFirst(FunctionName(function)); }

// An output form that takes nothing has no argument; a plain one has an empty one.
bool HasArgument(const Function& function, bool plain) {
  return function.inputs && !function.positional && (plain || !function.input_properties().empty());
}

std::string ArgumentName(const Function& function, bool plain) {
  return TypeBase(function) + (plain ? "Args" : "OutputArgs");
}

bool HasOutputForm(const Function& function) { return function.answer || !function.plain; }

std::string Signature(const Scope& in, const Function& function, bool plain) {
  std::string parameters;
  if (function.positional) {
    for (const Property& input : function.input_properties()) {
      std::string type = in.TypeOf(*input.type, {.input = !plain}).text;
      if (!plain && type != "any") type = "pulumi.Input<" + type + (input.required ? ">" : " | undefined>");
      parameters += input.name + (input.required ? ": " : "?: ") + type + ", ";
    }
  } else if (HasArgument(function, plain)) {
    parameters = std::string("args") + (AllOptional(function.input_properties()) ? "?" : "") + ": " +
                 ArgumentName(function, plain) + ", ";
  }
  const std::string result = !function.answer         ? "void"
                             : function.inline_answer ? TypeBase(function) + "Result"
                                                      : in.TypeOf(*function.answer).text;
  return "export function " + FunctionName(function) + (plain ? "(" : "Output(") + parameters + "opts?: pulumi." +
         (plain ? "InvokeOptions): Promise<" : "InvokeOutputOptions): pulumi.Output<") + result + "> {\n";
}

std::string Call(const Scope& in, const Function& function, bool plain) {
  const bool single = function.answer && !function.answer_object();
  std::string text = std::string("    return pulumi.runtime.invoke") + (single ? "Single" : "") +
                     (plain ? "" : "Output") + "(\"" + function.token + "\", {\n";
  for (const Property& input : function.input_properties()) {
    const std::string value = function.positional ? input.name : "args." + input.name;
    const std::string defaults = in.DefaultsFunctionFor(*input.type, !plain, true);
    text += "        \"" + input.name + "\": " +
            (defaults.empty() ? value
             : plain          ? FilledIn(defaults, value)
                              : FilledInLater(defaults, value, input.required)) +
            ",\n";
  }
  return text + "    }, opts" + (in.package.base ? ", utilities.getPackage()" : "") + ");\n}\n";
}

std::string FunctionText(const Scope& in, const Function& function, bool plain) {
  std::string text;
  const Properties& inputs = function.input_properties();
  if (!plain || function.plain) {
    text += Comment(WithExamplesOf(function.comment, "typescript"), function.deprecation, "") +
            Signature(in, function, plain);
    if (!function.deprecation.empty() && in.options.compatibility != "kubernetes20") {
      text +=
          "    pulumi.log.warn(" + Quote(FunctionName(function) + " is deprecated: " + function.deprecation) + ")\n";
    }
    if (HasArgument(function, plain) && AllOptional(inputs)) text += "    args = args || {};\n";
    text +=
        "    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts || {});\n" + Call(in, function, plain);
  }
  if (HasArgument(function, plain)) {
    const Use use{.takes_outputs = !plain, .input = true};
    text += "\n" + Interface(in, ArgumentName(function, plain), function.inputs->comment, inputs, use);
  }
  if (plain && function.inline_answer) {
    const ObjectType& object = *function.answer_object();
    text += "\n" + Interface(in, TypeBase(function) + "Result", object.comment, object.properties, {}, true);
  }
  return text;
}

}  // namespace

std::string FunctionFile(const Scope& in, const Module& module, const Function& function) {
  Imports imports;
  in.Collect(module, function.input_properties(), nullptr, &imports);
  in.Collect(module, function.inline_answer ? function.output_properties() : WholeAnswerOf(function), nullptr,
             &imports);
  return in.Header(module, imports) + FunctionText(in, function, true) +
         (HasOutputForm(function) ? FunctionText(in, function, false) : "");
}

Export ExportOf(const Function& function, const std::string& path) {
  Export exported{.path = path};
  const std::string name = FunctionName(function);
  if (HasArgument(function, true)) exported.interfaces.push_back(ArgumentName(function, true));
  if (function.inline_answer) exported.interfaces.push_back(TypeBase(function) + "Result");
  if (HasOutputForm(function) && HasArgument(function, false)) {
    exported.interfaces.push_back(ArgumentName(function, false));
  }
  if (function.plain) exported.functions.push_back(name);
  if (HasOutputForm(function)) exported.functions.push_back(name + "Output");
  return exported;
}

}  // namespace kingpost::sdkgen::node
