// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/postgres_url.h"

#include <algorithm>
#include <cctype>

namespace kingpost {

namespace {

constexpr char kScheme[] = "postgres://";

// nullopt-less: what is no %XX stays as it is, for the server to refuse.
std::string Unescape(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 2]));
    plain += escaped ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i];
    if (escaped) i += 2;
  }
  return plain;
}

std::vector<std::pair<std::string, std::string>> ParseQuery(const std::string& query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (size_t begin = 0; begin < query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string part = query.substr(begin, end - begin);
    const size_t equals = part.find('=');
    if (!part.empty()) {
      parameters.emplace_back(Unescape(part.substr(0, equals)),
                              equals == part.npos ? "" : Unescape(part.substr(equals + 1)));
    }
    begin = end + 1;
  }
  return parameters;
}

// The reference writes it into its statements without quotes.
Status CheckTable(const std::string& table) {
  const bool word =
      !table.empty() && !std::isdigit(static_cast<unsigned char>(table[0])) &&
      std::all_of(table.begin(), table.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (word) return Status::Ok();
  return {Code::kInvalidArgument,
          "the parameter 'table' of the backend URL must be a word of letters, digits and _, not '" + table +
              "'; a table in another schema is found with search_path=SCHEMA"};
}

// One setting in the text of libpq's `options`.
std::string Setting(const std::string& name, const std::string& value) {
  std::string text = "-c ";
  for (const char c : name + "=" + value) {
    if (c == ' ' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

bool IsSecret(const std::string& name) { return name == "password" || name == "sslpassword" || name == "user"; }

std::string PrintableQuery(const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string query;
  for (const auto& [name, value] : parameters) {
    query += (query.empty() ? "?" : "&") + name + "=" + (IsSecret(name) ? "****" : value);
  }
  return query;
}

// A user's password may hold an "@", as in the reference's driver; libpq would end it there.
std::string WithEscapedUser(const std::string& authority, size_t at) {
  if (at == authority.npos) return authority;
  std::string escaped;
  for (const char c : authority.substr(0, at)) escaped += c == '@' ? "%40" : std::string(1, c);
  return escaped + authority.substr(at);
}

// Settings that libpq has otherwise than the reference's driver, or worse; the URL's own words come later.
void AddDefaults(const std::function<std::string(const char*)>& variable, PostgresUrl* url) {
  url->parameters = {{"fallback_application_name", "kingpost"},
                     {"client_encoding", "UTF8"},
                     {"keepalives", "1"},
                     {"keepalives_idle", "10"},
                     {"keepalives_interval", "5"},
                     {"keepalives_count", "3"}};
  // A state is not sent in clear because a server happens to be without a certificate.
  if (variable("PGSSLMODE").empty()) url->parameters.emplace_back("sslmode", "require");
  if (variable("PGCONNECT_TIMEOUT").empty()) url->parameters.emplace_back("connect_timeout", "30");
}

}  // namespace

std::string PostgresUrl::Redact(std::string text) const {
  for (const std::string& secret : secrets) {
    for (size_t at = text.find(secret); at != text.npos; at = text.find(secret, at + 4)) {
      text.replace(at, secret.size(), "****");
    }
  }
  return text;
}

Result<PostgresUrl> ParsePostgresUrl(const std::string& url, const std::function<bool(const std::string&)>& known,
                                     const std::function<std::string(const char*)>& variable) {
  if (!url.starts_with(kScheme)) return Status(Code::kInvalidArgument, "no URL of PostgreSQL");
  const size_t question = std::min(url.find('?'), url.size());
  const std::string address = url.substr(sizeof kScheme - 1, question - sizeof kScheme + 1);
  const auto query = ParseQuery(question < url.size() ? url.substr(question + 1) : "");
  const size_t slash = std::min(address.find('/'), address.size());
  const std::string authority = address.substr(0, slash), path = address.substr(slash);
  const size_t at = authority.rfind('@');
  if (path.find('@') != path.npos) {  // all that is said of it could be a part of a password
    return Status(Code::kInvalidArgument,
                  "the URL of the PostgreSQL backend has a \"/\" before its \"@\": in user and password write it as "
                  "%2F, and an \"@\" in the name of the database as %40");
  }
  PostgresUrl parsed;
  if (at != authority.npos) {
    const size_t colon = authority.find(':');
    if (colon < at)
      parsed.secrets = {authority.substr(colon + 1, at - colon - 1),
                        Unescape(authority.substr(colon + 1, at - colon - 1))};
  }
  parsed.printable = kScheme + (at == authority.npos ? authority : "****:****@" + authority.substr(at + 1)) + path +
                     PrintableQuery(query);
  parsed.root = path.size() > 1 ? Unescape(path.substr(1)) + "/" : "";
  AddDefaults(variable, &parsed);
  parsed.parameters.emplace_back("dbname", kScheme + WithEscapedUser(authority, at) + path);
  std::string options = variable("PGOPTIONS");
  for (const auto& [name, value] : query) {
    if (name == "table") {
      if (Status fits = CheckTable(value); !fits.ok()) return fits;
      parsed.table = value;
    } else if (name == "options") {
      options += (options.empty() ? "" : " ") + value;
    } else if (known(name)) {
      if (IsSecret(name) && name != "user") parsed.secrets.push_back(value);
      parsed.parameters.emplace_back(name, value);
    } else if (name != "binary_parameters") {  // of the reference's driver alone
      // As there: a setting of the server, which refuses by name what it does not have.
      options += (options.empty() ? "" : " ") + Setting(name, value);
    }
  }
  if (!options.empty()) parsed.parameters.emplace_back("options", options);
  std::erase_if(parsed.secrets, [](const std::string& secret) { return secret.empty(); });
  return parsed;
}

}  // namespace kingpost
