// SPDX-License-Identifier: Apache-2.0
// The methods of resources.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string MethodResultName(const schema::Method& method) { return codegen::UpperFirst(method.name) + "Result"; }

}  // namespace

std::string PythonGenerator::MethodResult(const Module& in, const schema::Method& method) const {
  const schema::Properties properties = AnswersOf(*method.function);
  const schema::ObjectType* object = method.function->answer_object();
  // A plain answer is there.
  schema::Properties known = properties;
  if (!object) known[0].required = true;
  return "    @pulumi.output_type\n    class " + MethodResultName(method) + ":\n" +
         Docstring(object ? Doc(object->comment) : "", "        ") + ResultInit(in, properties, "        ") +
         Getters(in, known, "        ", "", false, PythonUse());
}

std::string PythonGenerator::MethodText(const Module& in, const schema::Resource& resource,
                                        const schema::Method& method) const {
  const schema::Function& function = *method.function;
  const schema::ObjectType* object = function.answer_object();
  const bool has_result = function.answer && (object || function.plain_answer);
  const bool lifts = python_.lift_single_results && object && object->properties.size() == 1;
  const std::string name = codegen::PythonName(method.name);
  const std::string result = PythonClassName(resource.token) + "." + MethodResultName(method);

  std::string returned = "None";
  if (has_result && lifts) {
    returned = "pulumi.Output['" + RuntimeType(in, *object->properties[0].type) + "']";
  } else if (has_result && function.plain_answer) {
    returned = object ? MethodResultName(method) : RuntimeType(in, *function.answer);
  } else if (has_result) {
    returned = "pulumi.Output['" + result + "']";
  }

  const schema::Properties arguments = RequiredFirst(ArgumentsOfMethod(function));
  const std::string open = "    def " + name + "(";
  std::string text = has_result ? MethodResult(in, method) : "";
  std::string docs = function.comment.empty() ? "" : Doc(function.comment) + "\n";
  std::string values = "        __args__ = dict()\n        __args__['__self__'] = __self__\n";
  text += open + "__self__" + (arguments.empty() ? "" : ", *");
  if (!arguments.empty()) docs += '\n';
  for (const schema::Property& argument : arguments) {
    const std::string spelled = codegen::PythonName(argument.name);
    const PythonUse use{.takes_outputs = true, .input = true};
    schema::Property plain = argument;
    plain.constant.reset();
    text += ",\n" + std::string(open.size(), ' ') + spelled + ": " + PropertyText(in, plain, !argument.required, use);
    text += argument.required ? "" : " = None";
    docs += ParamDoc(in, spelled, argument, false, true);
    values += "        __args__['" + argument.name + "'] = " + spelled + "\n";
  }
  text += ") -> " + returned + ":\n" + Docstring(docs, "        ");
  if (!function.deprecation.empty()) {
    text += "        pulumi.log.warn(" + LongText(name + " is deprecated: " + function.deprecation) + ")\n";
  }
  std::string call = "('" + function.token + "', __args__, res=__self__";
  if (has_result) call += ", typ=" + result;
  if (package_.base) call += ", package_ref=_utilities.get_package()";
  call += ')';
  text += values;
  if (function.plain_answer && has_result) {
    return text + "        return _utilities.call_plain" + call + (object ? "" : ".res") + "\n\n";
  }
  if (!has_result) return text + "        pulumi.runtime.call" + call + "\n\n";
  if (!lifts) return text + "        return pulumi.runtime.call" + call + "\n\n";
  return text + "        __result__ = pulumi.runtime.call" + call + "\n        return __result__." +
         codegen::PythonName(object->properties[0].name) + "\n\n";
}

}  // namespace kingpost::sdkgen
