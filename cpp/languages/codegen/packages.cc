// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/packages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/codegen/names.h"

namespace kingpost::codegen {

namespace {

using nlohmann::json;
using schema::Lowered;
using schema::Package;

const Package* FindPackage(const std::string& name, const Packages& packages) {
  const auto found = packages.find(name);
  return found == packages.end() ? nullptr : found->second.get();
}

std::string WithUnderscores(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// The parts that are not empty.
std::vector<std::string> Split(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find_first_of(separators, begin);
    if (begin < std::min(end, text.size())) parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

// "s3/bucket" of "aws:s3/bucket:Bucket" is "s3": where no schema says so, a last part that repeats the name.
std::string GuessedModule(const schema::TokenParts& parts) {
  const size_t slash = parts.module.rfind('/');
  const bool repeats = slash != std::string::npos && Lowered(parts.module.substr(slash + 1)) == Lowered(parts.name);
  const std::string module = repeats ? parts.module.substr(0, slash) : parts.module;
  return module == "index" ? "" : module;
}

// "pulumi:pulumi:StackReference", "pulumi:index:Stash": what the engine itself provides.
bool IsCore(const schema::TokenParts& parts) { return parts.package == "pulumi" && parts.module != "providers"; }

struct SdkLanguage {
  const char *name, *module_names;  // of its part of the schema, and of the modules' names in it
  std::string (*import_of)(const std::string& name_space, const std::string& name);  // where the schema has none
  const char* levels;  // what separates the parts of a module
  std::string (*spelled)(const std::string& part);
};

SdkName SdkOf(const std::string& token, const Packages& packages, const SdkLanguage& language) {
  const auto parts = schema::SplitToken(token);
  if (!parts) return {"", {}, "Resource"};
  if (IsCore(*parts)) return {"", {}, UpperFirst(parts->name)};
  const std::string name = PackageOf(token);
  const Package* package = FindPackage(name, packages);
  const json info = package ? package->LanguageOptions(language.name) : json::object();
  SdkName sdk{TextOf(info, "packageName"), {}, IsProviderType(token) ? "Provider" : UpperFirst(parts->name)};
  const bool has_space = package && !package->name_space.empty();
  if (sdk.import.empty()) sdk.import = language.import_of(has_space ? package->name_space : "pulumi", name);
  if (IsProviderType(token)) return sdk;
  const std::string module = package ? package->ModuleOf(token) : GuessedModule(*parts);
  const std::string renamed = TextOf(ObjectOf(info, language.module_names), module.c_str());
  for (const std::string& part : Split(Lowered(renamed.empty() ? module : renamed), language.levels)) {
    sdk.modules.push_back(language.spelled(part));
  }
  return sdk;
}

}  // namespace

const schema::Resource* FindSchema(const std::string& token, const Packages& packages) {
  const Package* package = FindPackage(PackageOf(token), packages);
  return package ? package->FindResource(token) : nullptr;
}

SdkName PythonSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return WithUnderscores(name_space + "_" + name);
  };
  const auto spelled = [](const std::string& part) { return PythonName(part); };
  return SdkOf(token, packages, {"python", "moduleNameOverrides", import_of, "/", spelled});
}

SdkName NodeSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return "@" + name_space + "/" + name;
  };
  const auto spelled = [](const std::string& part) { return WithUnderscores(part); };
  return SdkOf(token, packages, {"nodejs", "moduleToPackage", import_of, "/.", spelled});
}

// A package whose resources are called by both forms means different ones.
std::string ShortToken(const std::string& token, const Packages& packages) {
  const auto parts = schema::SplitToken(token);
  if (!parts || parts->package == "pulumi") return token;
  const size_t slash = parts->module.rfind('/');
  const std::string last = slash == std::string::npos ? "" : parts->module.substr(slash + 1);
  if (!last.empty() && UpperFirst(last) != parts->name) return token;
  const std::string module = parts->module.substr(0, slash);
  const std::string brief = parts->package + ":" + (module == "index" ? "" : module + ":") + parts->name;
  const schema::Resource* found = FindSchema(brief, packages);
  return found && found->token != token ? token : brief;
}

}  // namespace kingpost::codegen
