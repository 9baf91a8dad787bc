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

// "s3/bucket" of "aws:s3/bucket:Bucket" is "s3": where no schema says so, a last part that repeats the name.
std::string GuessedModule(const schema::TokenParts& parts) {
  const size_t slash = parts.module.rfind('/');
  const bool repeats = slash != std::string::npos && Lowered(parts.module.substr(slash + 1)) == Lowered(parts.name);
  const std::string module = repeats ? parts.module.substr(0, slash) : parts.module;
  return module == "index" ? "" : module;
}

std::string ModuleOf(const schema::TokenParts& parts, const Package* package) {
  if (!package) return GuessedModule(parts);
  return package->ModuleOf(parts.package + ":" + parts.module + ":" + parts.name);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

std::string NamespaceOf(const Package* package) {
  return package && !package->name_space.empty() ? package->name_space : "pulumi";
}

// "ClassName", "networking.k8s.io" -> "networking.k8s.io": dots are levels, too.
std::vector<std::string> NodeModules(const std::string& module) {
  std::vector<std::string> modules;
  for (const std::string& segment : Split(module, '/')) {
    for (const std::string& part : Split(segment, '.')) modules.push_back(WithUnderscores(part));
  }
  return modules;
}

// "pulumi:pulumi:StackReference", "pulumi:index:Stash": what the engine itself provides.
bool IsCore(const schema::TokenParts& parts) { return parts.package == "pulumi" && parts.module != "providers"; }

struct SdkLanguage {
  const char *name, *module_names;  // of its part of the schema, and of the modules' names in it
  std::string (*import_of)(const std::string& name_space, const std::string& name);  // where the schema has none
  std::vector<std::string> (*modules_of)(const std::string& module);
};

SdkName SdkOf(const std::string& token, const Packages& packages, const SdkLanguage& language) {
  const auto parts = schema::SplitToken(token);
  if (!parts) return {"", {}, "Resource"};
  if (IsCore(*parts)) return {"", {}, UpperFirst(parts->name)};
  const std::string name = PackageOf(token);
  const Package* package = FindPackage(name, packages);
  const json info = package ? package->LanguageOptions(language.name) : json::object();
  SdkName sdk{TextOf(info, "packageName"), {}, IsProviderType(token) ? "Provider" : UpperFirst(parts->name)};
  if (sdk.import.empty()) sdk.import = language.import_of(NamespaceOf(package), name);
  if (IsProviderType(token)) return sdk;
  const std::string module = ModuleOf(*parts, package);
  const std::string spelled = TextOf(ObjectOf(info, language.module_names), module.c_str());
  sdk.modules = language.modules_of(Lowered(spelled.empty() ? module : spelled));
  return sdk;
}

}  // namespace

SdkName PythonSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return WithUnderscores(name_space) + "_" + WithUnderscores(name);
  };
  const auto modules_of = [](const std::string& module) {
    std::vector<std::string> modules = Split(module, '/');
    for (std::string& part : modules) part = PythonName(part);
    return modules;
  };
  return SdkOf(token, packages, {"python", "moduleNameOverrides", import_of, modules_of});
}

SdkName NodeSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return "@" + name_space + "/" + name;
  };
  return SdkOf(token, packages, {"nodejs", "moduleToPackage", import_of, NodeModules});
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
  const Package* package = FindPackage(parts->package, packages);
  const schema::Resource* found = package ? package->FindResource(brief) : nullptr;
  return found && found->token != token ? token : brief;
}

}  // namespace kingpost::codegen
