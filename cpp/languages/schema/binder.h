// SPDX-License-Identifier: Apache-2.0
// The work of Bind (bind.h): each part of the document is bound when it is first referred to.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "languages/schema/bind.h"
#include "languages/schema/reference.h"

namespace kingpost::schema {

class Binder {
 public:
  using Json = nlohmann::ordered_json;

  Binder(const Json& document, const BindOptions& options)
      : document_(document), options_(options), package_(std::make_shared<Package>()) {}
  Bound Run();

 private:
  // bind.cc
  void ReadFacts();
  void ReadMeta();
  void ReadBase();
  void ReadDependencies();
  void Finish();
  // Binds a definition that another one refers to: now, or once that one is done, where each refers to the next and
  // thousands of them would not fit onto the stack.
  void Nested(std::function<void()> work);

  // bind_members.cc
  const Resource* BindResource(const std::string& token);
  const Resource* BindProvider();
  void BindResourceDetails(const std::string& path, const Json& spec, Resource* resource);
  void BindMethods(const std::string& path, const Json& spec, Resource* resource);
  void CheckOutputs(const std::string& path, const Resource& resource);
  const Function* BindFunction(const std::string& token);
  void BindAnswer(const std::string& path, const Json& spec, Function* function);
  void OrderArguments(const Json& spec, ObjectType* inputs);

  // bind_types.cc
  const Type* BindType(const std::string& path, const Json& spec);
  const Type* BindReference(const std::string& path, const Json& spec);
  const Type* BindOwn(const std::string& path, const Json& spec, const Reference& reference);
  const Type* BindForeign(const std::string& path, const Reference& reference);
  const Type* BindUnion(const std::string& path, const Json& spec);
  const ObjectType* BindAnonymous(const std::string& path, const Json& spec);
  void BindObject(const std::string& path, const Json& spec, ObjectType* object);
  bool BindDefinition(const std::string& token, Type* type);
  const EnumType* BindEnum(const std::string& token, const Json& spec);
  Properties BindProperties(const std::string& path, const Json* specs, const std::string& required_path,
                            const Json* required);
  Property BindProperty(const std::string& path, const std::string& name, const Json& spec);
  std::optional<Constant> BindConstant(const std::string& path, const char* kind, const Json& value, const Type& type);
  std::optional<Constant> BindDefault(const std::string& path, const Json& value, const Type& type);
  Type* NewType(Type type);
  const Type* Invalid() { return NewType({.kind = Type::Kind::kAny}); }

  // bind_checks.cc
  void ReadModuleFormat();
  void CheckTokens();
  void CheckToken(const std::string& section, const std::string& token, bool is_function);
  void CheckDuplicates();
  void CheckCycles();
  void CheckName(const std::string& path, const char* kind, const std::string& name);

  const Json& Section(const char* name) const;  // "resources"; empty if there is none
  const Json* Spec(const char* section, const std::string& token) const;
  void Error(const std::string& path, const std::string& text, const std::string& detail = "");
  void Warn(const std::string& path, const std::string& text);

  static constexpr int kNestedMax = 200;

  const Json& document_;
  const BindOptions& options_;
  std::shared_ptr<Package> package_;
  Diagnostics diagnostics_;
  std::map<std::string, const Resource*> resources_;
  std::map<std::string, Function*> functions_;
  std::map<std::string, const ObjectType*> objects_;
  std::map<std::string, const EnumType*> enums_;
  int depth_ = 0;
  std::vector<std::function<void()>> postponed_;
};

}  // namespace kingpost::schema
