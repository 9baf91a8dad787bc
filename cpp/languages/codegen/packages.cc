// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/packages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/codegen/names.h"

namespace kingpost::codegen {

namespace {

using nlohmann::json;

const Package* FindPackage(const std::string& name, const Packages& packages) {
  const auto found = packages.find(name);
  return found == packages.end() ? nullptr : &found->second;
}

std::string Lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::string WithUnderscores(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// "s3/bucket" of "aws:s3/bucket:Bucket" is "s3": where no schema says so, a last part that repeats the name.
std::string GuessedModule(const pcl::TokenParts& parts) {
  const size_t slash = parts.module.rfind('/');
  const bool repeats = slash != std::string::npos && Lowered(parts.module.substr(slash + 1)) == Lowered(parts.name);
  const std::string module = repeats ? parts.module.substr(0, slash) : parts.module;
  return module == "index" ? "" : module;
}

std::string ModuleOf(const pcl::TokenParts& parts, const Package* package) {
  return package ? package->schema->ModuleOf(parts) : GuessedModule(parts);
}

json LanguageInfo(const Package* package, const char* language) {
  if (!package) return json::object();
  return kingpost::ObjectOf(kingpost::ObjectOf(*package->document, "language"), language);
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
  const std::string name = package ? TextOf(*package->document, "namespace") : "";
  return name.empty() ? "pulumi" : name;
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
bool IsCore(const pcl::TokenParts& parts) { return parts.package == "pulumi" && parts.module != "providers"; }

}  // namespace

Result<Package> Package::Parse(const std::string& name, const std::string& text) {
  const auto schema = pcl::PackageSchema::Parse(name, text);
  if (!schema.ok()) return schema.status();
  return Package{*schema, std::make_shared<const json>(ParseJson(text))};
}

std::string PackageOf(const std::string& token) {
  const auto parts = pcl::SplitToken(token);
  return parts ? pcl::PackageOfToken(*parts) : "";
}

SdkName PythonSdk(const std::string& token, const Packages& packages) {
  const auto parts = pcl::SplitToken(token);
  if (!parts) return {"", {}, "Resource"};
  if (IsCore(*parts)) return {"", {}, UpperFirst(parts->name)};
  const std::string name = pcl::PackageOfToken(*parts);
  const Package* package = FindPackage(name, packages);
  const json info = LanguageInfo(package, "python");
  SdkName sdk;
  sdk.import = TextOf(info, "packageName");
  if (sdk.import.empty()) sdk.import = WithUnderscores(NamespaceOf(package)) + "_" + WithUnderscores(name);
  sdk.type = IsProviderType(token) ? "Provider" : UpperFirst(parts->name);
  if (IsProviderType(token)) return sdk;
  const std::string module = ModuleOf(*parts, package);
  const std::string spelled = TextOf(kingpost::ObjectOf(info, "moduleNameOverrides"), module.c_str());
  for (const std::string& part : Split(Lowered(spelled.empty() ? module : spelled), '/')) {
    sdk.modules.push_back(PythonName(part));
  }
  return sdk;
}

SdkName NodeSdk(const std::string& token, const Packages& packages) {
  const auto parts = pcl::SplitToken(token);
  if (!parts) return {"", {}, "Resource"};
  if (IsCore(*parts)) return {"", {}, UpperFirst(parts->name)};
  const std::string name = pcl::PackageOfToken(*parts);
  const Package* package = FindPackage(name, packages);
  const json info = LanguageInfo(package, "nodejs");
  SdkName sdk;
  sdk.import = TextOf(info, "packageName");
  if (sdk.import.empty()) sdk.import = "@" + NamespaceOf(package) + "/" + name;
  sdk.type = IsProviderType(token) ? "Provider" : UpperFirst(parts->name);
  if (IsProviderType(token)) return sdk;
  const std::string module = ModuleOf(*parts, package);
  const std::string spelled = TextOf(kingpost::ObjectOf(info, "moduleToPackage"), module.c_str());
  sdk.modules = NodeModules(Lowered(spelled.empty() ? module : spelled));
  return sdk;
}

// A package whose resources are called by both forms means different ones.
std::string ShortToken(const std::string& token, const Packages& packages) {
  const auto parts = pcl::SplitToken(token);
  if (!parts || parts->package == "pulumi") return token;
  const size_t slash = parts->module.rfind('/');
  const std::string last = slash == std::string::npos ? "" : parts->module.substr(slash + 1);
  if (!last.empty() && UpperFirst(last) != parts->name) return token;
  const std::string module = parts->module.substr(0, slash);
  const std::string brief = parts->package + ":" + (module == "index" ? "" : module + ":") + parts->name;
  const Package* package = FindPackage(parts->package, packages);
  const auto found = package ? package->schema->FindResource(brief) : std::nullopt;
  return found && found->token != token ? token : brief;
}

}  // namespace kingpost::codegen
