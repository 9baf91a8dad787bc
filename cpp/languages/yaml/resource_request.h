// SPDX-License-Identifier: Apache-2.0
// The request to the monitor for a declared resource, once its names are known. Pure: evaluating may ask for effects
// (languages/pcl/effects.h). Any thread.
#pragma once

#include "languages/pcl/evaluator.h"
#include "languages/pcl/resource_value.h"
#include "languages/yaml/package_index.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

// Where the resource is declared.
struct Declaration {
  const Body& body;
  const ResourceDecl& resource;
  const ResolvedResource& resolved;
  Urn parent;                  // of resources that name none: the stack, or the component
  std::string component_name;  // whose resources have names that begin with it; "" in a program
  std::string source_path;
};

// True if it is looked up instead of managed.
bool IsRead(const ResourceDecl& resource);

// Errors carry their place. `Read` fails with kUnavailable if the ID is not known yet.
Result<RegisterResourceRequest> MakeRegisterRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                                    const pcl::Scope& scope);
// An ID that is not known yet is kUnknownString.
Result<ReadResourceRequest> MakeReadRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                            const pcl::Scope& scope);

// The resource that a value is. Errors say what the value is instead.
Result<pcl::ResourceHandle> AsResource(const Value& value);

// As values are sent: a key without a value is left out, {a: null} is {}; in a list null keeps its place. What is null
// in an output of a resource, and might have a value at another time, is left out only where outputs are sent as what
// they hold.
Value WithoutNulls(const Value& value, bool outputs_too = false);

}  // namespace kingpost::yaml
