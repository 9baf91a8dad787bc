// SPDX-License-Identifier: Apache-2.0
// Values brought into the shape that a schema asks for. Any thread.
#pragma once

#include "languages/schema/package.h"

namespace kingpost::pcl {

// Converts scalars to the declared types, fills in defaults and makes secret what is declared so, at every depth.
// What cannot be converted stays as it is: the provider's Check decides. Inside of a secret nothing becomes secret.
PropertyMap ApplySchema(const PropertyMap& inputs, const schema::Properties& properties, bool inside_secret = false);

// False if no conversion leads from the value to the type: a list for a number, say. Unknowns fit everywhere.
bool Fits(const Value& value, const schema::Type& type);

// Objects that stand for resources become references again; they had been opened up for the language.
Value CollapseReferences(const Value& value);

}  // namespace kingpost::pcl
