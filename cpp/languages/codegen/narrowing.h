// SPDX-License-Identifier: Apache-2.0
// The meaning of a value in a program's text, by the type that it is for. Any thread.
#pragma once

#include "languages/pcl/ast.h"
#include "languages/schema/package.h"

namespace kingpost::codegen {

// The alternative of a union that the expression or the value belongs to; other types as they are.
const schema::Type& Narrowed(const schema::Type& type, const pcl::Expression& expression);
const schema::Type& Narrowed(const schema::Type& type, const Value& value);

// The type of the property; of any type if there is none.
const schema::Type& TypeIn(const schema::Properties& properties, const std::string& name);

// Whether its parts have the names of a schema, which languages spell their way.
bool IsOfSchema(const schema::Type& type);

}  // namespace kingpost::codegen
