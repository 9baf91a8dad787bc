// SPDX-License-Identifier: Apache-2.0
// The files of an SDK for pip.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "languages/sdkgen/python_scope.h"

namespace kingpost::sdkgen::python {

namespace {

constexpr char kPythonMin[] = ">=3.9";
constexpr char kSdkRange[] = ">=3.269.0,<4.0.0";  // from which on it can look for what exists

bool IsDigits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "a" of "alpha" before a number
std::string PypiWord(const std::string& word) {
  if (word == "alpha" || word == "a") return "a";
  if (word == "beta" || word == "b") return "b";
  return word == "rc" ? "rc" : "";
}

// 1.0.0-alpha.1 -> 1.0.0a1. A part that PyPI has no form for goes behind a "+".
std::string PypiVersion(const std::string& version) {
  const size_t plus = version.find('+');
  const std::string build = plus == std::string::npos ? "" : version.substr(plus + 1);
  const std::string whole = version.substr(0, plus);
  const size_t dash = whole.find('-');
  std::vector<std::string> parts;
  if (dash != std::string::npos) parts = Split(whole.substr(dash + 1), '.');
  for (size_t i = 0; i + 1 < parts.size(); ++i) {  // "alpha.1" is "alpha1"
    const bool known = !PypiWord(parts[i]).empty() || parts[i] == "dev" || parts[i] == "post";
    if (!known || !IsDigits(parts[i + 1])) continue;
    parts[i] += parts[i + 1];
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  std::string text = whole.substr(0, dash);
  size_t next = 0;
  // The next part, if it is a word that `spelled` has a form for, and a number.
  const auto take = [&](const auto& spelled) {
    if (next == parts.size()) return;
    const size_t begin = std::min(parts[next].find_first_of("0123456789"), parts[next].size());
    const std::string word = spelled(parts[next].substr(0, begin)), number = parts[next].substr(begin);
    if (word.empty() || !IsDigits(number)) return;
    text += word + number;
    ++next;
  };
  take(PypiWord);
  take([](const std::string& word) { return word == "dev" ? ".dev" : ""; });
  take([](const std::string& word) { return word == "post" ? ".post" : ""; });
  std::vector<std::string> local(parts.begin() + static_cast<ptrdiff_t>(next), parts.end());
  if (!build.empty()) local.push_back(build);
  return local.empty() ? text : text + "+" + Replaced(Joined(local, "."), "-", ".");
}

std::string VersionOf(const schema::Package& package, const PythonOptions& options) {
  const std::string version = SdkVersion(package, options.respect_version);
  return Quote(version.empty() ? "0.0.0" : PypiVersion(version));
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string Requirements(const schema::Package& package, const PythonOptions& options) {
  TextMap needed = {{"packaging", ">=24.0"}, {"semver", ">=2.8.1"}, {"pulumi", kSdkRange}};
  for (const schema::Dependency& dependency : package.dependencies) {
    const std::string owner = Replaced(OwnerOf(dependency, package), "-", "_");
    needed[owner + "_" + dependency.name] = dependency.version.empty() ? "" : ">=" + dependency.version;
  }
  for (const auto& [name, range] : options.requires_) needed[name] = range;
  if (options.typed_dicts()) needed["typing-extensions"] = ">=4.11,<5; python_version < \"3.11\"";
  return "[" + Joined(needed, ", ", [](const auto& one) { return Quote(one.first + one.second); }) + "]";
}

}  // namespace

std::string PluginFile(const schema::Package& package, const PythonOptions& options) {
  return PluginMetadata(package, SdkVersion(package, options.respect_version)).dump(2) + "\n";
}

std::string SetupFile(const schema::Package& package, const PythonOptions& options) {
  const std::string& name = options.package_name;
  std::string text =
      FileHead() + "\nfrom setuptools import setup, find_packages\n\n\nVERSION = " + VersionOf(package, options) +
      "\n\n\ndef readme():\n    try:\n        with open('" + name +
      "/README.md', encoding='utf-8') as f:\n            return f.read()\n    except FileNotFoundError:\n"
      "        return " +
      Quote(package.name + " Pulumi Package") + "\n\n\nsetup(name='" + name + "'";
  const auto argument = [&text](const std::string& key, const std::string& value) {
    text += ",\n      " + key + "=" + value;
  };
  argument("python_requires", "'" + (options.python_requires.empty() ? kPythonMin : options.python_requires) + "'");
  argument("version", "VERSION");
  if (!package.description.empty()) argument("description", Quote(FirstLine(package.description)));
  argument("long_description", "readme()");
  argument("long_description_content_type", "'text/markdown'");
  if (!package.keywords.empty()) argument("keywords", Quote(Joined(package.keywords, " ")));
  if (!package.homepage.empty()) argument("url", Quote(package.homepage));
  if (!package.repository.empty()) argument("project_urls", "{'Repository': " + Quote(package.repository) + "}");
  if (!package.license.empty()) argument("license", Quote(package.license));
  argument("packages", "find_packages()");
  argument("package_data", "{'" + name + "': ['py.typed', 'pulumi-plugin.json']}");
  argument("install_requires", Requirements(package, options));
  argument("zip_safe", "False)");
  return text + "\n";
}

std::string ProjectFile(const schema::Package& package, const PythonOptions& options) {
  std::string text = "[project]\nname = " + Quote(options.package_name) + "\n";
  const auto field = [&text](const char* before, const std::string& value) {
    if (!value.empty()) text += before + Quote(value) + "\n";
  };
  if (!package.description.empty()) text += "description = " + Quote(FirstLine(package.description)) + "\n";
  text += "dependencies = " + Requirements(package, options) + "\n";
  if (!package.keywords.empty()) text += "keywords = [" + Joined(package.keywords, ", ", Quote) + "]\n";
  text += "readme = \"README.md\"\n";
  field("requires-python = ", options.python_requires.empty() ? kPythonMin : options.python_requires);
  text += "version = " + VersionOf(package, options) + "\n";
  field("[project.license]\ntext = ", package.license);
  if (!package.homepage.empty() || !package.repository.empty()) text += "[project.urls]\n";
  field("Homepage = ", package.homepage);
  field("Repository = ", package.repository);
  return text + "\n[build-system]\nrequires = [\"setuptools>=61.0\"]\nbuild-backend = \"setuptools.build_meta\"\n\n" +
         "[tool.setuptools.package-data]\n" + options.package_name + " = [\"py.typed\", \"pulumi-plugin.json\"]\n";
}

std::string UtilitiesFile(const schema::Package& package) {
  const std::string text = FileHead() + "\n" + kPythonUtilities + "\n\ndef get_plugin_download_url():\n    return " +
                           (package.download_url.empty() ? "None" : Quote(package.download_url)) +
                           "\n\n\ndef get_version():\n    return " +
                           (package.support_pack ? Quote(package.version) : "_version_str") + "\n";
  if (!package.base) return text;
  const schema::BasePlugin& base = *package.base;
  return text +
         "\n\nasync def get_package() -> str:\n    return await pulumi.runtime.register_package(\n"
         "        base_provider_name=" +
         Quote(base.name) + ",\n        base_provider_version=" + Quote(base.version) +
         ",\n        base_provider_download_url=get_plugin_download_url() or \"\",\n        package_name=" +
         Quote(package.name) +
         ",\n        package_version=get_version(),\n        base64_parameter=" + Quote(base.parameter) +
         (base.extension ? ",\n        extension=True" : "") + ",\n    )\n";
}

}  // namespace kingpost::sdkgen::python
