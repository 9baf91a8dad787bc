// SPDX-License-Identifier: Apache-2.0
// Where templates come from: the command itself, folders, archives, git repositories. Blocking; main thread.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "workspace/template.h"

namespace kingpost {

// The template in the folder or, if there is none, those in the folders right below it.
Result<std::vector<ProjectTemplate>> TemplatesInFolder(const std::string& folder, TemplateKind kind);
// Likewise of the files of an archive, named after it.
Result<std::vector<ProjectTemplate>> TemplatesAmong(const std::string& name, TemplateFiles files, TemplateKind kind);

// Tries the meanings of `named` in this order: the address of an archive or of a git repository, a template in the
// command, a path. Then a template of the common repository (PULUMI_TEMPLATE_GIT_REPOSITORY), which is kept in
// $PULUMI_HOME/templates, or of the folder PULUMI_TEMPLATE_PATH. Policy packs have a repository, a folder and variables
// of their own (PULUMI_POLICY_TEMPLATE_...). `offline` asks no network.
Result<std::vector<ProjectTemplate>> FindTemplates(Session& session, const std::string& named, bool offline,
                                                   TemplateKind kind = TemplateKind::kProject);

// Those in the command and those of the common repository as far as it is here already, by name.
std::vector<ProjectTemplate> KnownTemplates(TemplateKind kind = TemplateKind::kProject);
// The listing of them for people.
std::string TemplateListing(TemplateKind kind);

}  // namespace kingpost
