// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completion.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/command_name.h"
#include "cli/completion/known_values.h"
#include "cli/session/command.h"
#include "cli/session/globals.h"
#include "cli/session/session.h"
#include "cli/templates/template_source.h"

namespace kingpost {

namespace {

using OfferKind = Completions::Kind;

// A line as far as it has been typed.
struct TypedLine {
  FoundCommand found;
  std::vector<std::string> before;  // all words but the last
  std::string typed;                // the last
};

bool IsFlag(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

const FlagFacts* FlagOf(const std::vector<FlagFacts>& flags, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const FlagFacts& flag : flags) {
    if (std::find(flag.names.begin(), flag.names.end(), name) != flag.names.end()) return &flag;
  }
  return nullptr;
}

// The value that the line gives to the flag, "" if none.
std::string ValueOf(const TypedLine& line, const std::vector<std::string>& names) {
  std::string value;
  for (size_t i = 0; i < line.before.size(); ++i) {
    const std::string& word = line.before[i];
    const size_t equals = word.find('=');
    if (std::find(names.begin(), names.end(), word.substr(0, equals)) == names.end()) continue;
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < line.before.size()) {
      value = line.before[i + 1];
    }
  }
  return value;
}

Completions Words(const std::vector<std::string>& words) {
  Completions offer;
  for (const std::string& word : words) offer.candidates.push_back({word, ""});
  return offer;
}

// Values of flags, by what they are called.
Completions ValuesOfFlag(const TypedLine& line, const FlagFacts& flag, KnownValues& known) {
  const std::set<std::string> names(flag.names.begin(), flag.names.end());
  const auto is = [&](std::initializer_list<const char*> some) {
    return std::any_of(some.begin(), some.end(), [&](const char* name) { return names.count(name) > 0; });
  };
  if (!flag.choices.empty()) return Words(flag.choices);
  if (is({"--stack", "--source", "--dest", "--copy-config-from"})) return {OfferKind::kWords, known.Stacks()};
  if (is({"--target", "--exclude", "--replace", "--target-replace", "--parent", "--provider"})) {
    return {OfferKind::kWords, known.Resources()};
  }
  if (is({"--cwd", "--policy-pack", "--dir"})) return {OfferKind::kFolders, {}};
  if (is({"--color"})) return Words(kColorWords);
  if (is({"--secrets-provider"})) return Words({"passphrase"});
  if (is({"--output"})) return Words({"default", "json"});
  if (is({"--config", "--secret", "--plaintext"}) && !line.found.path.starts_with("login")) {
    return {OfferKind::kWords, known.ConfigKeys("=")};
  }
  if (is({"--config-file", "--file", "--plan", "--save-plan", "--import-file", "--out", "--event-log", "--timings",
          "--policy-pack-config", "--profiling", "--tracing", "--otel-traces"})) {
    return {OfferKind::kFiles, {}};
  }
  return {};
}

// How many arguments stand before the word that is typed.
size_t CountArguments(const TypedLine& line, const std::vector<FlagFacts>& flags) {
  size_t count = 0;
  for (size_t i = 0; i < line.found.args.size(); ++i) {
    const std::string& word = line.found.args[i];
    if (!IsFlag(word)) {
      ++count;
      continue;
    }
    const FlagFacts* flag = FlagOf(flags, word);
    if (flag && flag->takes_value && word.find('=') == std::string::npos) ++i;
  }
  return count;
}

Completions ValuesOfName(const std::string& path, KnownValues& known) {
  if (path == "stack select" || path == "stack rm" || path == "cancel") return {OfferKind::kWords, known.Stacks()};
  if (path == "stack output") return {OfferKind::kWords, known.Outputs()};
  if (path.starts_with("stack tag")) return {OfferKind::kWords, known.Tags()};
  return {};
}

std::vector<Candidate> OfferedTemplates() {
  std::vector<Candidate> offered;
  for (const ProjectTemplate& known : KnownTemplates()) offered.push_back({known.name, known.description});
  return offered;
}

// Arguments, by what the command's help calls them.
Completions ValuesOfArgument(const TypedLine& line, const std::vector<FlagFacts>& flags,
                             const std::vector<ArgumentFacts>& arguments, KnownValues& known) {
  const size_t at = CountArguments(line, flags);
  if (arguments.empty()) return {};
  if (at >= arguments.size() && !arguments.back().is_list) return {};
  const std::string& name = arguments[std::min(at, arguments.size() - 1)].name;
  if (name == "URN" || name == "URN|NAME") return {OfferKind::kWords, known.Resources()};
  if (name == "KEY") return {OfferKind::kWords, known.ConfigKeys("")};
  if (name == "STACK") return {OfferKind::kWords, known.Stacks()};
  if (name == "FILE") return {OfferKind::kFiles, {}};
  if (name == "KIND") return Words({"resource", "language", "analyzer", "converter", "tool"});
  if (name == "SHELL") return Words({"bash", "fish", "zsh"});
  if (name == "template|url" && line.found.path == "new") return {OfferKind::kWords, OfferedTemplates()};
  if (name == "NAME" && !line.found.path.starts_with("plugin")) return ValuesOfName(line.found.path, known);
  return {};
}

// The words one level below what has been typed: "init", "ls", ... of "stack".
std::vector<Candidate> CommandsBelow(const Commands& commands, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + " ";
  std::vector<Candidate> below;
  for (const Command& command : commands) {
    if (command.hidden || !command.path.starts_with(prefix) || command.path == path) continue;
    const std::string rest = command.path.substr(prefix.size());
    const std::string word = rest.substr(0, rest.find(' '));
    const bool is_group = word != rest;
    const auto known = std::find_if(below.begin(), below.end(), [&](const Candidate& at) { return at.text == word; });
    if (known == below.end()) {
      below.push_back({word, is_group ? "Commands of " + word : command.summary});
    } else if (!is_group) {
      known->about = command.summary;
    }
  }
  return below;
}

std::vector<Candidate> NamesOf(const std::vector<FlagFacts>& flags) {
  std::vector<Candidate> names;
  for (const FlagFacts& flag : flags) {
    if (flag.hidden) continue;
    for (const std::string& name : flag.names) {
      if (name.starts_with("--")) names.push_back({name, flag.help});
    }
  }
  return names;
}

Completions CompleteLine(const Commands& commands, const TypedLine& line, const std::vector<FlagFacts>& flags,
                         const std::vector<ArgumentFacts>& arguments, KnownValues& known) {
  const size_t equals = line.typed.find('=');
  if (IsFlag(line.typed) && equals != std::string::npos) {
    const FlagFacts* flag = FlagOf(flags, line.typed);
    Completions values = flag ? ValuesOfFlag(line, *flag, known) : Completions();
    for (Candidate& value : values.candidates) value.text.insert(0, line.typed.substr(0, equals + 1));
    return values;
  }
  const FlagFacts* open = line.before.empty() ? nullptr : FlagOf(flags, line.before.back());
  const bool expects_value = open && open->takes_value && line.before.back().find('=') == std::string::npos;
  if (expects_value) return ValuesOfFlag(line, *open, known);
  if (line.typed.starts_with('-')) return {OfferKind::kWords, NamesOf(flags)};
  const bool may_go_on = CountArguments(line, flags) == 0;
  Completions offer{OfferKind::kWords, may_go_on ? CommandsBelow(commands, line.found.path) : std::vector<Candidate>()};
  if (!line.found.command || !offer.candidates.empty()) return offer;
  return ValuesOfArgument(line, flags, arguments, known);
}

TypedLine ReadLine(const Commands& commands, const std::vector<std::string>& words) {
  TypedLine line;
  if (!words.empty()) {
    line.before.assign(words.begin(), words.end() - 1);
    line.typed = words.back();
  }
  line.found = FindCommand(commands, line.before);
  return line;
}

}  // namespace

Completions Complete(const Commands& commands, const std::vector<std::string>& words) {
  const TypedLine line = ReadLine(commands, words);
  Flags flags(NamedCommand(line.found.path), "");
  CommandBody body;  // keeps what the flags fill
  if (line.found.command) body = line.found.command->declare(flags);
  GlobalOptions globals;
  globals.Declare(&flags);
  const std::string folder = ValueOf(line, {"-C", "--cwd"});
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) return {};

  GlobalOptions quiet;
  quiet.non_interactive = true;
  Session session(quiet);
  KnownValues known(session, ValueOf(line, {"-s", "--stack", "--source"}));
  Completions offer = CompleteLine(commands, line, flags.KnownFlags(), flags.KnownArguments(), known);
  std::erase_if(offer.candidates, [&](const Candidate& candidate) { return !candidate.text.starts_with(line.typed); });
  std::sort(offer.candidates.begin(), offer.candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.text < b.text; });
  return offer;
}

std::string CompletionsText(const Completions& offer) {
  if (offer.kind == OfferKind::kFiles) return ":files\n";
  if (offer.kind == OfferKind::kFolders) return ":folders\n";
  std::string text = ":words\n";
  for (const Candidate& candidate : offer.candidates) {
    text += candidate.text + (candidate.about.empty() ? "" : "\t" + candidate.about) + "\n";
  }
  return text;
}

}  // namespace kingpost
