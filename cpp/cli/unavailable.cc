// SPDX-License-Identifier: Apache-2.0
#include "cli/unavailable.h"

namespace kingpost {

namespace {

struct Unavailable {
  const char* path;
  const char* why;
  bool needs_cloud = false;  // said in words that programs look for
};

constexpr bool kNeedsCloud = true;
constexpr const char* kOneOrganization =
    "only Pulumi Cloud has organizations; state in folders has one, 'organization'";

// Longer paths before those that they begin with.
constexpr Unavailable kUnavailable[] = {
    {"policy analyze", "policies are checked by 'preview --policy-pack FOLDER'"},
    {"policy enable", "packs are enforced by 'up --policy-pack FOLDER'", kNeedsCloud},
    {"policy disable", "packs are enforced by 'up --policy-pack FOLDER'", kNeedsCloud},
    {"policy publish", "packs are used from their folders, by 'up --policy-pack FOLDER'", kNeedsCloud},
    {"policy get", "a pack's policies are in its folder", kNeedsCloud},
    {"policy exception",
     "exceptions of packs in folders stand in the file of --policy-pack-config, under \"exceptions\"", kNeedsCloud},
    {"policy issue", "'preview --policy-pack FOLDER' reports violations", kNeedsCloud},
    {"policy",
     "DIY backend does not support resource policy: Pulumi Cloud keeps packs; use a pack in a folder with 'up "
     "--policy-pack FOLDER', and install its dependencies with 'install' in its folder"},
    {"stack webhook",
     "webhooks are sent by it; run the notification after the command, or follow "
     "'up --event-log FILE'",
     kNeedsCloud},
    {"stack policy", "packs are used from their folders, by 'up --policy-pack FOLDER'", kNeedsCloud},
    {"stack schedule", "schedules are kept by it; run the command from cron or a pipeline", kNeedsCloud},
    {"stack drift",
     "drift is looked for by Pulumi Cloud; run 'refresh --preview-only --expect-no-changes', which ends "
     "with 7 if there is any"},
    {"stack history events", "events are kept by Pulumi Cloud; write them to a file with 'up --event-log FILE'"},
    {"stack migrate",
     "bring the stack over with 'stack export', and then 'stack import' where PULUMI_BACKEND_URL names the other "
     "backend"},
    {"console", "there is no console for state in folders; see 'stack', or 'graph FILE.html' for a page"},
    {"logs decrypt",
     "only pulumi itself can read the logs of its commands; this command writes a log in clear with --verbose"},
    {"logs share",
     "a log is encrypted for Pulumi's support with a key of theirs; 'logs decrypt' prints one, if you may read it",
     kNeedsCloud},
    {"env",
     "the backend does not support Pulumi ESC, which requires the Pulumi Cloud backend; put their values into the "
     "stack's configuration with "
     "'config set-all'"},
    {"deployment", "deployments are run by it; run 'up' in a pipeline", kNeedsCloud},
    {"insights",
     "resources outside of stacks are looked for by Pulumi Cloud; see 'stack' and 'graph' for those of a stack"},
    {"api", "this calls Pulumi Cloud, which is not used here"},
    {"neo", "there is no assistant to call", kNeedsCloud},
    {"do", "single resources are handled by a program; take over an existing one with 'import TYPE NAME ID'"},
    {"org audit-log", kOneOrganization},
    {"org member", kOneOrganization},
    {"org role", kOneOrganization},
    {"org search", kOneOrganization},
    {"org usage", kOneOrganization},
    {"org webhook", kOneOrganization},
    {"template", "there is no registry of templates"},
    {"package delete", "packages are kept by a registry of Pulumi Cloud; remove the version where you publish it"},
    {"package remove", "packages are kept by a registry of Pulumi Cloud; remove the version where you publish it"},
    {"package rm", "packages are kept by a registry of Pulumi Cloud; remove the version where you publish it"},
    {"package publish",
     "there is no private registry; publish the SDKs that 'package gen-sdk' writes, and the plugin where its "
     "pluginDownloadURL says"},
    {"package pack-sdk", "pack the folder that 'package gen-sdk' wrote with the tools of its language"},
    {"package new", "make a component with 'new python-component' or 'new typescript-component'"},
};

// "config env" of {"config", "env", "ls"} for two words.
std::string FirstWords(const std::vector<std::string>& words, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + words[i];
  return text;
}

size_t WordCount(const std::string& path) {
  size_t count = 1;
  for (const char c : path) count += c == ' ' ? 1 : 0;
  return count;
}

}  // namespace

std::string WhyUnavailable(const std::vector<std::string>& words, size_t understood) {
  for (const Unavailable& entry : kUnavailable) {
    const size_t count = WordCount(entry.path);
    if (count <= understood || words.size() < count || FirstWords(words, count) != entry.path) continue;
    return std::string("'") + entry.path +
           "' is not available: " + (entry.needs_cloud ? "this command requires the Pulumi Cloud backend; " : "") +
           entry.why;
  }
  return "";
}

}  // namespace kingpost
