// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/program_dependencies.h"

#include <algorithm>
#include <sstream>

#include "processes/command_output.h"

namespace kingpost {

namespace {

// Each prints a line for each package: its name, a tab, its version. The first argument is "all" or "direct".

// Nobody's dependency, as `pip list --not-required` has it: what is needed with an extra only does not count.
constexpr char kPython[] = R"(
import importlib.metadata, re, sys
def plain(name): return re.sub("[-_.]+", "-", name).lower()
found, needed = {}, set()
for one in importlib.metadata.distributions():
    found.setdefault(plain(one.metadata["Name"]), (one.metadata["Name"], one.version))
    for need in one.requires or []:
        if not re.search(r";.*\bextra\b", need): needed.add(plain(re.match(r"[\w.-]+", need)[0]))
for key, (name, version) in found.items():
    if sys.argv[1] == "all" or key not in needed: print(name, version, sep="\t")
)";

constexpr char kNode[] = R"(
const fs = require("fs"), path = require("path");
const read = (file) => { try { return JSON.parse(fs.readFileSync(file, "utf8")); } catch { return undefined; } };
const list = (folder) => { try { return fs.readdirSync(folder); } catch { return []; } };
const folders = [];
for (let at = process.cwd(); ; at = path.dirname(at)) {
    folders.push(path.join(at, "node_modules"));
    if (at === path.dirname(at)) break;
}
const scoped = (folder) => list(folder).flatMap((name) =>
    name.startsWith("@") ? list(path.join(folder, name)).map((below) => name + "/" + below) : [name]);
const own = read("package.json") || {}, asked = { ...own.devDependencies, ...own.dependencies };
const names = process.argv.includes("all") ? new Set(folders.flatMap(scoped)) : Object.keys(asked);
for (const name of names) {
    const installed = folders.map((folder) => read(path.join(folder, name, "package.json"))).find((found) => found);
    if (installed || asked[name]) console.log(name + "\t" + (installed ? installed.version : asked[name]));
}
)";

constexpr char kGoDirect[] = "{{if not (or .Main .Indirect)}}{{.Path}}\t{{.Version}}{{end}}";
constexpr char kGoAll[] = "{{if not .Main}}{{.Path}}\t{{.Version}}{{end}}";

std::vector<std::string> QuestionFor(const Project& project, const std::string& executable, bool transitive) {
  const std::string which = transitive ? "all" : "direct";
  if (executable.empty()) return {};
  if (project.runtime == "python") return {executable, "-c", kPython, which};
  if (project.runtime == "nodejs" || project.runtime == "bun") return {executable, "-e", kNode, which};
  if (project.runtime == "go") return {executable, "list", "-m", "-f", transitive ? kGoAll : kGoDirect, "all"};
  return {};
}

}  // namespace

Result<std::vector<ProgramDependency>> ProgramDependencies(const Project& project, const std::string& executable,
                                                           bool transitive) {
  std::vector<ProgramDependency> dependencies;
  const std::vector<std::string> question = QuestionFor(project, executable, transitive);
  if (question.empty()) return dependencies;
  const std::optional<std::string> answer = OutputOf(question, project.ProgramFolder());
  if (!answer)
    return Status(Code::kUnavailable,
                  executable + " could not list the program's packages: install them with `install`, and try again");
  std::istringstream lines(*answer);
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab != std::string::npos) dependencies.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  const auto by_name = [](const ProgramDependency& left, const ProgramDependency& right) {
    return left.name < right.name;
  };
  std::sort(dependencies.begin(), dependencies.end(), by_name);
  return dependencies;
}

}  // namespace kingpost
