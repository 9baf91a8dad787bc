// SPDX-License-Identifier: Apache-2.0
// The file of a function: the forms that take values and outputs, and the interfaces of what they take and answer.
#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string TypeBase(const schema::Function& function) { return codegen::UpperFirst(NodeFunctionName(function)); }

// An output form that takes nothing has no argument; a plain one has an empty one.
bool HasArgument(const schema::Function& function, bool plain) {
  return function.inputs && !function.positional && (plain || !function.input_properties().empty());
}

}  // namespace

std::string NodeGenerator::FunctionResult(const schema::Function& function) const {
  if (!function.answer) return "void";
  return function.inline_answer ? TypeBase(function) + "Result"
                                : TypeOf(*function.answer, false, false, nullptr).text();
}

std::string NodeGenerator::FunctionSignature(const schema::Function& function, bool plain) const {
  std::string parameters;
  if (function.positional) {
    for (const schema::Property& input : function.input_properties()) {
      NodeType type = TypeOf(*input.type, false, !plain, nullptr);
      std::string text = type.text();
      if (!plain && text != "any") text = "pulumi.Input<" + (input.required ? text : type.OrUndefined().text()) + ">";
      parameters += input.name + (input.required ? ": " : "?: ") + text + ", ";
    }
  } else if (HasArgument(function, plain)) {
    parameters = std::string("args") + (AllOptional(function.input_properties()) ? "?" : "") + ": " +
                 TypeBase(function) + (plain ? "Args, " : "OutputArgs, ");
  }
  const std::string result = FunctionResult(function);
  return "export function " + NodeFunctionName(function) + (plain ? "(" : "Output(") + parameters + "opts?: pulumi." +
         (plain ? "InvokeOptions): Promise<" : "InvokeOutputOptions): pulumi.Output<") + result + "> {\n";
}

std::string NodeGenerator::FunctionCall(const schema::Function& function, bool plain) const {
  const bool single = function.answer && !function.answer_object();
  std::string text = std::string("    return pulumi.runtime.invoke") + (single ? "Single" : "") +
                     (plain ? "" : "Output") + "(\"" + function.token + "\", {\n";
  for (const schema::Property& input : function.input_properties()) {
    const std::string value = function.positional ? input.name : "args." + input.name;
    const std::string function_name = DefaultsFunctionFor(*input.type, !plain, true);
    std::string passed = value;
    if (!function_name.empty() && plain) passed = value + " ? " + function_name + "(" + value + ") : undefined";
    if (!function_name.empty() && !plain) {
      passed = "pulumi.output(" + value + ").apply(" +
               (input.required ? function_name : "v => v === undefined ? undefined : " + function_name + "(v)") + ")";
    }
    text += "        \"" + input.name + "\": " + passed + ",\n";
  }
  return text + "    }, opts" + (package_.base ? ", utilities.getPackage()" : "") + ");\n}\n";
}

std::string NodeGenerator::FunctionInterfaces(const schema::Function& function, bool plain) const {
  std::string text;
  const std::string comment = function.inputs ? function.inputs->comment : "";
  if (HasArgument(function, plain)) {
    text += "\n" + Interface(TypeBase(function) + (plain ? "Args" : "OutputArgs"), comment, function.input_properties(),
                             !plain, true, false, 0);
  }
  if (plain && function.inline_answer) {
    const schema::ObjectType& object = *function.answer_object();
    text += "\n" + Interface(TypeBase(function) + "Result", object.comment, object.properties, false, false, true, 0);
  }
  return text;
}

std::string NodeGenerator::FunctionText(const schema::Function& function, bool plain) const {
  std::string text;
  if (!plain || function.plain) {
    text += Comment(WithExamplesOf(function.comment, "typescript"), function.deprecation, "");
    text += FunctionSignature(function, plain);
    if (!function.deprecation.empty() && node_.compatibility != "kubernetes20") {
      text += "    pulumi.log.warn(" + Quote(NodeFunctionName(function) + " is deprecated: " + function.deprecation) +
              ")\n";
    }
    if (HasArgument(function, plain) && AllOptional(function.input_properties())) text += "    args = args || {};\n";
    text += "    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts || {});\n" +
            FunctionCall(function, plain);
  }
  return text + FunctionInterfaces(function, plain);
}

std::string NodeGenerator::FunctionFile(const Module& in, const schema::Function& function) const {
  NodeImports imports;
  CollectAll(in, function.input_properties(), nullptr, &imports);
  if (function.answer) {
    schema::Property answer;
    answer.type = function.answer;
    CollectAll(in, function.inline_answer ? function.answer_object()->properties : schema::Properties{answer}, nullptr,
               &imports);
  }
  std::string text = Header(in, imports, true, true) + FunctionText(function, true);
  if (function.answer || !function.plain) text += FunctionText(function, false);
  return text;
}

NodeExport NodeGenerator::ExportOf(const schema::Function& function, const std::string& path) const {
  NodeExport exported;
  exported.path = path;
  if (HasArgument(function, true)) exported.interfaces.push_back(TypeBase(function) + "Args");
  if (function.inline_answer) exported.interfaces.push_back(TypeBase(function) + "Result");
  const bool has_output_form = function.answer || !function.plain;
  if (has_output_form && HasArgument(function, false)) exported.interfaces.push_back(TypeBase(function) + "OutputArgs");
  if (function.plain) exported.functions.push_back(NodeFunctionName(function));
  if (has_output_form) exported.functions.push_back(NodeFunctionName(function) + "Output");
  return exported;
}

}  // namespace kingpost::sdkgen
