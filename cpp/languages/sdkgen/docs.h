// SPDX-License-Identifier: Apache-2.0
// Descriptions in a schema are Markdown with marks of their own: examples in several languages, and references.
//
//   {{% examples %}} {{% example %}} ```python ... ``` {{% /example %}} {{% /examples %}}
//   {{% ref #/resources/aws:s3%2Fbucket:Bucket/properties/acl %}}      {{% ref #/provider/inputProperties/region %}}
#pragma once

#include <functional>
#include <string>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

// Only the examples in this language and in "sh" stay; an example without any code goes.
std::string WithExamplesOf(const std::string& description, const std::string& language);

// The target of a reference.
struct DocTarget {
  enum class Kind { kResource, kFunction, kType, kProvider };  // of a provider the token has no package
  Kind kind = Kind::kResource;
  std::string token;
  std::string property;  // "" for the member itself
  bool input = false;    // of the inputs of a resource or a function
};
// References as `spelled` says; what is none stays as it is.
std::string WithReferences(const std::string& description,
                           const std::function<std::string(const DocTarget& target)>& spelled);

}  // namespace kingpost::sdkgen
