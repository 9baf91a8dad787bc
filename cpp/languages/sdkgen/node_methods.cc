// SPDX-License-Identifier: Apache-2.0
// The methods of resources. What they take and answer is in a namespace of the class's name.
#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/node_generator.h"

namespace kingpost::sdkgen {

namespace {

// An answer that is neither an object nor plain is not to be had.
bool IsCallable(const schema::Function& function) {
  return !function.answer || function.answer_object() || function.plain_answer;
}

}  // namespace

std::string NodeGenerator::MethodText(const schema::Resource& resource, const schema::Method& method) const {
  const schema::Function& function = *method.function;
  if (!IsCallable(function)) return "";
  const schema::ObjectType* object = function.answer_object();
  const std::string owner = NodeClassName(resource.token), name = NodeCamel(method.name);
  const std::string types = owner + "." + codegen::UpperFirst(method.name);
  const bool lifts = node_.lift_single_results && object && object->properties.size() == 1;
  const schema::Properties arguments = ArgumentsOfMethod(function);
  const bool optional = AllOptional(arguments);

  std::string returned = "void";
  if (function.answer && function.plain_answer) {
    returned = "Promise<" + (object ? types + "Result" : TypeOf(*function.answer, false, false, nullptr).text()) + ">";
  } else if (lifts) {
    schema::Property only = object->properties[0];
    NodeType type = TypeOf(*only.type, false, false, nullptr);
    returned = "pulumi.Output<" + (only.required ? type : type.OrUndefined()).text() + ">";
  } else if (function.answer) {
    returned = "pulumi.Output<" + types + "Result>";
  }
  std::string text = "\n" + Comment(WithExamplesOf(function.comment, "typescript"), function.deprecation, "    ");
  text += "    " + name + "(" +
          (arguments.empty() ? "" : std::string("args") + (optional ? "?" : "") + ": " + types + "Args") +
          "): " + returned + " {\n";
  if (!function.deprecation.empty()) {
    text += "        pulumi.log.warn(" + Quote(owner + "." + name + " is deprecated: " + function.deprecation) + ")\n";
  }
  if (!arguments.empty() && optional) text += "        args = args || {};\n";
  text += "        ";
  if (function.answer) text += lifts ? "const result: pulumi.Output<" + types + "Result> = " : "return ";
  text += (function.plain_answer && function.answer ? "utilities.callAsync(\"" : "pulumi.runtime.call(\"") +
          function.token + "\", {\n            \"__self__\": this,\n";
  for (const schema::Property& argument : arguments) {
    text += "            \"" + argument.name + "\": args." + argument.name + ",\n";
  }
  text += "        }, this";
  if (function.plain_answer && function.answer) text += object ? ", {}" : ", {property: \"res\"}";
  if (package_.base) text += ", utilities.getPackage()";
  text += ");\n";
  if (lifts) text += "        return result." + NodeCamel(object->properties[0].name) + ";\n";
  return text + "    }\n";
}

std::string NodeGenerator::MethodTypes(const schema::Resource& resource) const {
  std::string types;
  const std::string owner = NodeClassName(resource.token);
  for (const schema::Method& method : resource.methods) {
    const schema::Function& function = *method.function;
    const std::string name = codegen::UpperFirst(method.name);
    const std::string comment = function.inputs ? function.inputs->comment : "";
    const auto or_else = [&](const char* what) {
      return comment.empty() ? std::string("The ") + what + " the " + owner + "." + method.name + " method." : comment;
    };
    if (const schema::Properties arguments = ArgumentsOfMethod(function); !arguments.empty()) {
      types += Interface(name + "Args", or_else("set of arguments for"), arguments, true, true, false, 1) + "\n";
    }
    if (function.answer_object()) {
      types += Interface(name + "Result", or_else("results of"), function.answer_object()->properties, false, false,
                         true, 1) +
               "\n";
    }
  }
  return types.empty() ? "" : "\nexport namespace " + owner + " {\n" + types + "}\n";
}

}  // namespace kingpost::sdkgen
