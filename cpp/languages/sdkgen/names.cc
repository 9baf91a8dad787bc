// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/names.h"

#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/python_generator.h"

namespace kingpost::sdkgen {

std::string DefaultPythonDistribution(const schema::Package& package) {
  return PythonPackageName(package.name_space, package.name);
}

std::string PythonDistribution(const schema::Package& package) {
  const std::string named = PythonOptions::Of(package).package_name;
  return named.empty() ? DefaultPythonDistribution(package) : named;
}

std::string NodeDistribution(const schema::Package& package) {
  const std::string named = NodeOptions::Of(package).package_name;
  if (!named.empty()) return named;
  return "@" + (package.name_space.empty() ? "pulumi" : package.name_space) + "/" + package.name;
}

}  // namespace kingpost::sdkgen
