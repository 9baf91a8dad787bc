// SPDX-License-Identifier: Apache-2.0
// Finding the command in a line whose flags may stand before, between and after its words:
//
//     kingpost --non-interactive stack select --stack dev      ->  "stack select", [--non-interactive --stack dev]
//
// A flag without "=" takes the next word with it unless it is known to stand alone.
#include <algorithm>
#include <set>

#include "cli/session/command.h"

namespace kingpost {

namespace {

bool StandsAlone(const std::string& flag) {
  static const std::set<std::string> switches = {"--non-interactive",
                                                 "--yes",
                                                 "-y",
                                                 "--help",
                                                 "-h",
                                                 "--json",
                                                 "-j",
                                                 "--logtostderr",
                                                 "--logflow",
                                                 "--emoji",
                                                 "-e",
                                                 "--fully-qualify-stack-names",
                                                 "-Q",
                                                 "--disable-integrity-checking",
                                                 "--debug",
                                                 "-d",
                                                 "--diff",
                                                 "--skip-preview",
                                                 "-f",
                                                 "--force",
                                                 "--refresh",
                                                 "-r",
                                                 "--show-secrets",
                                                 "--all",
                                                 "-a",
                                                 "--long",
                                                 "--preview-only",
                                                 "--run-program"};
  return switches.count(flag) > 0 || flag.find('=') != std::string::npos;
}

// Words that mean the same wherever a command ends with one of them.
const std::vector<std::vector<std::string>>& Synonyms() {
  static const std::vector<std::vector<std::string>> groups = {
      {"new", "create", "setup", "init"},     {"list", "ls"}, {"remove", "rm", "delete"},
      {"remove-all", "rm-all", "delete-all"}, {"copy", "cp"}, {"move", "mv"},
  };
  return groups;
}

bool AreEquivalent(const std::string& a, const std::string& b) {
  const auto has = [](const std::vector<std::string>& group, const std::string& word) {
    return std::find(group.begin(), group.end(), word) != group.end();
  };
  return std::any_of(Synonyms().begin(), Synonyms().end(),
                     [&](const std::vector<std::string>& group) { return has(group, a) && has(group, b); });
}

// The commands' words one level below `path`, with aliases and synonyms.
const Command* Resolve(const Commands& commands, const std::string& path) {
  for (const Command& command : commands) {
    if (command.path == path) return &command;
    const size_t cut = command.path.rfind(' ');
    const std::string parent = cut == std::string::npos ? "" : command.path.substr(0, cut + 1);
    for (const std::string& alias : command.aliases) {
      if (parent + alias == path) return &command;
    }
  }
  for (const Command& command : commands) {
    const size_t cut = command.path.rfind(' ');
    const std::string parent = cut == std::string::npos ? "" : command.path.substr(0, cut + 1);
    if (!path.starts_with(parent)) continue;
    if (AreEquivalent(path.substr(parent.size()), command.path.substr(parent.size()))) return &command;
  }
  return nullptr;
}

bool IsGroup(const Commands& commands, const std::string& path) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const Command& command) { return command.path.rfind(path + " ", 0) == 0; });
}

}  // namespace

FoundCommand FindCommand(const Commands& commands, const std::vector<std::string>& words) {
  FoundCommand found;
  bool descending = true;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!descending || word == "--") {
      found.args.insert(found.args.end(), words.begin() + i, words.end());
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      found.args.push_back(word);
      if (!StandsAlone(word) && i + 1 < words.size()) found.args.push_back(words[++i]);
      continue;
    }
    const std::string longer = found.path.empty() ? word : found.path + " " + word;
    const Command* command = Resolve(commands, longer);
    if (!command && !IsGroup(commands, longer)) {
      found.unknown = word;
      found.unknown_at = found.args.size();
      found.args.push_back(word);
      descending = false;
      continue;
    }
    found.command = command;
    found.path = command ? command->path : longer;
    descending = IsGroup(commands, found.path);
  }
  return found;
}

std::string GroupHelp(const Commands& commands, const std::string& program, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + " ";
  std::vector<std::pair<std::string, std::string>> lines;
  size_t widest = 0;
  for (const Command& command : commands) {
    if (command.hidden || command.path.rfind(prefix, 0) != 0 || command.path == path) continue;
    lines.emplace_back(command.path, command.summary);
    widest = std::max(widest, command.path.size());
  }
  std::string out = "Usage: " + program + " " + prefix + "COMMAND [flags]\n\nCommands:\n";
  for (const auto& [name, summary] : lines) {
    out += "  " + name + std::string(widest + 2 - name.size(), ' ') + summary + "\n";
  }
  return out + "\nUse '" + program + " COMMAND --help' for the flags of a command.\n";
}

}  // namespace kingpost
