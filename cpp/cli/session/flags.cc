// SPDX-License-Identifier: Apache-2.0
// Flags on CLI11. The only file that includes it: the header is large and this keeps it out of every command.
#include "cli/session/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <deque>
#include <utility>

#include "base/edit_distance.h"
#include "base/encoding.h"
#include "base/os.h"
#include "cli/session/exit_code.h"

namespace kingpost {

namespace {

// CLI11 takes a value "[1, 2]" apart into several. This before it keeps it whole.
constexpr char kBracketGuard = '\x01';
constexpr char kCompatibilitySection[] = "Accepted for compatibility, without effect";

}  // namespace

namespace {

// "sel" of "select"; a letter or two say nothing.
bool IsBeginningOf(const std::string& typed, const std::string& name) {
  return typed.size() >= std::max<size_t>(3, typed.find_first_not_of('-') + 3) && name.starts_with(typed);
}

}  // namespace

std::string NearestName(const std::string& typed, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, typed.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = IsBeginningOf(typed, candidate) ? 1 : EditDistance(typed, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

struct Flags::Impl {
  CLI::App app;
  std::string full_name;
  std::string surplus;
  // The filled texts, to take kBracketGuard off again.
  std::vector<std::string*> texts;
  std::vector<std::vector<std::string>*> lists;
  struct Ignored {
    std::string value, missing;
    CLI::Option* option = nullptr;
  };
  std::deque<Ignored> ignored;  // accepted flags without effect
  struct Refused {
    std::string value, why;
    CLI::Option* option = nullptr;
  };
  std::deque<Refused> refused;
  std::map<const CLI::Option*, std::vector<std::string>> choices;
  using Texts = std::vector<std::string>;
  struct Writer {
    std::string flag;
    std::function<Texts(const std::string& flag)> arguments;
  };
  std::vector<Writer> writers;

  void AddWriter(const std::string& names, std::function<Texts(const std::string& flag)> arguments);
  // PULUMI_OPTION_<FLAG> for each flag that is not given.
  Status ReadVariables();
  Status RefuseGiven() const;
};

void Flags::Impl::AddWriter(const std::string& names, std::function<Texts(const std::string& flag)> arguments) {
  writers.push_back({names.substr(names.find("--")), std::move(arguments)});
}

namespace {

std::vector<std::string> WithEach(const std::string& flag, const std::vector<std::string>& values) {
  std::vector<std::string> arguments;
  for (const std::string& value : values) arguments.push_back(flag + "=" + value);
  return arguments;
}

std::vector<std::string> WithText(const std::string& flag, const std::string& value) {
  return value.empty() ? std::vector<std::string>() : WithEach(flag, {value});
}

}  // namespace

Flags::Flags(const std::string& full_name, std::string summary) : impl_(std::make_unique<Impl>()) {
  impl_->full_name = full_name;
  impl_->app.name(full_name);
  impl_->app.description(std::move(summary));
  impl_->app.set_help_flag();
  impl_->app.set_config();
  impl_->app.allow_extras();
}

Flags::~Flags() = default;

void Flags::Switch(const std::string& names, bool* value, const std::string& help) {
  impl_->app.add_flag(names, *value, help)->take_last()->group(section_);
  impl_->AddWriter(names, [value, otherwise = *value](const std::string& flag) -> std::vector<std::string> {
    if (*value) return {flag};
    return otherwise ? WithText(flag, "false") : std::vector<std::string>();
  });
}

void Flags::Text(const std::string& names, std::string* value, const std::string& help) {
  impl_->app.add_option(names, *value, help)->take_last()->group(section_);
  impl_->texts.push_back(value);
  impl_->AddWriter(names, [value](const std::string& flag) { return WithText(flag, *value); });
}

void Flags::Choice(const std::string& names, const std::vector<std::string>& words, const std::string& help,
                   std::function<void(const std::string&)> take) {
  const auto check = [names, words](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return;
    std::string expected;
    for (size_t i = 0; i < words.size(); ++i) {
      expected += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ("\"" + words[i] + "\"");
    }
    throw CLI::ValidationError("invalid " + names + " value \"" + word + "\" (expected " + expected + ")",
                               CLI::ExitCodes::ValidationError);
  };
  const auto filled = [check, take = std::move(take)](const std::string& word) {
    check(word);
    take(word);
  };
  CLI::Option* option = impl_->app.add_option_function<std::string>(names, filled, help);
  option->take_last()->group(section_);
  impl_->choices[option] = words;
}

void Flags::Int(const std::string& names, int* value, const std::string& help) {
  impl_->app.add_option(names, *value, help)->take_last()->group(section_);
  impl_->AddWriter(
      names, [value](const std::string& flag) { return WithText(flag, *value == 0 ? "" : std::to_string(*value)); });
}

void Flags::OptionalText(const std::string& names, std::string* value, const std::string& bare,
                         const std::string& help) {
  impl_->app.add_flag(names + "{" + bare + "}", *value, help)->take_last()->group(section_);
  impl_->AddWriter(names, [value](const std::string& flag) { return WithText(flag, *value); });
}

void Flags::OptionalList(const std::string& names, std::vector<std::string>* value, const std::string& bare,
                         const std::string& help) {
  impl_->app.add_flag(names + "{" + bare + "}", *value, help)->take_all()->group(section_);
  impl_->AddWriter(names, [value](const std::string& flag) { return WithEach(flag, *value); });
}

void Flags::List(const std::string& names, std::vector<std::string>* value, const std::string& help,
                 bool split_commas) {
  CLI::Option* option = impl_->app.add_option(names, *value, help)->take_all()->allow_extra_args(false);
  if (split_commas) option->delimiter(',');
  option->group(section_);
  impl_->lists.push_back(value);
  impl_->AddWriter(names, [value](const std::string& flag) { return WithEach(flag, *value); });
}

void Flags::Argument(const std::string& name, std::string* value, const std::string& help, bool required) {
  CLI::Option* option = impl_->app.add_option(name, *value, help);
  if (required) option->required();
  impl_->texts.push_back(value);
}

void Flags::Arguments(const std::string& name, std::vector<std::string>* value, const std::string& help) {
  impl_->app.add_option(name, *value, help);
  impl_->lists.push_back(value);
}

void Flags::AcceptSwitch(const std::string& names, const std::string& missing) {
  Impl::Ignored& ignored = impl_->ignored.emplace_back();
  ignored.missing = missing;
  // A text, so that any --flag=value is taken too.
  ignored.option = impl_->app.add_flag(names, ignored.value)->take_last()->group(kCompatibilitySection);
}

void Flags::AcceptText(const std::string& names, const std::string& missing) {
  Impl::Ignored& ignored = impl_->ignored.emplace_back();
  ignored.missing = missing;
  ignored.option = impl_->app.add_option(names, ignored.value)->take_last()->group(kCompatibilitySection);
}

void Flags::RefuseSwitch(const std::string& names, const std::string& why) {
  Impl::Refused& refused = impl_->refused.emplace_back();
  refused.why = why;
  refused.option = impl_->app.add_flag(names, refused.value)->take_last()->group("");
}

void Flags::RefuseText(const std::string& names, const std::string& why) {
  Impl::Refused& refused = impl_->refused.emplace_back();
  refused.why = why;
  refused.option = impl_->app.add_option(names, refused.value)->take_all()->group("");
}

namespace {

// "PULUMI_OPTION_SKIP_PREVIEW" of "skip-preview"
std::string OptionVariable(const std::string& flag) {
  std::string name = "PULUMI_OPTION_";
  for (const char c : flag) name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// a,b of `a,b`, and a,b as one of `"a,b"`; two quotes within quotes are one.
std::vector<std::string> SplitCommas(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::string part;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      part += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      parts.push_back(std::exchange(part, ""));
    } else {
      part += text[i];
    }
  }
  parts.push_back(part);
  return parts;
}

void TakeGuardOff(std::string* text) {
  if (!text->empty() && text->front() == kBracketGuard) text->erase(0, 1);
}

// "-y=false" is written as CLI11 understands it, "--yes=false".
std::vector<std::string> ReversedForParser(const CLI::App& app, const std::vector<std::string>& args) {
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  for (std::string& arg : reversed) {
    if (arg.size() > 1 && arg.front() == '[' && arg.back() == ']') arg.insert(0, 1, kBracketGuard);
  }
  const auto flags_end = std::find(reversed.rbegin(), reversed.rend(), "--");
  for (auto arg = reversed.rbegin(); arg != flags_end; ++arg) {
    if (arg->size() < 3 || (*arg)[0] != '-' || (*arg)[1] == '-' || (*arg)[2] != '=') continue;
    const CLI::Option* option = app.get_option_no_throw(arg->substr(0, 2));
    if (option && !option->get_lnames().empty()) *arg = "--" + option->get_lnames().front() + arg->substr(2);
  }
  return reversed;
}

// The parser's "Could not convert: --parallel = x", in the reference's words.
std::string InvalidValue(const std::string& text) {
  const size_t begin = text.find("--"), middle = text.find(" = ");
  if (begin == std::string::npos || middle == std::string::npos) return "invalid argument: " + text;
  const std::string value = text.substr(middle + 3);
  return "invalid argument " + Quote(value) + " for \"" + text.substr(begin, middle - begin) + "\" flag";
}

std::string UnknownFlag(const CLI::App& app, const std::string& full_name, const std::string& typed) {
  // Short flags are one letter. What follows may be a secret: `config set --secret key -hunter2`.
  if (typed.size() > 2 && typed[1] != '-') {
    return "unknown flag: " + typed.substr(0, 2) + "; write -- before values that begin with a dash, or see '" +
           full_name + " --help'";
  }
  const std::string name = typed.substr(0, typed.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  const std::string nearest = NearestName(name, known);
  return "unknown flag: " + name +
         (nearest.empty() ? "; see '" + full_name + " --help'" : "; did you mean " + nearest + "?");
}

}  // namespace

Status Flags::Impl::ReadVariables() {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->count() > 0) continue;
    const std::string name = OptionVariable(option->get_lnames().front());
    const std::string value = GetEnvironment(name.c_str());
    if (value.empty()) continue;
    const bool is_list = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    try {
      for (const std::string& part : is_list ? SplitCommas(value) : std::vector<std::string>{value}) {
        option->add_result(part);
      }
      if (option->count() > 0) option->run_callback();
    } catch (const CLI::ParseError&) {
      return UsageError("the variable " + name + " has the value \"" + value + "\", which the flag --" +
                        option->get_lnames().front() + " does not accept");
    }
  }
  return Status::Ok();
}

Status Flags::Impl::RefuseGiven() const {
  for (const Refused& one : refused) {
    if (one.option->count() > 0 && one.value != "false") return Fail(ExitCode::kFailed, one.why);
  }
  return Status::Ok();
}

Status Flags::Parse(const std::vector<std::string>& args) {
  CLI::App& app = impl_->app;
  try {
    app.parse(ReversedForParser(app, args));
  } catch (const CLI::RequiredError& error) {
    return UsageError("missing argument: " + std::string(error.what()) + "; see '" + impl_->full_name + " --help'");
  } catch (const CLI::ArgumentMismatch& error) {
    // "--target: 1 required TEXT missing"
    const std::string text = error.what();
    return UsageError("flag needs an argument: " + (text.ends_with("missing") ? text.substr(0, text.find(':')) : text));
  } catch (const CLI::ConversionError& error) {
    return UsageError(InvalidValue(error.what()));
  } catch (const CLI::ValidationError& error) {
    return UsageError(error.what());
  } catch (const CLI::ParseError& error) {
    return UsageError("invalid argument: " + std::string(error.what()));
  }

  for (std::string* text : impl_->texts) TakeGuardOff(text);
  for (std::vector<std::string>* list : impl_->lists) {
    for (std::string& text : *list) TakeGuardOff(&text);
  }
  if (const Status read = impl_->ReadVariables(); !read.ok()) return read;
  if (const Status refused = impl_->RefuseGiven(); !refused.ok()) return refused;
  bool flags_ended = false;
  for (const std::string& extra : app.remaining()) {
    if (extra == "--" && !flags_ended) {
      flags_ended = true;
      continue;
    }
    if (!flags_ended && extra.size() > 1 && extra[0] == '-') {
      return UsageError(UnknownFlag(app, impl_->full_name, extra));
    }
    impl_->surplus = extra;
    return UsageError("unknown command or argument '" + extra + "' for '" + impl_->full_name + "'; see '" +
                      impl_->full_name + " --help'");
  }
  return Status::Ok();
}

const std::string& Flags::surplus() const { return impl_->surplus; }

std::vector<std::string> Flags::Missing() const {
  std::vector<std::string> texts;
  for (const Impl::Ignored& ignored : impl_->ignored) {
    const bool is_given = ignored.option->count() > 0 && ignored.value != "false";
    if (is_given && !ignored.missing.empty()) {
      texts.push_back(ignored.option->get_name() + " has no effect: " + ignored.missing);
    }
  }
  return texts;
}

bool Flags::Declares(const std::string& name) const { return impl_->app.get_option_no_throw(name) != nullptr; }

std::map<std::string, std::string> Flags::GivenFlags() const {
  std::map<std::string, std::string> given;
  for (const CLI::Option* option : impl_->app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const bool is_switch = option->get_expected_max() == 0;
    given[option->get_lnames().front()] = !is_switch ? "set" : option->results().back() == "false" ? "false" : "true";
  }
  return given;
}

std::vector<Flags::WrittenFlag> Flags::WriteArguments() const {
  std::vector<WrittenFlag> written;
  for (const Impl::Writer& writer : impl_->writers) {
    std::vector<std::string> arguments = writer.arguments(writer.flag);
    if (!arguments.empty()) written.push_back({writer.flag, std::move(arguments)});
  }
  return written;
}

bool Flags::Given(const std::string& name) const { return impl_->app.count(name) > 0; }

std::string Flags::Help() const { return impl_->app.help(); }

std::vector<FlagFacts> Flags::KnownFlags() const {
  std::vector<FlagFacts> known;
  for (const CLI::Option* option : impl_->app.get_options()) {
    FlagFacts facts;
    for (const std::string& name : option->get_lnames()) facts.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) facts.names.push_back("-" + name);
    if (facts.names.empty()) continue;
    facts.help = option->get_description();
    facts.takes_value = option->get_expected_max() > 0;
    facts.hidden = option->get_group().empty() || option->get_group() == kCompatibilitySection;
    if (const auto found = impl_->choices.find(option); found != impl_->choices.end()) facts.choices = found->second;
    known.push_back(std::move(facts));
  }
  return known;
}

std::vector<ArgumentFacts> Flags::KnownArguments() const {
  std::vector<ArgumentFacts> known;
  for (const CLI::Option* option : impl_->app.get_options()) {
    if (option->get_positional()) known.push_back({option->get_name(true), option->get_expected_max() > 1});
  }
  return known;
}

void DeclareJson(Flags& flags, const std::shared_ptr<bool>& as_json) {
  flags.Switch("-j,--json", as_json.get(), "As JSON");
  flags.Choice("--output", {"default", "json"}, "default, or json for --json",
               [as_json](const std::string& chosen) { *as_json = chosen == "json"; });
}

}  // namespace kingpost
