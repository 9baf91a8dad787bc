// SPDX-License-Identifier: Apache-2.0
// The inputs and the options of a resource on their way into a request: of snippets, options { protect = true ... },
// and of programs in YAML. The table of model/resource_fields.h says what options are called and where they go. Pure.
// Any thread.
#pragma once

#include "kingpost/monitor.h"
#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

// Sets the inputs and what they depend on, property by property. Providers of components get them with the outputs that
// they came from; of others these are taken off.
void SetInputs(PropertyMap inputs, RegisterResourceRequest* request);

// True of options whose values are names of properties, or paths to them: ignoreChanges and the like.
bool TakesPaths(const std::string& option);

// Sets what an option says. The value is known, not null, and without marks. Errors say what it should be.
Status SetOption(const std::string& option, const Value& value, RegisterResourceRequest* request);
// The options that the schema of its type gives every resource, beside what its options say.
void AddSchemaOptions(const schema::Resource& schema, RegisterResourceRequest* request);

// Whether all options of a snippet are known. Errors begin with "line,column: ".
Status CheckOptions(const Block& options);
// Sets the fields of `request` that the options of a snippet name; `range` is not looked at.
Status EvaluateOptions(const Block& options, const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                       RegisterResourceRequest* request);

}  // namespace kingpost::pcl
