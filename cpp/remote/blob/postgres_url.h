// SPDX-License-Identifier: Apache-2.0
// postgres://USER:PASSWORD@HOST/DATABASE?table=T&...: what of it is for libpq, and what is for us. The reference's
// driver has other defaults and other parameters than libpq has; they are translated here. Pure.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct PostgresUrl {
  std::string printable;  // user and password as ****:****
  std::string root;       // what stands before all keys: "DATABASE/", as in the reference
  std::string table = "pulumi_state";
  // For PQconnectdbParams; the later of two wins.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::string> secrets;  // what may stand in no message

  // text with its secrets as ****
  std::string Redact(std::string text) const;
};

// known: whether libpq has a parameter of that name. variable: the value of an environment variable, "" if unset.
Result<PostgresUrl> ParsePostgresUrl(const std::string& url, const std::function<bool(const std::string&)>& known,
                                     const std::function<std::string(const char*)>& variable);

}  // namespace kingpost
