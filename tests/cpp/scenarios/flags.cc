// SPDX-License-Identifier: Apache-2.0
#include "scenarios/flags.h"

#include <sstream>

namespace kingpost::scenarios {

namespace {

class Parser {
 public:
  Parser(const Names& names, const std::string& text) : names_(names) {
    std::istringstream words(text);
    std::string verb;
    words >> verb;
    SetKind(verb);
    for (std::string word; words >> word;) words_.push_back(word);
    for (at_ = 0; at_ < words_.size(); ++at_) Take(words_[at_]);
    if (options_.refresh && options_.run_program && run_program_ && options_.kind == OperationKind::kUpdate) {
      options_.refresh_program = true;
    }
  }

  const Flags& flags() const { return flags_; }

 private:
  void SetKind(const std::string& verb) {
    options_.parallel = 16;
    if (verb == "up" || verb == "preview") {
      options_.preview = verb == "preview";
      return;
    }
    options_.run_program = false;
    if (verb == "refresh") {
      options_.kind = OperationKind::kRefresh;
    } else if (verb == "destroy") {
      options_.kind = OperationKind::kDestroy;
    } else if (verb == "import") {
      options_.kind = OperationKind::kImport;
    } else {
      throw Mistake("run: unknown operation \"" + verb + "\"");
    }
  }

  std::string Value() {
    if (++at_ == words_.size()) throw Mistake("run: the last flag lacks its value");
    return words_[at_];
  }

  void Take(const std::string& flag) {
    using Options = OperationOptions;
    static const std::map<std::string, bool Options::*> kSwitches = {
        {"--preview-only", &Options::preview},
        {"--run-program", &Options::run_program},
        {"--refresh", &Options::refresh},
        {"--continue-on-error", &Options::continue_on_error},
        {"--ignore-protect", &Options::ignore_protect},
        {"--exclude-protected", &Options::exclude_protected},
        {"--target-dependents", &Options::target_dependents},
        {"--exclude-dependents", &Options::exclude_dependents},
        {"--clear-pending-creates", &Options::clear_pending_creates},
        {"--disable-provider-preview", &Options::disable_provider_preview},
        {"--disable-resource-references", &Options::disable_resource_references},
        {"--disable-output-values", &Options::disable_output_values},
        {"--legacy-diff", &Options::legacy_diff},
        {"--legacy-refresh-diff", &Options::legacy_refresh_diff}};
    static const std::map<std::string, std::vector<std::string> Options::*> kLists = {
        {"--target", &Options::targets}, {"--exclude", &Options::excludes}, {"--replace", &Options::replaces}};
    if (const auto found = kSwitches.find(flag); found != kSwitches.end()) {
      options_.*found->second = true;
      run_program_ = run_program_ || flag == "--run-program";
    } else if (const auto list = kLists.find(flag); list != kLists.end()) {
      (options_.*list->second).push_back(names_.UrnOf(Value()));
    } else if (flag == "--target-replace") {
      const std::string urn = names_.UrnOf(Value());
      options_.target_replaces.push_back(urn);
      options_.targets.push_back(urn);
    } else if (flag == "--import-pending-creates") {
      const Urn urn(names_.UrnOf(Value()));
      options_.import_pending_creates[urn] = Value();
    } else if (flag == "--parallel") {
      options_.parallel = std::stoi(Value());
    } else if (flag == "--save-plan") {
      options_.save_plan = flags_.save_plan = true;
    } else if (flag == "--plan") {
      flags_.use_plan = true;
    } else {
      throw Mistake("run: unknown flag " + flag);
    }
  }

  const Names& names_;
  Flags flags_;
  OperationOptions& options_ = flags_.options;
  std::vector<std::string> words_;
  size_t at_ = 0;
  bool run_program_ = false;
};

}  // namespace

Flags ParseFlags(const Names& names, const std::string& text) { return Parser(names, text).flags(); }

}  // namespace kingpost::scenarios
