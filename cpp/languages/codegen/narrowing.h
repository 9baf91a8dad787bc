// SPDX-License-Identifier: Apache-2.0
// The meaning of a value in a program's text, by the type that it is for. Any thread.
#pragma once

#include <functional>
#include <string>

#include "languages/pcl/ast.h"
#include "languages/schema/package.h"

namespace kingpost::codegen {

// The alternative of a union that the expression or the value belongs to; other types as they are.
const schema::Type& Narrowed(const schema::Type& type, const pcl::Expression& expression);
const schema::Type& Narrowed(const schema::Type& type, const Value& value);

// The type of the property; of any type if there is none.
const schema::Type& TypeIn(const schema::Properties& properties, const std::string& name);

// A list or an object whose parts `convert` makes, each for its type in `type`; what `refuse` makes where a key of an
// object is computed.
using PartConverter = std::function<pcl::ExpressionPtr(const pcl::ExpressionPtr& part, const schema::Type& type)>;
using Refusal = std::function<pcl::ExpressionPtr(pcl::Position at, const std::string& what)>;
pcl::ExpressionPtr WithParts(const pcl::Expression& whole, const schema::Type& type, const PartConverter& convert,
                             const Refusal& refuse);

// Whether its parts have the names of a schema, which languages spell their way.
bool IsOfSchema(const schema::Type& type);

}  // namespace kingpost::codegen
