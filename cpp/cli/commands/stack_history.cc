// SPDX-License-Identifier: Apache-2.0
// stack history: what was done to the stack, newest first.
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

using Json = nlohmann::json;

struct HistoryOptions {
  std::string stack;
  bool json = false, show_secrets = false, full_dates = false;
  int page_size = 10, page = 1;
};

bool HoldsSecret(const Json& value) {
  if (value.is_object() && value.size() == 1 && value.contains("secure")) return true;
  if (!value.is_structured()) return false;
  for (const auto& part : value) {
    if (HoldsSecret(part)) return true;
  }
  return false;
}

// The value with its ciphertexts decrypted, in place of {"secure": ...}.
Result<Json> Decrypted(const Json& value, SecretsManager* secrets) {
  if (value.is_object() && value.size() == 1 && value.contains("secure") && value["secure"].is_string()) {
    const Result<std::string> plain = secrets->Decrypt(TextIn(value["secure"]));
    if (!plain.ok()) return plain.status();
    return Json(*plain);
  }
  Json out = value;
  if (out.is_structured()) {
    for (auto& part : out) {
      Result<Json> inner = Decrypted(part, secrets);
      if (!inner.ok()) return inner.status();
      part = std::move(*inner);
    }
  }
  return out;
}

Json ConfigEntry(const Json& value, SecretsManager* secrets) {
  Json entry = Json::object();
  const bool secret = HoldsSecret(value);
  entry["secret"] = secret;
  if (secret && !secrets) return entry;
  Json shown = value;
  if (secret) {
    Result<Json> plain = Decrypted(value, secrets);
    if (!plain.ok()) {
      entry["value"] = "ERROR_UNABLE_TO_DECRYPT";
      return entry;
    }
    shown = std::move(*plain);
  }
  entry["value"] = shown.is_string() ? TextIn(shown) : shown.dump();
  if (value.is_structured() && !(value.is_object() && value.contains("secure"))) entry["objectValue"] = shown;
  return entry;
}

nlohmann::ordered_json HistoryEntry(const Json& record, SecretsManager* secrets) {
  nlohmann::ordered_json entry;
  entry["version"] = IntegerOf(record, "version");
  entry["kind"] = TextOf(record, "kind");
  entry["startTime"] = ApiTime(IntegerOf(record, "startTime") * 1000);
  entry["message"] = TextOf(record, "message");
  entry["environment"] = ObjectOf(record, "environment");
  Json config = Json::object();
  const Json recorded = ObjectOf(record, "config");
  for (const auto& [key, value] : recorded.items()) config[key] = ConfigEntry(value, secrets);
  entry["config"] = config;
  const std::string result = TextOf(record, "result");
  entry["result"] = result;
  if (result != "in-progress") {
    entry["endTime"] = ApiTime(IntegerOf(record, "endTime") * 1000);
    entry["resourceChanges"] = ObjectOf(record, "resourceChanges");
  }
  return entry;
}

std::string Paragraph(const Json& record, bool full_dates, const Painter& painter) {
  const std::string result = TextOf(record, "result");
  const int64_t start = IntegerOf(record, "startTime");
  const Json changes = ObjectOf(record, "resourceChanges");
  const auto count = [&](const char* op) { return std::to_string(IntegerOf(changes, op)); };
  std::string out = "Version: " + std::to_string(IntegerOf(record, "version")) + "\n";
  out += "UpdateKind: " + TextOf(record, "kind") + "\n";
  out += painter.Paint(result == "succeeded" ? Style::kGreen : Style::kRed, "Status: " + result) + "\n";
  out += "Message: " + Printable(TextOf(record, "message")) + "\n";
  out += painter.Paint(Style::kGreen, "+" + count("create")) + painter.Paint(Style::kRed, "-" + count("delete")) +
         painter.Paint(Style::kYellow, "~" + count("update")) + " " + count("same");
  out += " Updated " + (full_dates ? ApiTime(start * 1000) : AgoText(start * 1000)) + " took " +
         std::to_string(IntegerOf(record, "endTime") - start) + "s\n";
  const Json environment = ObjectOf(record, "environment");
  for (const auto& [key, value] : environment.items()) {
    if (value.is_string() && !TextIn(value).empty()) {
      out += "    " + Printable(key) + ": " + Printable(TextIn(value)) + "\n";
    }
  }
  return out + "\n";
}

Status Run(Session& session, const HistoryOptions& options, bool paged) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<StateStore*> store = session.store();
  if (options.page < 1 || options.page_size < 0) return UsageError("--page and --page-size must be positive");
  const Result<std::vector<std::string>> records =
      (*store)->ReadHistory(*stack, paged ? options.page_size : 0, paged ? options.page : 1);
  if (!records.ok()) return records.status();

  std::shared_ptr<SecretsManager> secrets;
  if (options.show_secrets) {
    const Result<std::string> document = ReadCheckpoint(session, *stack);
    if (!document.ok()) return document.status();
    Result<std::shared_ptr<SecretsManager>> manager = SecretsOfStack(session, *stack, *document);
    if (!manager.ok()) return manager.status();
    secrets = std::move(*manager);
  }

  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  for (const std::string& bytes : *records) {
    const Json record = ParseJson(bytes);
    if (!record.is_object()) {
      session.Warn("skipping a record of the history that is not readable");
    } else if (options.json) {
      list.push_back(HistoryEntry(record, secrets.get()));
    } else {
      text += Paragraph(record, options.full_dates, session.painter());
    }
  }
  if (options.json) text = PrintableJson(list.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
  if (text.empty()) {
    text = options.page > 1 ? "No stack updates found on page '" + std::to_string(options.page) + "'\n"
                            : "Stack has never been updated\n";
  }
  session.Say(text);
  return Status::Ok();
}

}  // namespace

void AddStackHistoryCommand(Commands* commands) {
  commands->push_back({"stack history",
                       "Show what was done to the stack",
                       [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<HistoryOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
                         flags.Switch("--show-secrets", &options->show_secrets, "Show secret configuration in clear");
                         flags.Switch("--full-dates", &options->full_dates, "Show dates instead of ages");
                         flags.Int("--page-size", &options->page_size, "Records per page; all without --page, else 10");
                         flags.Int("--page", &options->page, "Which page, from 1");
                         return [options, &flags](Session& session) {
                           const bool paged = flags.Given("--page-size") || flags.Given("--page");
                           return Run(session, *options, paged);
                         };
                       },
                       {"hist"}});
}

void AddStackStateCommands(Commands* commands) {
  AddStackOutputCommand(commands);
  AddStackExportCommand(commands);
  AddStackImportCommand(commands);
  AddStackHistoryCommand(commands);
  AddStackRollbackCommand(commands);
  AddStackSecretsCommand(commands);
}

}  // namespace kingpost
