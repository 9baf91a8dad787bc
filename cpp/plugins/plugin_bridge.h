// SPDX-License-Identifier: Apache-2.0
// Plugins and policy packs in source form whose language is known to a plugin of its own only ("bun", "dotnet"): that
// plugin runs them (LanguageRuntime.RunPlugin), and tells what they print. The bridge is a process of ours that starts
// it, asks it, prints the same and ends with the same code. So for the host such a plugin is a process like any other.
//
//   this process ──reaper──▶ bridge ──▶ pulumi-language-bun ──▶ the plugin
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

inline constexpr char kBridgeCommand[] = "__run-plugin";  // the first word of the command line that makes it a bridge

struct BridgedPlugin {
  std::string language_plugin;  // the program pulumi-language-NAME
  std::string engine_address;
  std::string kind;    // "resource", "analyzer", "tool"
  std::string name;    // for people
  std::string folder;  // of its description
  RuntimeOptions options;
  std::vector<std::string> arguments;
};

// The bridge's place is that of the plugin; where `language_plugin` is not known yet, it is filled in afterwards.
// Fails where the command is not at hand, as in a program that has the engine as a library.
Result<std::vector<std::string>> BridgeCommand(const BridgedPlugin& plugin);
inline constexpr size_t kLanguagePluginPlace = 2;  // in that command

// The arguments behind kBridgeCommand in the command line, in this order. The options are JSON.
struct BridgeArguments {
  enum Place { kLanguagePlugin, kEngine, kKind, kName, kFolder, kOptions, kArguments };
};

}  // namespace kingpost
