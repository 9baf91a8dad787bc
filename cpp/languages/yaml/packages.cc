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

class TokenCollector {
 public:
  void Add(const pcl::ExpressionPtr& expression) {
    if (!expression) return;
    const auto* call = expression->as<pcl::Call>();
    const std::string* token = call && call->function == "invoke" ? LiteralText(call->arguments[0]) : nullptr;
    if (token) {
      TokenUse use{*token, "", "", expression->at, true};
      if (call->arguments.size() > 2) ReadOptions(*call->arguments[2], &use);
      uses_.push_back(std::move(use));
    }
    for (const pcl::ExpressionPtr& part : pcl::PartsOf(*expression)) Add(part);
  }
  void Add(const std::vector<NamedExpression>& list) {
    for (const NamedExpression& each : list) Add(each.value);
  }
  void Add(const ResourceDecl& resource) {
    const ResourceOptions& o = resource.options;
    uses_.push_back(UseOf(resource));
    Add(resource.properties);
    Add(resource.all_properties);
    Add(resource.get_id);
    Add(resource.get_state);
    for (const auto& option : {o.depends_on, o.protect, o.providers, o.replacement_trigger, o.env_var_mappings}) {
      Add(option);
    }
  }
  std::vector<TokenUse> Take() { return std::move(uses_); }

 private:
  static void ReadOptions(const pcl::Expression& options, TokenUse* use) {
    const auto* object = options.as<pcl::ObjectLiteral>();
    if (!object) return;
    for (const auto& item : object->items) {
      const std::string *name = LiteralText(item.key), *value = LiteralText(item.value);
      if (name && value && *name == "version") use->version = *value;
      if (name && value && *name == "pluginDownloadUrl") use->download_url = *value;
    }
  }

  std::vector<TokenUse> uses_;
};

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
    if (!version || version->number != 1) continue;
    PackageDecl decl;
    if (Status read = ReadDecl(*node, file, &decl); !read.ok()) return read;
    decls.push_back(std::move(decl));
  }
  return decls;
}

TokenUse UseOf(const ResourceDecl& resource) {
  const ResourceOptions& o = resource.options;
  return {resource.type.value, o.version ? o.version->value : "",
          o.plugin_download_url ? o.plugin_download_url->value : "", resource.type.at};
}

std::vector<TokenUse> TokensIn(const Body& body) {
  TokenCollector collector;
  for (const ResourceDecl& resource : body.resources) collector.Add(resource);
  collector.Add(body.variables);
  collector.Add(body.outputs);
  return collector.Take();
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
    if (packages.size() == before)
      packages.push_back({package, "resource", use.version, use.download_url, {}, std::nullopt});
  }
  return packages;
}

}  // namespace kingpost::yaml
