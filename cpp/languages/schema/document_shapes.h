// SPDX-License-Identifier: Apache-2.0
// The fields of each part of a schema. Pure.
#pragma once

#include <vector>

namespace kingpost::schema {

enum class FieldKind {
  kText,
  kBool,
  kTexts,          // a list of texts
  kTextMap,        // names to texts
  kAny,            // any value
  kRaw,            // kept to the letter: the options of a language
  kPart,           // another part
  kPartOrNothing,  // another part, kept if it is empty
  kParts,          // a list of parts
  kPartMap,        // names to parts
  kAliases,        // texts, or objects with a type
  kReturn,         // an object type if it has properties, else a type
};

struct Shape;
struct ShapeField {
  const char* name;
  FieldKind kind;
  const Shape* part = nullptr;
  bool always = false;  // kept if it says nothing
};
struct Shape {
  std::vector<ShapeField> fields;
  bool sorted = false;  // the fields by name, here and in all parts below
};

const Shape& PackageShape();
const Shape& ObjectShape();
const Shape& TypeShape();

}  // namespace kingpost::schema
