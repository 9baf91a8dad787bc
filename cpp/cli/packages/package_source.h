// SPDX-License-Identifier: Apache-2.0
// A package as the user names it, and its schema:
//
//   random, random@4.16.0                           a plugin; also a name among the project's `packages`
//   ./pulumi-resource-random, ./components          a program, or a folder with one or with a PulumiPlugin.yaml
//   github.com/acme/components[.git/inside][@v1.0]  a repository with the same
//   schema.json, schema.yaml                        the schema itself
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/packages/plugin_client.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "languages/schema/bind.h"
#include "workspace/project.h"

namespace kingpost {

struct PackageSource {
  std::string text;
  std::vector<std::string> parameters;  // of a parameterized package
  std::string extension;                // its parameters as a shell would read them; "" if it is none
  std::string server;                   // where the plugin is downloaded from

  void Declare(Flags* flags);
};

// Which plugin answers for a source.
struct FoundSource {
  bool is_file = false;  // the schema itself
  PackageQuestion question;
  Project project;     // with the plugin among its own, if it is in a folder
  PackageSpec record;  // how a project's `packages` names it
  // For a repository: its owner, the source of the package, and its version.
  std::string name_space, repository_url, repository_version;
};
// Clones and prepares what has to be. The project may be an empty one.
Result<FoundSource> FindSource(Session& session, const PackageSource& source, const Project& project);

// The document of the schema, canonical.
struct LoadedDocument {
  std::shared_ptr<const nlohmann::ordered_json> document;
  FoundSource source;
};
Result<LoadedDocument> LoadDocument(Session& session, const PackageSource& source, const Project& project);

// The project around the current folder, or an empty one.
Project ProjectOrNone(Session& session);

// Looks up packages that a schema refers to, by their plugins.
schema::Lookup LookupByPlugins(Session& session, const Project& project);

}  // namespace kingpost
