// SPDX-License-Identifier: Apache-2.0
// Checks the command line: flags anywhere, in each of their spellings.
#include "cli/session/flags.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "cli/commands/all_commands.h"
#include "cli/session/exit_code.h"
#include "cli/session/globals.h"

namespace kingpost::flags_test {

struct Parsed {
  bool yes = false;
  std::string stack, refresh, name;
  int parallel = 0;
  std::vector<std::string> targets, packs;
  Status status;

  explicit Parsed(const std::vector<std::string>& args) {
    Flags flags("kingpost up", "updates");
    flags.Argument("NAME", &name, "a name");
    flags.Switch("-y,--yes", &yes, "yes");
    flags.Text("-s,--stack", &stack, "stack");
    flags.OptionalText("-r,--refresh", &refresh, "true", "refresh");
    flags.Int("-p,--parallel", &parallel, "parallel");
    flags.List("-t,--target", &targets, "targets");
    flags.List("--policy-pack", &packs, "packs", true);
    flags.AcceptSwitch("--neo");
    status = flags.Parse(args);
  }
};

const Commands& SomeCommands() {
  static const Commands commands = {{"up", "", nullptr, {"update"}}, {"stack", "", nullptr},
                                    {"stack init", "", nullptr},     {"stack tag ls", "", nullptr},
                                    {"config", "", nullptr},         {"config set", "", nullptr}};
  return commands;
}

TEST_CASE("flags stand before and after arguments and in every spelling", "[cli]") {
  const Parsed parsed({"--stack", "a", "-y", "name", "--stack=b", "-p4", "--neo", "--refresh"});
  REQUIRE(parsed.status.ok());
  CHECK(parsed.yes);
  CHECK(parsed.stack == "b");
  CHECK(parsed.name == "name");
  CHECK(parsed.parallel == 4);
  CHECK(parsed.refresh == "true");
}

TEST_CASE("switches take values with an equals sign only", "[cli]") {
  CHECK_FALSE(Parsed({"--yes=false"}).yes);
  CHECK_FALSE(Parsed({"-y=false"}).yes);
  CHECK(Parsed({"--yes=true"}).yes);
  const Parsed refresh({"--refresh=false", "false"});
  CHECK(refresh.refresh == "false");
  CHECK(refresh.name == "false");
}

TEST_CASE("a list takes one element each time and leaves the argument alone", "[cli]") {
  const Parsed parsed({"-t", "[a]", "name", "--target=b,c", "--policy-pack", "p,q", "--policy-pack", "r"});
  REQUIRE(parsed.status.ok());
  CHECK(parsed.targets == std::vector<std::string>{"[a]", "b,c"});
  CHECK(parsed.packs == std::vector<std::string>{"p", "q", "r"});
  CHECK(parsed.name == "name");
}

TEST_CASE("two dashes end the flags", "[cli]") {
  CHECK(Parsed({"--", "--yes"}).name == "--yes");
  CHECK(Parsed({"--", "-5"}).name == "-5");
}

TEST_CASE("arguments are taken as they are", "[cli]") {
  std::string key;
  std::vector<std::string> values;
  Flags flags("kingpost config set", "sets");
  flags.Argument("KEY", &key, "key", true);
  flags.Arguments("VALUE", &values, "value");
  REQUIRE(flags.Parse({"k", "--", "[1, {\"a\": 2}]"}).ok());
  CHECK(key == "k");
  CHECK(values == std::vector<std::string>{"[1, {\"a\": 2}]"});
}

TEST_CASE("an accepted flag without effect gives its warning, if it has one", "[cli]") {
  const auto missing = [](const std::vector<std::string>& args) {
    Flags flags("kingpost paint", "Paint");
    flags.AcceptSwitch("--quietly");
    flags.AcceptSwitch("--dry", "paint is always wet");
    flags.AcceptText("-g,--gloss", "all paint is matt");
    REQUIRE(flags.Parse(args).ok());
    return flags.Missing();
  };
  CHECK(missing({"--quietly"}).empty());
  CHECK(missing({"--dry=false"}).empty());
  CHECK(missing({"--dry", "-g", "much"}) == std::vector<std::string>{"--dry has no effect: paint is always wet",
                                                                     "--gloss has no effect: all paint is matt"});
}

TEST_CASE("every command can declare its flags", "[cli]") {
  for (const Command& command : AllCommands()) {
    Flags flags("kingpost " + command.path, command.summary);
    GlobalOptions globals;
    CHECK_NOTHROW(command.declare(flags));
    CHECK_NOTHROW(globals.Declare(&flags));
    CHECK_FALSE(flags.Help().empty());
  }
}

TEST_CASE("a wrong flag is named, with the one that was probably meant", "[cli]") {
  const Parsed unknown({"--stak", "dev"});
  CHECK(unknown.status.message() == "unknown flag: --stak; did you mean --stack?");
  CHECK(ExitCodeOf(unknown.status) == ExitCode::kUsage);
  CHECK(Parsed({"--xyzzy"}).status.message().find("unknown flag: --xyzzy") == 0);
  CHECK(ExitCodeOf(Parsed({"--stack"}).status) == ExitCode::kUsage);
  CHECK(ExitCodeOf(Parsed({"--parallel", "many"}).status) == ExitCode::kUsage);
  CHECK(ExitCodeOf(Parsed({"one", "two"}).status) == ExitCode::kUsage);
}

TEST_CASE("a flag that is not given has the value of its variable", "[cli]") {
  ::setenv("PULUMI_OPTION_SOME_FLAG", "true", 1);
  ::setenv("PULUMI_OPTION_TEXT", "from outside", 1);
  ::setenv("PULUMI_OPTION_LIST", "a,\"b,c\",\"say \"\"d\"\"\"", 1);
  ::setenv("PULUMI_OPTION_CHOICE", "json", 1);
  bool some = false;
  std::string text, chosen;
  std::vector<std::string> list;
  Flags flags("kingpost", "");
  flags.Switch("-f,--some-flag", &some, "");
  flags.Text("--text", &text, "");
  flags.List("--list", &list, "");
  flags.Choice("--choice", {"default", "json"}, "", [&](const std::string& word) { chosen = word; });
  CHECK(flags.Parse({"--text", "from the line"}).ok());
  CHECK(some);
  CHECK(text == "from the line");
  CHECK(list == std::vector<std::string>{"a", "b,c", "say \"d\""});
  CHECK(chosen == "json");
  CHECK(flags.GivenFlags() ==
        std::map<std::string, std::string>{{"some-flag", "true"}, {"text", "set"}, {"list", "set"}, {"choice", "set"}});
  ::setenv("PULUMI_OPTION_SOME_FLAG", "perhaps", 1);
  bool other = false;
  Flags wrong("kingpost", "");
  wrong.Switch("--some-flag", &other, "");
  CHECK(wrong.Parse({}).message().find("PULUMI_OPTION_SOME_FLAG") != std::string::npos);
  for (const char* name : {"SOME_FLAG", "TEXT", "LIST", "CHOICE"}) {
    ::unsetenv((std::string("PULUMI_OPTION_") + name).c_str());
  }
}

TEST_CASE("synonyms of a word lead to the same command", "[cli]") {
  CHECK(FindCommand(SomeCommands(), {"stack", "tag", "list"}).path == "stack tag ls");
  CHECK(FindCommand(SomeCommands(), {"stack", "create"}).path == "stack init");
  CHECK(FindCommand(SomeCommands(), {"stack", "copy"}).path == "stack");
}

TEST_CASE("the command is found between its flags", "[cli]") {
  const FoundCommand init =
      FindCommand(SomeCommands(), {"--non-interactive", "stack", "--stack", "up", "init", "dev", "--yes"});
  CHECK(init.path == "stack init");
  CHECK(init.args == std::vector<std::string>{"--non-interactive", "--stack", "up", "dev", "--yes"});
  CHECK(FindCommand(SomeCommands(), {"update"}).path == "up");
  CHECK(FindCommand(SomeCommands(), {"stack", "tag", "ls"}).path == "stack tag ls");
  const FoundCommand shown = FindCommand(SomeCommands(), {"stack", "-s", "dev"});
  CHECK(shown.path == "stack");
  const FoundCommand set = FindCommand(SomeCommands(), {"config", "set", "key", "--", "stack"});
  CHECK(set.path == "config set");
  CHECK(set.args == std::vector<std::string>{"key", "--", "stack"});
  CHECK(FindCommand(SomeCommands(), {"stak", "init"}).command == nullptr);
  CHECK(FindCommand(SomeCommands(), {"stak", "init"}).unknown == "stak");
  CHECK(FindCommand(SomeCommands(), {"--color", "never"}).unknown.empty());
  CHECK(FindCommand(SomeCommands(), {"stack", "-s", "dev", "sel"}).unknown == "sel");
  CHECK(FindCommand(SomeCommands(), {"stack", "init", "dev"}).unknown.empty());
  const FoundCommand missing = FindCommand(SomeCommands(), {"--color", "never", "console", "dev"});
  CHECK((missing.unknown == "console" && missing.args.at(missing.unknown_at) == "console"));
}

TEST_CASE("near names are offered, far ones are not", "[cli]") {
  CHECK(NearestName("stak", {"stack", "state", "up"}) == "stack");
  CHECK(NearestName("xyzzy", {"stack", "up"}).empty());
  CHECK(NearestName("sel", {"tag", "select"}) == "select");
  CHECK(NearestName("--par", {"--parallel"}) == "--parallel");
  CHECK(NearestName("--pa", {"--parallel"}).empty());
  CHECK(NearestName("s", {"select"}).empty());
}

}  // namespace kingpost::flags_test
