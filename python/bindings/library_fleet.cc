// SPDX-License-Identifier: Apache-2.0
// Binds the functions that find the members of a fleet below a folder. The command uses the same: kingpost.yaml, the
// search for projects, the names of members, and the backend of a project.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bindings/library.h"
#include "bindings/values.h"
#include "operation/fleet/listed_members.h"
#include "operation/fleet/member_targets.h"
#include "operation/fleet/project_search.h"
#include "workspace/project.h"
#include "workspace/selection.h"
#include "workspace/stack_config.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

using std::filesystem::path;

struct FleetFolder {
  fleet::FleetFile file;
  std::vector<fleet::ListedProject> projects;
};

Result<FleetFolder> OpenFolder(const std::string& folder) {
  Result<fleet::FleetFile> file = fleet::LoadFleetFile(folder);
  if (!file.ok()) return file.status();
  auto projects = fleet::ListProjects(folder, *file);
  if (!projects.ok()) return projects.status();
  return FleetFolder{std::move(*file), std::move(*projects)};
}

// (name, project, label, groups) of each.
using GivenNames = std::vector<std::tuple<std::string, std::string, path, std::vector<std::string>>>;

std::vector<fleet::MemberNames> NamesIn(const GivenNames& given) {
  std::vector<fleet::MemberNames> names;
  for (const auto& [name, project, label, groups] : given) names.push_back({name, project, label.string(), groups});
  return names;
}

struct ProjectFolder {
  Project project;

  // True if the stack has a settings file.
  bool HasSettings(const std::string& stack) const {
    std::error_code error;
    return std::filesystem::is_regular_file(project.StackConfigFile(stack), error);
  }
  Result<std::map<std::string, std::string>> ConfigFor(const FleetFolder& folder, const std::string& stack) const {
    const Result<StackConfig> settings = StackConfig::Load(project.StackConfigFile(stack), project.name);
    if (!settings.ok()) return settings.status();
    return fleet::ConfigFor(folder.file, *settings);
  }
};

void DefineFolder(py::module_& module) {
  py::class_<fleet::ListedProject>(module, "ListedProject")
      .def_property_readonly("folder", [](const fleet::ListedProject& one) { return path(one.folder); })
      .def_property_readonly("label", [](const fleet::ListedProject& one) { return path(one.label); })
      .def_property_readonly("stack", [](const fleet::ListedProject& one) { return Text(one.wanted.stack); })
      .def_property_readonly("after", [](const fleet::ListedProject& one) { return Texts(one.wanted.after); })
      .def_property_readonly("groups", [](const fleet::ListedProject& one) { return Texts(one.wanted.groups); })
      .def_readonly("by_name", &fleet::ListedProject::by_name);
  py::class_<FleetFolder>(module, "FleetFolder")
      .def(py::init([](const path& folder) {
             const py::gil_scoped_release released;
             return ValueOrThrow(OpenFolder(folder.string()));
           }),
           py::arg("folder"))
      .def_property_readonly("file", [](const FleetFolder& folder) { return path(folder.file.path); })
      .def_property_readonly("stack", [](const FleetFolder& folder) { return Text(folder.file.stack); })
      .def_property_readonly("projects", [](const FleetFolder& folder) { return folder.projects; })
      .def(
          "called",
          [](const FleetFolder& folder, const std::string& name, size_t of, const GivenNames& members) {
            return ValueOrThrow(fleet::FindMembersByName(name, of, NamesIn(members), folder.file));
          },
          py::arg("name"), py::arg("of"), py::arg("members"))
      .def(
          "fitting",
          [](const FleetFolder& folder, const std::string& pattern, const GivenNames& members) {
            return fleet::FindMatchingMembers(pattern, NamesIn(members), folder.file);
          },
          py::arg("pattern"), py::arg("members"));
}

}  // namespace

void AddFleetFolder(py::module_& module) {
  DefineFolder(module);
  py::class_<ProjectFolder>(module, "ProjectFolder")
      .def(py::init(
               [](const path& folder) { return ProjectFolder{ValueOrThrow(Project::FindAndLoad(folder.string()))}; }),
           py::arg("folder"))
      .def_property_readonly("name", [](const ProjectFolder& folder) { return Text(folder.project.name); })
      .def_property_readonly("backend",
                             [](const ProjectFolder& folder) -> std::optional<py::str> {
                               const Result<std::string> url = AbsoluteChosenBackend(folder.project);
                               if (url.status().code() == Code::kNotFound) return std::nullopt;
                               return Text(ValueOrThrow(url));
                             })
      .def("has_settings", &ProjectFolder::HasSettings, py::arg("stack"))
      .def(
          "config_for",
          [](const ProjectFolder& project, const FleetFolder& folder, const std::string& stack) {
            return ValueOrThrow(project.ConfigFor(folder, stack));
          },
          py::arg("folder"), py::arg("stack"));
  module.def(
      "target_part",
      [](const std::string& target, const std::string& project, const std::string& stack) -> std::optional<py::str> {
        const auto part = fleet::PartFor(target, {project + "/" + stack, project, "", {}}, stack);
        return part ? std::optional(Text(*part)) : std::nullopt;
      },
      py::arg("target"), py::arg("project"), py::arg("stack"));
  module.def(
      "holds_project", [](const path& folder) { return fleet::HasProjectFile(folder.string()); }, py::arg("folder"));
}

}  // namespace kingpost::python
