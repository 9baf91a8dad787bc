// SPDX-License-Identifier: Apache-2.0
// The work of bind.h: each part of the document is bound on its first access. Owns the document and the
// parts.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "languages/schema/bind.h"

namespace kingpost::schema {

class Binder {
 public:
  using Json = nlohmann::json;

  // `package` owns the binder.
  Binder(Json document, BindOptions options, Package* package)
      : document_(std::move(document)), options_(std::move(options)), package_(package) {}

  // The package's own fields.
  void ReadPackage();
  // All parts, and all that is wrong.
  Diagnostics BindAll();

  // Null if the document does not define it.
  const Resource* BindResource(const std::string& token);
  Function* BindFunction(const std::string& token);
  const Type* BindDefinition(const std::string& token);  // an object or an enum

  // The token that a section has for one that may be in a short form; "" if it has none.
  const std::string& FullToken(const char* section, const std::string& token);
  const Json& document() const { return document_; }

 private:
  // bind.cc
  void ReadFacts();
  void ReadBase();
  void BindSections();

  // bind_members.cc
  const Resource* BindProvider();
  void BindResourceParts(const std::string& path, const Json& spec, Resource* resource);
  std::vector<Method> BindMethods(const std::string& path, const Json& spec, const Resource& resource);
  void CheckParts(const std::string& path, const Json& spec, const Resource& resource);
  void CheckProvider();
  void BindAnswer(const std::string& path, const Json& spec, Function* function);
  void OrderArguments(const Json& spec, Properties* inputs);

  // bind_types.cc
  const Type* BindType(const std::string& path, const Json& spec);
  const Type* BindReference(const std::string& path, const Json& spec);
  // Another package, or null: what is in the way is told once, however many references lead there.
  PackagePtr ForeignPackage(const std::string& path, const Reference& reference);
  const Type* BindUnion(const std::string& path, const Json& spec);
  ObjectType* BindObject(const std::string& path, const Json& spec);
  const EnumType* BindEnum(const std::string& token, const Json& spec);
  // `properties` and `required` name fields of the spec.
  Properties BindProperties(const std::string& path, const Json& spec, const char* properties, const char* required);
  Property BindProperty(const std::string& path, const std::string& name, const Json& spec);
  std::optional<Constant> BindConstant(const std::string& path, const char* kind, const Json& value, const Type& type);
  std::optional<Constant> BindDefault(const std::string& path, const Json& value, const Type& type);
  const Type* NewType(Type type);

  // bind_checks.cc
  void ReadModuleFormat();
  void CheckTokens();
  void CheckToken(const std::string& section, const std::string& token);
  void CheckDuplicates();
  void CheckCycles();
  void CheckName(const std::string& path, const char* kind, const std::string& name);
  void CheckPropertyNames(const std::string& path, const Json& properties);

  std::string FindFullToken(const char* section, const std::string& token) const;
  // Returns an object's member under a name; an empty object if it is none.
  static const Json& Part(const Json& object, const char* name);
  const Json& Section(const char* name) const { return Part(document_, name); }
  const Json* Spec(const char* section, const std::string& token) const;
  void Error(const std::string& path, const std::string& text, const std::string& detail = "");
  void Warn(const std::string& path, const std::string& text);

  const Json document_;
  const BindOptions options_;
  Package* const package_;
  Diagnostics diagnostics_;
  std::map<std::pair<std::string, std::string>, PackagePtr> foreign_;  // by name and version
  std::map<std::string, std::string> full_tokens_;  // that were asked for, with their section before them
  std::vector<std::unique_ptr<Type>> types_;
  std::vector<std::unique_ptr<ObjectType>> objects_;
  std::vector<std::unique_ptr<EnumType>> enums_;
  std::map<std::string, std::unique_ptr<Resource>> resources_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
  std::map<std::string, const Type*> definitions_;
};

}  // namespace kingpost::schema
