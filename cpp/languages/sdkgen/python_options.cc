// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text_map.h"

namespace kingpost::sdkgen {

PythonOptions PythonOptions::Of(const schema::Package& package) {
  const nlohmann::json spec = package.LanguageOptions("python");
  PythonOptions options;
  options.package_name = TextOf(spec, "packageName");
  options.python_requires = TextOf(spec, "pythonRequires");
  options.readme = TextOf(spec, "readme");
  options.compatibility = TextOf(spec, "compatibility");
  options.input_types = TextOf(spec, "inputTypes");
  options.requires_ = TextMapOf(spec, "requires");
  options.module_names = TextMapOf(spec, "moduleNameOverrides");
  options.lift_single_results = BoolOf(spec, "liftSingleValueMethodReturns");
  options.respect_version = BoolOf(spec, "respectSchemaVersion");
  options.pyproject = BoolOf(ObjectOf(spec, "pyproject"), "enabled");
  return options;
}

}  // namespace kingpost::sdkgen
