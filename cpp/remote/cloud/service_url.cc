// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/service_url.h"

#include "base/percent.h"

namespace kingpost {

Result<ServiceUrl> ServiceUrl::Parse(const std::string& text) {
  const size_t colon = text.find("://");
  if (colon == std::string::npos) return Status(Code::kInvalidArgument, "expected a URL, as in s3://BUCKET");
  ServiceUrl url;
  url.scheme_ = text.substr(0, colon);
  std::string rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const size_t question = rest.find('?');
  if (question != std::string::npos) {
    for (auto& [name, value] : SplitQuery(std::string_view(rest).substr(question + 1))) {
      url.parameters_.try_emplace(name, value);  // the first one counts
    }
    rest.resize(question);
  }
  const size_t slash = std::min(rest.find('/'), rest.size());
  url.host_ = rest.substr(0, slash);
  // A name has no use for a user and a password, which would show in messages.
  if (url.host_.find('@') != std::string::npos) {
    return Status(Code::kInvalidArgument,
                  "the URL " + url.scheme_ + "://... has a user in it; credentials come from the environment");
  }
  if (slash < rest.size()) url.path_ = PercentDecode(std::string_view(rest).substr(slash + 1));
  return url;
}

std::string ServiceUrl::root() const { return path_.empty() || path_.ends_with('/') ? path_ : path_ + "/"; }

std::string ServiceUrl::printable() const { return scheme_ + "://" + host_ + (path_.empty() ? "" : "/" + path_); }

std::optional<std::string> ServiceUrl::Take(const std::string& name) {
  auto node = parameters_.extract(name);
  if (node.empty() || node.mapped().empty()) return std::nullopt;
  return std::move(node.mapped());
}

Result<bool> ServiceUrl::TakeBool(const std::string& name, bool otherwise) {
  const std::optional<std::string> text = Take(name);
  if (!text) return otherwise;
  const std::optional<bool> value = ParseGoBool(*text);
  if (value) return *value;
  return Status(Code::kInvalidArgument,
                "invalid value for parameter \"" + name + "\" of " + printable() + ": expected true or false");
}

Result<std::string> ServiceUrl::TakeChoice(const std::string& name, const std::set<std::string>& choices) {
  const std::optional<std::string> text = Take(name);
  if (!text) return std::string();
  if (choices.contains(*text)) return *text;
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  return Status(Code::kInvalidArgument,
                "invalid value for parameter \"" + name + "\" of " + printable() + ": expected one of " + list);
}

std::map<std::string, std::string> ServiceUrl::TakeWithPrefix(const std::string& prefix) {
  std::map<std::string, std::string> taken;
  for (auto at = parameters_.lower_bound(prefix); at != parameters_.end() && at->first.starts_with(prefix);) {
    taken[at->first.substr(prefix.size())] = at->second;
    at = parameters_.erase(at);
  }
  return taken;
}

Status ServiceUrl::RefuseOthers(const std::string& known) const {
  if (parameters_.empty()) return Status::Ok();
  return Status(Code::kInvalidArgument, "unknown query parameter \"" + parameters_.begin()->first + "\" in " +
                                            printable() + "; known are " + known);
}

std::optional<bool> ParseGoBool(const std::string& text) {
  for (const char* yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"0", "f", "F", "FALSE", "false", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

}  // namespace kingpost
