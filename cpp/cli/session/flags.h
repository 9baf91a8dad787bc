// SPDX-License-Identifier: Apache-2.0
// The flags and arguments of one command: CLI11 with the habits of the command line that programs expect.
//
// A flag that is not given takes its value from PULUMI_OPTION_<FLAG>. Flags may stand before and after arguments;
// "--flag=value" and "--flag value" are the same. A switch may be given as "--yes=false". The last of several values
// wins unless the flag is a list; "--" ends the flags. Names are written "-y,--yes". What the flags fill must outlive
// Parse. Built for the one command that runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// The possible parts of a command line, for completion.
struct FlagFacts {
  std::vector<std::string> names;  // "--stack", "-s"
  std::string help;
  std::vector<std::string> choices;  // the values it may have; empty for any
  bool takes_value = false;
  bool hidden = false;  // not to be offered
};
struct ArgumentFacts {
  std::string name;  // as --help has it: "URN"
  bool is_list = false;
};

class Flags {
 public:
  // full_name is what the user types: "kingpost stack init".
  Flags(const std::string& full_name, std::string summary);
  ~Flags();
  Flags(const Flags&) = delete;

  // All flags added until the next Section appear under this title in --help.
  void Section(std::string title) { section_ = std::move(title); }
  void Hidden() { section_.clear(); }

  void Switch(const std::string& names, bool* value, const std::string& help);
  void Text(const std::string& names, std::string* value, const std::string& help);
  // One of the words; `take` gets the one that was given.
  void Choice(const std::string& names, const std::vector<std::string>& words, const std::string& help,
              std::function<void(const std::string&)> take);
  void Int(const std::string& names, int* value, const std::string& help);
  // May stand alone, and then means `bare`; a value can only follow as --flag=value.
  void OptionalText(const std::string& names, std::string* value, const std::string& bare, const std::string& help);
  // The same, given once per element.
  void OptionalList(const std::string& names, std::vector<std::string>* value, const std::string& bare,
                    const std::string& help);
  // Given once per element; `split_commas` also takes several in one value.
  void List(const std::string& names, std::vector<std::string>* value, const std::string& help,
            bool split_commas = false);

  void Argument(const std::string& name, std::string* value, const std::string& help, bool required = false);
  void Arguments(const std::string& name, std::vector<std::string>* value, const std::string& help);

  // Known and without effect, and listed in --help as such. `missing` is what the user goes without; empty if that is
  // nothing, because of what this program is.
  void AcceptSwitch(const std::string& names, const std::string& missing = "");
  void AcceptText(const std::string& names, const std::string& missing = "");
  // Known, and not in --help: Parse fails with `why` where one is given, because the command would do something else
  // than its user wants.
  void RefuseSwitch(const std::string& names, const std::string& why);
  void RefuseText(const std::string& names, const std::string& why);

  // Fails with a sentence for the user, and a suggestion where a name is nearly right.
  Status Parse(const std::vector<std::string>& args);
  // The word for which Parse failed, because no argument takes it; "" if it did not fail for that.
  const std::string& surplus() const;
  bool Given(const std::string& name) const;  // "--json"
  bool Declares(const std::string& name) const;
  // {"json": "true", "message": "set"}: switches with their value, all others without.
  std::map<std::string, std::string> GivenFlags() const;
  // Writes arguments that give another process the present values: "--target=a" and "--target=b" for --target. Leaves
  // out flags that are empty or zero. Leaves out every Choice, which keeps no value.
  struct WrittenFlag {
    std::string flag;
    std::vector<std::string> arguments;
  };
  std::vector<WrittenFlag> WriteArguments() const;
  // A sentence for each flag that was given and leaves its user without something.
  std::vector<std::string> Missing() const;
  std::string Help() const;

  std::vector<FlagFacts> KnownFlags() const;
  std::vector<ArgumentFacts> KnownArguments() const;

 private:
  struct Impl;
  std::string section_ = "Flags";
  std::unique_ptr<Impl> impl_;
};

// Declares --output json, and -j and --json, which say the same.
void DeclareJson(Flags& flags, const std::shared_ptr<bool>& as_json);

// The candidate that `typed` was probably meant to be, or "".
std::string NearestName(const std::string& typed, const std::vector<std::string>& candidates);

}  // namespace kingpost
