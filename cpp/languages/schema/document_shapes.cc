// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/document_shapes.h"

#include <iterator>

namespace kingpost::schema {

namespace {

using enum FieldKind;

std::vector<ShapeField> Joined(std::vector<ShapeField> first, const std::vector<ShapeField>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Shape& DiscriminatorShape() {
  static const Shape shape{{{"propertyName", kText, nullptr, true}, {"mapping", kTextMap}}};
  return shape;
}

const Shape& DefaultInfoShape() {
  static const Shape shape{{{"environment", kTexts}, {"language", kRaw}}};
  return shape;
}

const Shape& PropertyShape() {
  static const Shape shape{Joined(TypeShape().fields, {{"description", kText},
                                                       {"const", kAny},
                                                       {"default", kAny},
                                                       {"defaultInfo", kPartOrNothing, &DefaultInfoShape()},
                                                       {"deprecationMessage", kText},
                                                       {"language", kRaw},
                                                       {"secret", kBool},
                                                       {"replaceOnChanges", kBool},
                                                       {"willReplaceOnChanges", kBool}})};
  return shape;
}

const Shape& EnumValueShape() {
  static const Shape shape{
      {{"name", kText}, {"description", kText}, {"value", kAny, nullptr, true}, {"deprecationMessage", kText}}};
  return shape;
}

const Shape& ComplexTypeShape() {
  static const Shape shape{Joined(ObjectShape().fields, {{"enum", kParts, &EnumValueShape()}})};
  return shape;
}

const Shape& ResourceShape() {
  static const Shape shape{Joined(ObjectShape().fields, {{"inputProperties", kPartMap, &PropertyShape()},
                                                         {"requiredInputs", kTexts},
                                                         {"plainInputs", kTexts},
                                                         {"stateInputs", kPartOrNothing, &ObjectShape()},
                                                         {"listInputs", kPartOrNothing, &ObjectShape()},
                                                         {"aliases", kAliases},
                                                         {"deprecationMessage", kText},
                                                         {"isComponent", kBool},
                                                         {"methods", kTextMap}})};
  return shape;
}

// The fields of functions stand in the order of their names, and so do those of what they return.
const Shape& FunctionShape() {
  static const Shape shape{{{"deprecationMessage", kText},
                            {"description", kText},
                            {"inputs", kPartOrNothing, &ObjectShape()},
                            {"isOverlay", kBool},
                            {"language", kRaw},
                            {"multiArgumentInputs", kTexts},
                            {"outputs", kReturn},
                            {"overlaySupportedLanguages", kTexts},
                            {"plain", kBool, nullptr, true}}};
  return shape;
}

const Shape& ConfigShape() {
  static const Shape shape{{{"variables", kPartMap, &PropertyShape()}, {"defaults", kTexts}}};
  return shape;
}

const Shape& MetaShape() {
  static const Shape shape{{{"moduleFormat", kText}, {"supportPack", kBool}}};
  return shape;
}

const Shape& PluginShape() {
  static const Shape shape{{{"name", kText, nullptr, true}, {"version", kText, nullptr, true}}};
  return shape;
}

const Shape& ParameterizationShape() {
  static const Shape shape{
      {{"baseProvider", kPartOrNothing, &PluginShape(), true}, {"parameter", kText, nullptr, true}}};
  return shape;
}

const Shape& BaseParameterizationShape() {
  static const Shape shape{{{"basePlugin", kPartOrNothing, &PluginShape(), true}, {"parameter", kText, nullptr, true}}};
  return shape;
}

const Shape& ExtendedProviderShape() {
  static const Shape shape{
      Joined(PluginShape().fields, {{"parameterization", kPartOrNothing, &BaseParameterizationShape()}})};
  return shape;
}

const Shape& ExtensionShape() {
  static const Shape shape{
      {{"baseProvider", kPartOrNothing, &ExtendedProviderShape(), true}, {"parameter", kText, nullptr, true}}};
  return shape;
}

const Shape& DependencyParameterShape() {
  static const Shape shape{
      {{"name", kText, nullptr, true}, {"version", kText, nullptr, true}, {"value", kText, nullptr, true}}};
  return shape;
}

const Shape& DependencyShape() {
  static const Shape shape{{{"name", kText, nullptr, true},
                            {"version", kText},
                            {"downloadURL", kText},
                            {"parameterization", kPartOrNothing, &DependencyParameterShape()}}};
  return shape;
}

}  // namespace

const Shape& TypeShape() {
  static Shape shape;  // names itself
  if (shape.fields.empty()) {
    shape.fields = {{"type", kText},
                    {"$ref", kText},
                    {"additionalProperties", kPartOrNothing, &shape},
                    {"items", kPartOrNothing, &shape},
                    {"oneOf", kParts, &shape},
                    {"discriminator", kPartOrNothing, &DiscriminatorShape()},
                    {"plain", kBool}};
  }
  return shape;
}

const Shape& ObjectShape() {
  static const Shape shape{{{"description", kText},
                            {"properties", kPartMap, &PropertyShape()},
                            {"type", kText},
                            {"required", kTexts},
                            {"plain", kTexts},
                            {"language", kRaw},
                            {"isOverlay", kBool},
                            {"overlaySupportedLanguages", kTexts}}};
  return shape;
}

const Shape& PackageShape() {
  static const Shape shape{{{"name", kText, nullptr, true},
                            {"displayName", kText},
                            {"version", kText},
                            {"description", kText},
                            {"keywords", kTexts},
                            {"homepage", kText},
                            {"license", kText},
                            {"attribution", kText},
                            {"repository", kText},
                            {"logoUrl", kText},
                            {"pluginDownloadURL", kText},
                            {"configurationDocsUrl", kText},
                            {"validateCredentialsOnNew", kBool},
                            {"publisher", kText},
                            {"namespace", kText},
                            {"meta", kPartOrNothing, &MetaShape()},
                            {"allowedPackageNames", kTexts},
                            {"language", kRaw},
                            {"config", kPartOrNothing, &ConfigShape(), true},
                            {"types", kPartMap, &ComplexTypeShape()},
                            {"provider", kPartOrNothing, &ResourceShape()},
                            {"resources", kPartMap, &ResourceShape()},
                            {"functions", kPartMap, &FunctionShape()},
                            {"dependencies", kParts, &DependencyShape()},
                            {"parameterization", kPartOrNothing, &ParameterizationShape()},
                            {"extensionParameterization", kPartOrNothing, &ExtensionShape()}}};
  return shape;
}

}  // namespace kingpost::schema
