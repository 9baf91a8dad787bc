// SPDX-License-Identifier: Apache-2.0
// A template of a project: files in which ${PROJECT} and ${DESCRIPTION} stand for the user's answers, and a Pulumi.yaml
// whose `template` section says what to ask. Or a policy pack to be, whose PulumiPolicy.yaml leaves no questions. Any
// thread; what touches the disk blocks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct TemplateFile {
  std::string path;  // below the project's folder: "lib/site.py"
  std::string content;
  bool executable = false;
};
using TemplateFiles = std::vector<TemplateFile>;

// One entry of `template: config:`, a value that each stack is asked for.
struct TemplateSetting {
  std::string key;  // as written: "aws:region", or "size" of the project
  std::string description, default_value;
  bool secret = false;
};

struct ProjectTemplate {
  std::string name;
  std::string description, quickstart;            // of the template
  std::string project_name, project_description;  // what it insists on; "${PROJECT}", "${DESCRIPTION}" or "" if nothing
  std::vector<TemplateSetting> config;            // by key
  TemplateFiles files;
};

enum class TemplateKind { kProject, kPolicyPack };
const char* ManifestOf(TemplateKind kind);  // "Pulumi.yaml", "PulumiPolicy.yaml"

// Fails if that is not among the files, or describes something else.
Result<ProjectTemplate> ReadTemplate(std::string name, TemplateFiles files, TemplateKind kind = TemplateKind::kProject);

// The limit on all files of a template: they are in memory, and an archive of a few bytes can unpack to gigabytes.
constexpr uint64_t kTemplateSizeMax = uint64_t{256} << 20;
// `size`: of all files so far.
Status CheckTemplateSize(uint64_t size);

// All files below the folder, but for those of git. Links to other files in it are followed; others are refused.
Result<TemplateFiles> LoadTemplateFiles(const std::string& folder);

using RuntimeSettings = std::vector<std::pair<std::string, std::string>>;
// Each is "key=value".
Result<RuntimeSettings> ParseRuntimeSettings(const std::vector<std::string>& given);

struct NewProject {
  std::string name, description;
  RuntimeSettings runtime_options;
};
// The files of the project. Its Pulumi.yaml has name, description and options, and no `template` section any more.
Result<TemplateFiles> Instantiate(const ProjectTemplate& made_from, const NewProject& project);

// The files of the policy pack. A pack in Python has an environment of its own.
Result<TemplateFiles> InstantiatePack(const ProjectTemplate& made_from, const RuntimeSettings& runtime_options);

// The paths of those that are files in `folder` already.
std::vector<std::string> FindExistingFiles(const TemplateFiles& files, const std::string& folder);
// Writes over what is in the way only if `force` says so.
Status WriteTemplateFiles(const TemplateFiles& files, const std::string& folder, bool force);

// The text with what may not be in a project's name left out; "project" if nothing remains.
std::string ProjectNameFrom(const std::string& text);

}  // namespace kingpost
