// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/text.h"

namespace kingpost::codegen {

namespace {

using nlohmann::json;
using schema::Package;

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsUpper(c) || IsLower(c) || IsDigit(c) || c == '_'; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// Names that SDKs were published with before a plural of an acronym counted as one word.
bool HasOldName(std::string_view name) {
  return name == "openXJsonSerDe" || name == "GetPublicIPs" || name == "GetUptimeCheckIPs";
}

// Only what is legal in every language; nothing if no letter and no digit is left.
std::string Sanitize(const std::string& wish) {
  std::string text;
  for (const char c : wish) {
    // One for a run of others, the bytes of a character among them.
    if (IsWord(c) || text.empty() || text.back() != '_') text += IsWord(c) ? c : '_';
  }
  text.erase(text.find_last_not_of('_') + 1);
  return !text.empty() && IsDigit(text[0]) ? "_" + text : text;
}

std::string TypeNameOf(const Resource& resource) {
  const auto parts = schema::SplitToken(resource.token);
  return parts ? UpperFirst(parts->name) : "Resource";
}

const Package* FindPackage(const std::string& name, const Packages& packages) {
  const auto found = packages.find(name);
  return found == packages.end() ? nullptr : found->second.get();
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
  const char* level;  // what separates the parts of a module, beside "/"
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
  const std::string path = Lowered(renamed.empty() ? module : renamed);
  for (const std::string& part : Split(Replaced(path, language.level, "/"), '/')) {
    if (!part.empty()) sdk.modules.push_back(language.spelled(part));
  }
  return sdk;
}

}  // namespace

bool IsIdentifier(std::string_view text) {
  return !text.empty() && !IsDigit(text[0]) && std::all_of(text.begin(), text.end(), IsWord);
}

// Words begin at capitals. A run of capitals is one word, but its last letter begins the next one when a small letter
// follows. Digits, and an "s" as in "IPs", belong to the run.
std::string SnakeCase(std::string_view name) {
  enum { kFirst, kUpper, kAcronym, kLower } state = kFirst;
  const bool old = HasOldName(name);
  std::string text;
  for (const char original : name) {
    const char c = IsWord(original) ? original : '_';
    if (state == kFirst) {
      if (IsDigit(c)) text += '_';
      state = IsUpper(c) ? kUpper : kLower;
    } else if (state == kLower && IsUpper(c)) {
      text += '_';
      state = kUpper;
    } else if (IsUpper(c)) {
      state = kAcronym;
    } else {
      const bool ends_acronym = state == kAcronym && !IsDigit(c) && (c != 's' || old);
      if (ends_acronym) text.insert(text.size() - 1, "_");
      state = kLower;
    }
    text += Lower(c);
  }
  return text;
}

bool IsPythonKeyword(const std::string& name) {
  static const std::set<std::string> kWords = {
      "False",    "None",  "True",   "and",  "as",    "assert", "async",    "await",   "break", "class",
      "continue", "def",   "del",    "elif", "else",  "except", "exec",     "finally", "for",   "from",
      "global",   "if",    "import", "in",   "is",    "lambda", "nonlocal", "not",     "or",    "pass",
      "print",    "raise", "return", "try",  "while", "with",   "yield"};
  return kWords.count(name) > 0;
}

bool IsTypeScriptReserved(const std::string& name) {
  static const std::set<std::string> kWords = {
      "break",     "case",       "catch",   "class",     "const",   "continue", "debugger", "default", "delete",
      "do",        "else",       "export",  "extends",   "finally", "for",      "function", "if",      "import",
      "in",        "instanceof", "new",     "return",    "super",   "switch",   "this",     "throw",   "try",
      "typeof",    "var",        "void",    "while",     "with",    "yield",    "enum",     "await",   "implements",
      "interface", "package",    "private", "protected", "public",  "null",     "true",     "false"};
  return kWords.count(name) > 0;
}

bool IsTypeScriptKeyword(const std::string& name) {
  static const std::set<std::string> kWords = {"let",       "static",     "arguments", "eval",       "async",
                                               "undefined", "NaN",        "Infinity",  "exports",    "require",
                                               "module",    "__filename", "__dirname", "globalThis", "process",
                                               "console",   "Object",     "Promise",   "Symbol"};
  return IsTypeScriptReserved(name) || kWords.count(name) > 0;
}

std::string PythonName(std::string_view name) {
  std::string spelled = SnakeCase(name);
  if (IsPythonKeyword(spelled)) spelled += '_';
  return spelled;
}

std::string PythonParameter(std::string_view name) {
  const std::string spelled = PythonName(name);
  return spelled == "resource_name" || spelled == "opts" ? spelled + "_" : spelled;
}

// Functions are named as classes are, with a capital, before they are spelled: the old names are told apart by it.
std::string PythonFunctionName(const std::string& token) { return PythonName(UpperFirst(schema::NameOfToken(token))); }

std::string UpperFirst(std::string name) {
  if (!name.empty()) name[0] = Upper(name[0]);
  return name;
}

std::string CamelCase(std::string_view words) {
  std::string text;
  bool begins = false;
  for (const char c : words) {
    const bool inside = IsWord(c) && c != '_';
    if (inside) text += begins ? Upper(c) : c;
    begins = !inside && !text.empty();
  }
  if (!text.empty()) text[0] = Lower(text[0]);
  return text;
}

const schema::Resource* FindSchema(const std::string& token, const Packages& packages) {
  const Package* package = FindPackage(PackageOf(token), packages);
  return package ? package->FindResource(token) : nullptr;
}

SdkName PythonSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return Replaced(name_space + "_" + name, "-", "_");
  };
  const auto spelled = [](const std::string& part) { return PythonName(part); };
  return SdkOf(token, packages, {"python", "moduleNameOverrides", import_of, "/", spelled});
}

SdkName NodeSdk(const std::string& token, const Packages& packages) {
  const auto import_of = [](const std::string& name_space, const std::string& name) {
    return "@" + name_space + "/" + name;
  };
  const auto spelled = [](const std::string& part) { return Replaced(part, "-", "_"); };
  return SdkOf(token, packages, {"nodejs", "moduleToPackage", import_of, ".", spelled});
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

std::string Identifiers::Spell(const std::string& wish) const {
  const std::string clean = Sanitize(wish);
  return style_ == Style::kAsIs ? clean : SnakeCase(clean);
}

std::string Identifiers::Take(const std::string& wish, const std::string& suffix) {
  const auto free = [this](const std::string& name) {
    return !name.empty() && !reserved_(name) && taken_.count(name) == 0;
  };
  std::string name = Spell(wish);
  if (!free(name)) {
    const std::string more = Spell(suffix);
    name = name.empty() ? more : name + (style_ == Style::kSnake ? "_" + more : UpperFirst(more));
  }
  const std::string base = name.empty() ? "resource" : name;
  for (int counter = 2; !free(name); ++counter) name = base + std::to_string(counter);
  taken_.insert(name);
  return name;
}

std::string Identifiers::Keep(const std::string& wish) {
  if (!IsIdentifier(wish) || reserved_(wish)) return Take(wish, "resource");
  taken_.insert(wish);
  return wish;
}

Variables NameAll(const Program& program, Identifiers identifiers) {
  Variables variables;
  for (const UndeclaredResource& outsider : program.undeclared_resources) {
    variables.resources[outsider.key] = identifiers.Keep(outsider.variable);
  }
  for (const Resource& resource : program.resources) {
    variables.resources[resource.key] = identifiers.Take(resource.variable, TypeNameOf(resource));
  }
  for (const Setting& setting : program.settings) {
    variables.settings[setting.name] = identifiers.Take(setting.name, "setting");
  }
  for (const NamedExpression& variable : program.variables) {
    variables.variables[variable.name] = identifiers.Take(variable.name, "variable");
  }
  return variables;
}

}  // namespace kingpost::codegen
