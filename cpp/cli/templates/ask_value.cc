// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/ask_value.h"

#include <unistd.h>

#include <cctype>
#include <optional>

#include "cli/session/exit_code.h"
#include "console/prompt/ask.h"

namespace kingpost {

namespace {

// "Project name" as it stands within a sentence.
std::string WithinSentence(std::string label) {
  if (!label.empty()) label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

std::optional<std::string> Typed(const Session& session, const ValueQuestion& question) {
  const std::string& otherwise = question.default_value;
  const std::string shown = otherwise.empty() ? "" : question.secret ? " ([secret])" : " (" + otherwise + ")";
  if (!question.secret) return AskForLine(session.painter(), question.label + shown + ":");
  const char* text = ::getpass((question.label + shown + ": ").c_str());
  return text ? std::optional<std::string>(text) : std::nullopt;
}

}  // namespace

Result<std::string> AskValue(Session& session, bool take_default, const ValueQuestion& question) {
  const auto check = [&](const std::string& value) { return question.check ? question.check(value) : Status::Ok(); };
  if (take_default || !session.interactive()) {
    const Status fits = check(question.default_value);
    if (fits.ok()) return question.default_value;
    return Fail(ExitCode::kFailed, "'" + question.default_value + "' is not a valid " + WithinSentence(question.label) +
                                       ". " + fits.message());
  }
  while (true) {
    std::optional<std::string> typed = Typed(session, question);
    if (!typed) return Fail(ExitCode::kFailed, "the input ended without an answer; the command stops here");
    if (typed->empty()) typed = question.default_value;
    const Status fits = check(*typed);
    if (fits.ok()) return *typed;
    session.Say("Sorry, '" + *typed + "' is not a valid " + WithinSentence(question.label) + ". " + fits.message() +
                "\n");
  }
}

}  // namespace kingpost
