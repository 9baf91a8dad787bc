// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/azure/shared_key.h"

#include <map>

#include "base/encoding.h"
#include "base/text.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

std::map<std::string, std::string> ByLowerName(const Parameters& parameters) {
  std::map<std::string, std::string> by_name;
  for (const auto& [name, value] : parameters) by_name[Lowered(name)] = value;
  return by_name;
}

std::string TextToSign(const AzureRequest& request, const std::string& account) {
  const std::map<std::string, std::string> headers = ByLowerName(request.headers);
  const auto header = [&](const char* name) {
    const auto found = headers.find(name);
    return (found == headers.end() ? "" : found->second) + "\n";
  };
  std::string text = request.method + "\n" + header("content-encoding") + header("content-language");
  text += (request.body.empty() ? "" : std::to_string(request.body.size())) + "\n";
  for (const char* name : {"content-md5", "content-type", "date", "if-modified-since", "if-match", "if-none-match",
                           "if-unmodified-since", "range"}) {
    text += header(name);
  }
  for (const auto& [name, value] : headers) {
    if (name.starts_with("x-ms-")) text += name + ":" + value + "\n";
  }
  text += "/" + account + request.path;
  for (const auto& [name, value] : ByLowerName(request.query)) text += "\n" + name + ":" + value;
  return text;
}

}  // namespace

HttpRequest PlainAzureRequest(const AzureRequest& request) {
  HttpRequest http;
  http.method = request.method;
  http.url = request.endpoint + request.path + (request.query.empty() ? "" : "?" + FormBody(request.query));
  http.headers = request.headers;
  http.body = request.body;
  http.follow_redirects = false;
  return http;
}

HttpRequest SignWithSharedKey(const AzureRequest& request, const std::string& account, const std::string& key) {
  HttpRequest http = PlainAzureRequest(request);
  const std::string signature = Base64Encode(HmacSha256(key, TextToSign(request, account)));
  http.headers.emplace_back("Authorization", "SharedKey " + account + ":" + signature);
  return http;
}

}  // namespace kingpost
