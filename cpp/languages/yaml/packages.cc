// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/packages.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/encoding.h"
#include "base/os.h"
#include "languages/schema/token.h"
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/order.h"

namespace kingpost::yaml {

namespace {

namespace fs = std::filesystem;

std::string TextIn(const Node& node, const std::string& key) {
  const Node* found = FindField(node, key);
  return found && found->is_text() ? found->text : "";
}

Status Invalid(const std::string& file, const std::string& why) {
  return Status(Code::kInvalidArgument, "validating " + file + ": " + why);
}

Result<Parameterization> ReadParameter(const Node& node, const std::string& file, const std::string& what) {
  Parameterization parameter;
  parameter.name = TextIn(node, "name");
  parameter.version = TextIn(node, "version");
  const auto value = Base64Decode(TextIn(node, "value"));
  if (parameter.name.empty() || parameter.version.empty()) {
    return Invalid(file, what + " name and version are required");
  }
  if (!value) {
    return Status(Code::kInvalidArgument, "decoding parameterization value for package " + parameter.name + ": " +
                                              file + " holds no base64 there");
  }
  parameter.value = *value;
  return parameter;
}

Status ReadDecl(const Node& node, const std::string& file, PackageDecl* decl) {
  decl->name = TextIn(node, "name");
  decl->version = TextIn(node, "version");
  decl->download_url = TextIn(node, "downloadUrl");
  if (decl->name.empty()) return Invalid(file, "package name is required");
  const std::pair<const char*, std::optional<Parameterization>*> parameters[] = {
      {"parameterization", &decl->parameterization}, {"extension", &decl->extension}};
  for (const auto& [field, target] : parameters) {
    const Node* found = FindField(node, field);
    if (!found || !found->is_object()) continue;
    auto read = ReadParameter(*found, file, field);
    if (!read.ok()) return read.status();
    *target = std::move(*read);
  }
  const bool both = decl->parameterization && decl->extension;
  return both ? Invalid(file, "package cannot declare both parameterization and extension") : Status();
}

// Folders that hold what others wrote.
bool IsForeign(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "node_modules";
}

// The functions that an expression calls.
void CollectTokens(const pcl::Expression& expression, std::vector<TokenUse>* uses) {
  Walk(expression, [uses](const pcl::Expression& part) {
    const std::string* token = pcl::InvokedToken(part);
    if (!token) return;
    const auto& arguments = part.as<pcl::Call>()->arguments;
    const auto* options = arguments.size() > 2 ? arguments[2]->as<pcl::ObjectLiteral>() : nullptr;
    TokenUse use{*token, "", "", part.at, true};
    for (const auto& item : options ? options->items : std::vector<pcl::ObjectLiteral::Item>()) {
      const std::string *name = LiteralText(item.key), *value = LiteralText(item.value);
      if (name && value && *name == "version") use.version = *value;
      if (name && value && *name == "pluginDownloadUrl") use.download_url = *value;
    }
    uses->push_back(std::move(use));
  });
}

}  // namespace

Result<std::vector<PackageDecl>> FindPackageDecls(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error) && IsForeign(at->path())) at.disable_recursion_pending();
    if (at->path().extension() == ".yaml" && at->is_regular_file(error)) files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<PackageDecl> decls;
  for (const std::string& file : files) {
    auto text = ReadWholeFile(file);
    if (!text.ok() || text->find("packageDeclarationVersion") == std::string::npos) continue;
    const auto node = ReadNode({file, std::move(*text)});
    const Node* version = node.ok() ? FindField(*node, "packageDeclarationVersion") : nullptr;
    if (!version || !DeepEqual(version->value, Value(1.0))) continue;
    PackageDecl decl;
    if (Status read = ReadDecl(*node, file, &decl); !read.ok()) return read;
    decls.push_back(std::move(decl));
  }
  return decls;
}

TokenUse UseOf(const ResourceDecl& resource) {
  return {resource.type.value, resource.OptionText("version"), resource.OptionText("pluginDownloadURL"),
          resource.type.at};
}

std::vector<TokenUse> TokensIn(const Body& body) {
  std::vector<TokenUse> uses;
  for (const ResourceDecl& resource : body.resources) {
    uses.push_back(UseOf(resource));
    for (const pcl::ExpressionPtr& expression : ExpressionsOf(resource)) CollectTokens(*expression, &uses);
  }
  for (const auto* list : {&body.variables, &body.outputs}) {
    for (const NamedExpression& each : *list) CollectTokens(*each.value, &uses);
  }
  return uses;
}

std::vector<RequiredPackage> RequiredPackagesOf(const ProgramDecl& program, const std::vector<PackageDecl>& decls) {
  std::vector<TokenUse> uses = TokensIn(program.body);
  for (const ComponentDecl& component : program.components) {
    for (TokenUse& use : TokensIn(component.body)) uses.push_back(std::move(use));
  }
  std::set<std::string> seen = {"pulumi"};
  std::vector<RequiredPackage> packages;
  for (const TokenUse& use : uses) {
    const std::string package = schema::PackageOf(use.token);
    if (package.empty() || !seen.insert(package).second) continue;
    const size_t before = packages.size();
    for (const PackageDecl& decl : decls) {
      if (!decl.Serves(package)) continue;
      packages.push_back({decl.name, "resource", decl.version, decl.download_url, {}, decl.parameterization});
    }
    if (packages.size() == before) {
      packages.push_back({package, "resource", use.version, use.download_url, {}, std::nullopt});
    }
  }
  return packages;
}

}  // namespace kingpost::yaml
