// SPDX-License-Identifier: Apache-2.0
#include "workspace/poetry_project.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/disk/durable_file.h"
#include "base/os.h"
#include "base/trim.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kBareKey[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string Key(const std::string& name) {
  return name.find_first_not_of(kBareKey) == std::string::npos ? name : Quoted(name);
}

// The line up to its comment: "#" at its begin, or behind a blank, as pip reads it.
std::string WithoutComment(const std::string& line) {
  for (size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

// The package of a folder or a wheel: its file's name says it.
std::string PackageAt(const fs::path& path, bool is_folder) {
  std::string name = path.filename().string();
  if (!is_folder) return name.substr(0, name.find('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

using Packages = std::map<std::string, std::string>;  // name to what TOML says of it

// False if the line names no folder and no wheel that is there.
bool AddLocal(const std::string& line, const std::string& folder, Packages* packages) {
  std::error_code error;
  const fs::path path = (fs::path(folder) / line).lexically_normal();
  const bool is_folder = fs::is_directory(path, error);
  if (!is_folder && (path.extension() != ".whl" || !fs::exists(path, error))) return false;
  const fs::path named = path.has_filename() ? path : path.parent_path();
  (*packages)[PackageAt(named, is_folder)] = "{path = " + Quoted(named.lexically_relative(folder).string()) + "}";
  return true;
}

// "requests[socks] >=2,<3; python_version < '4'" has a name, extras, versions and markers. False for anything else.
bool AddPublished(const std::string& line, Packages* packages) {
  const size_t semicolon = line.find(';');
  const std::string markers = semicolon == std::string::npos ? "" : Trimmed(line.substr(semicolon + 1));
  const std::string wanted = Trimmed(line.substr(0, semicolon));
  const size_t compared = std::min(wanted.find_first_of("<>=!~"), wanted.size());
  std::string name = Trimmed(wanted.substr(0, compared)), versions = wanted.substr(compared), extras;
  if (const size_t bracket = name.find('['); bracket != std::string::npos && name.back() == ']') {
    std::istringstream listed(name.substr(bracket + 1, name.size() - bracket - 2));
    for (std::string one; std::getline(listed, one, ',');)
      extras += (extras.empty() ? "" : ", ") + Quoted(Trimmed(one));
    name = Trimmed(name.substr(0, bracket));
  }
  const std::string allowed = std::string(kBareKey) + ".";
  if (name.empty() || name.front() == '-' || name.find_first_not_of(allowed) != std::string::npos) return false;
  const bool exact = versions.rfind("==", 0) == 0 && versions.rfind("===", 0) != 0;
  versions = versions.empty() ? "*" : Trimmed(exact ? versions.substr(2) : versions);
  std::string said = Quoted(versions);
  if (!extras.empty() || !markers.empty()) {
    said = "{version = " + said + (extras.empty() ? "" : ", extras = [" + extras + "]") +
           (markers.empty() ? "" : ", markers = " + Quoted(markers)) + "}";
  }
  (*packages)[name] = said;
  return true;
}

}  // namespace

Result<std::string> PoetryProject(const std::string& name, const std::string& requirements, const std::string& folder) {
  Packages packages = {{"python", Quoted("^3.10")}};
  std::istringstream lines(requirements);
  for (std::string line; std::getline(lines, line);) {
    const std::string wanted = Trimmed(WithoutComment(line));
    if (wanted.empty() || AddLocal(wanted, folder, &packages) || AddPublished(wanted, &packages)) continue;
    return Status(
        Code::kInvalidArgument,
        "'" + wanted + "' cannot be put into a pyproject.toml for poetry; write one, " + "and remove requirements.txt");
  }
  std::string text = name.empty() ? "" : "[project]\nname = " + Quoted(name) + "\n\n";
  text += "[build-system]\nrequires = [\"poetry-core\"]\nbuild-backend = \"poetry.core.masonry.api\"\n\n";
  text += "[tool.poetry]\npackage-mode = false\n\n[tool.poetry.dependencies]\n";
  for (const auto& [package, said] : packages) text += Key(package) + " = " + said + "\n";
  return text;
}

Status WritePoetryProject(const std::string& name, const std::string& folder) {
  const fs::path listed = fs::path(folder) / "requirements.txt";
  std::error_code error;
  const bool has_list = fs::exists(listed, error);
  const Result<std::string> requirements =
      has_list ? ReadWholeFile(listed.string()) : Result<std::string>(std::string());
  if (!requirements.ok()) return requirements.status();
  const Result<std::string> text = PoetryProject(name, *requirements, folder);
  if (!text.ok()) return text.status().Wrap(listed.string());
  const Status written = WriteFileDurably((fs::path(folder) / "pyproject.toml").string(), *text);
  if (!written.ok() || !has_list) return written;
  if (fs::remove(listed, error); error) return FileError(listed.string(), "remove", error.value());
  return Status::Ok();
}

}  // namespace kingpost
