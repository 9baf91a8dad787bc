// SPDX-License-Identifier: Apache-2.0
// The files of an SDK for pip.
#include <algorithm>
#include <cctype>

#include "base/encoding.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

constexpr char kPythonMin[] = ">=3.9";
constexpr char kSdkRange[] = ">=3.269.0,<4.0.0";  // from which on it can look for what exists

bool IsDigits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "alpha" and "1" of "alpha1"
std::pair<std::string, std::string> Divided(const std::string& text) {
  const size_t begin = std::min(text.find_first_of("0123456789"), text.size());
  return {text.substr(0, begin), text.substr(begin)};
}

std::string PypiWord(const std::string& word) {
  if (word == "alpha" || word == "a") return "a";
  if (word == "beta" || word == "b") return "b";
  return word == "rc" ? "rc" : "";
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string TextList(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(Quote(text));
  return "[" + Joined(quoted, ", ") + "]";
}

}  // namespace

// A part that PyPI has no form for goes behind a "+".
std::string PypiVersionOf(const std::string& version) {
  const size_t plus = version.find('+');
  const std::string build = plus == std::string::npos ? "" : version.substr(plus + 1);
  const std::string whole = version.substr(0, plus);
  const size_t dash = whole.find('-');
  std::vector<std::string> parts =
      dash == std::string::npos ? std::vector<std::string>() : Split(whole.substr(dash + 1), '.');
  for (size_t i = 0; i + 1 < parts.size(); ++i) {  // "alpha.1" is "alpha1"
    const bool known = !PypiWord(parts[i]).empty() || parts[i] == "dev" || parts[i] == "post";
    if (!known || !IsDigits(parts[i + 1])) continue;
    parts[i] += parts[i + 1];
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  std::string text = whole.substr(0, dash);
  size_t next = 0;
  const auto take = [&](const std::string& spelled) {
    text += spelled + Divided(parts[next]).second;
    ++next;
  };
  const auto is = [&](const std::string& word) {
    return next < parts.size() && Divided(parts[next]).first == word && IsDigits(Divided(parts[next]).second);
  };
  if (next < parts.size() && IsDigits(Divided(parts[next]).second)) {
    if (const std::string word = PypiWord(Divided(parts[next]).first); !word.empty()) take(word);
  }
  if (is("dev")) take(".dev");
  if (is("post")) take(".post");
  std::vector<std::string> local(parts.begin() + static_cast<ptrdiff_t>(next), parts.end());
  if (!build.empty()) local.push_back(build);
  return local.empty() ? text : text + "+" + Replaced(Joined(local, "."), "-", ".");
}

std::string PythonGenerator::PypiVersion() const {
  const bool versioned = !package_.version.empty() && (python_.respect_version || package_.support_pack);
  return versioned ? PypiVersionOf(package_.version) : "0.0.0";
}

std::vector<std::string> PythonGenerator::Requirements() const {
  std::map<std::string, std::string> needed = {{"packaging", ">=24.0"}, {"semver", ">=2.8.1"}, {"pulumi", kSdkRange}};
  for (const schema::Dependency& dependency : package_.dependencies) {
    std::string name_space = "pulumi";
    for (const auto& other : package_.referenced) {
      if (other->name == dependency.name && !other->name_space.empty())
        name_space = Replaced(other->name_space, "-", "_");
    }
    needed[name_space + "_" + dependency.name] = dependency.version.empty() ? "" : ">=" + dependency.version;
  }
  for (const auto& [name, range] : python_.requires_) needed[name] = range;
  if (python_.typed_dicts()) needed["typing-extensions"] = ">=4.11,<5; python_version < \"3.11\"";
  std::vector<std::string> lines;
  for (const auto& [name, range] : needed) lines.push_back(name + range);
  return lines;
}

std::string PythonGenerator::SetupFile() const {
  std::string text =
      std::string("# coding=utf-8\n# ") + kGeneratedBy + "\n# " + kDoNotEdit +
      "\n\nfrom setuptools import setup, find_packages\n\n\nVERSION = " + Quote(PypiVersion()) +
      "\n\n\ndef readme():\n    try:\n        with open('" + sdk_name_ +
      "/README.md', encoding='utf-8') as f:\n            return f.read()\n    except FileNotFoundError:\n"
      "        return " +
      Quote(package_.name + " Pulumi Package") + "\n\n\nsetup(name='" + sdk_name_ + "',\n";
  const std::string python = python_.python_requires.empty() ? kPythonMin : python_.python_requires;
  std::vector<std::string> arguments = {"python_requires='" + python + "'", "version=VERSION"};
  if (!package_.description.empty()) arguments.push_back("description=" + Quote(FirstLine(package_.description)));
  arguments.push_back("long_description=readme()");
  arguments.push_back("long_description_content_type='text/markdown'");
  if (!package_.keywords.empty()) arguments.push_back("keywords=" + Quote(Joined(package_.keywords, " ")));
  if (!package_.homepage.empty()) arguments.push_back("url=" + Quote(package_.homepage));
  if (!package_.repository.empty())
    arguments.push_back("project_urls={'Repository': " + Quote(package_.repository) + "}");
  if (!package_.license.empty()) arguments.push_back("license=" + Quote(package_.license));
  arguments.push_back("packages=find_packages()");
  arguments.push_back("package_data={'" + sdk_name_ + "': ['py.typed', 'pulumi-plugin.json']}");
  arguments.push_back("install_requires=" + TextList(Requirements()));
  arguments.push_back("zip_safe=False)");
  return text + "      " + Joined(arguments, ",\n      ") + "\n";
}

std::string PythonGenerator::ProjectFile() const {
  std::string text = "[project]\nname = " + Quote(sdk_name_) + "\n";
  if (!package_.description.empty()) text += "description = " + Quote(FirstLine(package_.description)) + "\n";
  text += "dependencies = " + TextList(Requirements()) + "\n";
  if (!package_.keywords.empty()) text += "keywords = " + TextList(package_.keywords) + "\n";
  text += "readme = \"README.md\"\nrequires-python = " +
          Quote(python_.python_requires.empty() ? kPythonMin : python_.python_requires) + "\n";
  text += "version = " + Quote(PypiVersion()) + "\n";
  if (!package_.license.empty()) text += "[project.license]\ntext = " + Quote(package_.license) + "\n";
  if (!package_.homepage.empty() || !package_.repository.empty()) text += "[project.urls]\n";
  if (!package_.homepage.empty()) text += "Homepage = " + Quote(package_.homepage) + "\n";
  if (!package_.repository.empty()) text += "Repository = " + Quote(package_.repository) + "\n";
  text += "\n[build-system]\nrequires = [\"setuptools>=61.0\"]\nbuild-backend = \"setuptools.build_meta\"\n";
  return text + "\n[tool.setuptools.package-data]\n" + sdk_name_ + " = [\"py.typed\", \"pulumi-plugin.json\"]\n";
}

std::string PythonGenerator::UtilitiesFile() const {
  std::string text = std::string("# coding=utf-8\n# ") + kGeneratedBy + "\n# " + kDoNotEdit + "\n" + kPythonUtilities;
  text += "\n\ndef get_plugin_download_url():\n    return " +
          (package_.download_url.empty() ? "None" : Quote(package_.download_url)) + "\n";
  text += "\n\ndef get_version():\n    return " +
          (package_.support_pack ? Quote(package_.version) : std::string("_version_str")) + "\n";
  if (!package_.base) return text;
  const schema::BasePlugin& base = *package_.base;
  return text +
         "\n\nasync def get_package() -> str:\n    return await pulumi.runtime.register_package(\n"
         "        base_provider_name=" +
         Quote(base.name) + ",\n        base_provider_version=" + Quote(base.version) +
         ",\n        base_provider_download_url=get_plugin_download_url() or \"\",\n        package_name=" +
         Quote(package_.name) +
         ",\n        package_version=get_version(),\n        base64_parameter=" + Quote(base.parameter) +
         (base.extension ? ",\n        extension=True" : "") + ",\n    )\n";
}

}  // namespace kingpost::sdkgen
