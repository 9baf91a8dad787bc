// SPDX-License-Identifier: Apache-2.0
// The URLs that name buckets and keys: scheme://NAME[/PATH][?PARAMETER=VALUE&...].
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/status.h"

namespace kingpost {

class ServiceUrl {
 public:
  static Result<ServiceUrl> Parse(const std::string& url);

  const std::string& scheme() const { return scheme_; }
  const std::string& host() const { return host_; }
  const std::string& path() const { return path_; }  // decoded, without the first "/"
  // The path as what keys begin with: "", or "team/x/".
  std::string root() const;
  std::string printable() const;  // without parameters

  // A parameter that was taken is known. Nothing if it is not there, or empty.
  std::optional<std::string> Take(const std::string& name);
  Result<bool> TakeBool(const std::string& name, bool otherwise = false);
  // One of them, or "".
  Result<std::string> TakeChoice(const std::string& name, const std::set<std::string>& choices);
  std::map<std::string, std::string> TakeWithPrefix(const std::string& prefix);  // names without it
  // An error that names what nobody took.
  Status RefuseOthers(const std::string& known) const;

 private:
  std::string scheme_, host_, path_;
  std::map<std::string, std::string> parameters_;
};

// As Go reads one: 1, t, T, TRUE, true, True, 0, ...
std::optional<bool> ParseGoBool(const std::string& text);

}  // namespace kingpost
