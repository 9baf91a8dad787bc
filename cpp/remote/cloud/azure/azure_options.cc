// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/azure/azure_options.h"

#include <map>

#include "base/encoding.h"
#include "base/os.h"
#include "remote/cloud/service_url.h"

namespace kingpost {

namespace {

constexpr char kAzureParameters[] = "storage_account, domain, protocol, cdn and localemu";
constexpr char kPublicDomain[] = "blob.core.windows.net";
// The common settings of Azure's emulators; published, and so no secret.
constexpr char kEmulatorAccount[] = "devstoreaccount1";
constexpr char kEmulatorKey[] =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

struct Service {
  std::string account, domain, protocol, endpoint;  // the endpoint of a connection string, "" without one
  bool cdn = false, emulator = false;
  std::string key, sas;  // base64; NAME=VALUE&...
};

std::map<std::string, std::string> ParseConnectionString(const std::string& text) {
  std::map<std::string, std::string> fields;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t equals = part.find('=');
    if (equals != std::string::npos) fields[part.substr(0, equals)] = part.substr(equals + 1);
    begin = end + 1;
  }
  return fields;
}

void TakeConnectionString(Service* service) {
  std::string text = GetEnvironment("AZURE_STORAGE_CONNECTION_STRING");
  if (text.empty()) text = GetEnvironment("AZURE_STORAGEBLOB_CONNECTIONSTRING");
  if (text.empty()) return;
  auto fields = ParseConnectionString(text);
  if (fields["UseDevelopmentStorage"] == "true") {
    fields = {{"AccountName", kEmulatorAccount},
              {"AccountKey", kEmulatorKey},
              {"BlobEndpoint", std::string("http://127.0.0.1:10000/") + kEmulatorAccount}};
  }
  if (service->account.empty()) service->account = fields["AccountName"];
  if (service->protocol.empty()) service->protocol = fields["DefaultEndpointsProtocol"];
  // A key or a permission of the environment goes before those in here.
  if (!service->key.empty() || !service->sas.empty()) return;
  service->key = fields["AccountKey"];
  service->sas = fields["SharedAccessSignature"];
  service->endpoint = fields["BlobEndpoint"];
  if (service->domain.empty() && !fields["EndpointSuffix"].empty())
    service->domain = "blob." + fields["EndpointSuffix"];
}

Service ServiceOfEnvironment() {
  Service service;
  service.account = GetEnvironment("AZURE_STORAGE_ACCOUNT");
  service.domain = GetEnvironment("AZURE_STORAGE_DOMAIN");
  service.protocol = GetEnvironment("AZURE_STORAGE_PROTOCOL");
  service.cdn = ParseGoBool(GetEnvironment("AZURE_STORAGE_IS_CDN")).value_or(false);
  service.emulator = ParseGoBool(GetEnvironment("AZURE_STORAGE_IS_LOCAL_EMULATOR")).value_or(false);
  if (!service.account.empty()) service.key = GetEnvironment("AZURE_STORAGE_KEY");
  if (service.key.empty()) service.sas = GetEnvironment("AZURE_STORAGE_SAS_TOKEN");
  TakeConnectionString(&service);
  return service;
}

Result<std::string> BaseUrl(const Service& service) {
  if (!service.endpoint.empty()) return service.endpoint;
  if (service.account.empty()) {
    return Status(Code::kInvalidArgument,
                  "no Azure storage account is named: set AZURE_STORAGE_ACCOUNT, or add storage_account=NAME");
  }
  const std::string protocol = service.protocol.empty() ? "https" : service.protocol;
  if (protocol != "http" && protocol != "https") {
    return Status(Code::kInvalidArgument, "the protocol of Azure's storage is http or https, not '" + protocol + "'");
  }
  const std::string domain = service.domain.empty() ? kPublicDomain : service.domain;
  if (domain.starts_with("127.0.0.1") || domain.starts_with("localhost") || service.emulator) {
    return protocol + "://" + domain + "/" + service.account;
  }
  return protocol + "://" + (service.cdn ? "" : service.account + ".") + domain;
}

std::string OriginOf(const std::string& url) { return url.substr(0, url.find('/', url.find("://") + 3)); }

Status TakeParameters(ServiceUrl* url, Service* service) {
  if (const auto account = url->Take("storage_account")) service->account = *account;
  if (const auto domain = url->Take("domain")) service->domain = *domain;
  if (const auto protocol = url->Take("protocol")) service->protocol = *protocol;
  const Result<bool> cdn = url->TakeBool("cdn", service->cdn), emulator = url->TakeBool("localemu", service->emulator);
  if (!cdn.ok()) return cdn.status();
  if (!emulator.ok()) return emulator.status();
  service->cdn = cdn.value();
  service->emulator = emulator.value();
  return url->RefuseOthers(kAzureParameters);
}

// A signed permission is as good as a password: no URL in a file may send it to another server.
Status KeepPermission(const Service& before, const Service& after) {
  if (after.sas.empty()) return Status::Ok();
  const Result<std::string> usual = BaseUrl(before), wanted = BaseUrl(after);
  if (!usual.ok() || !wanted.ok() || OriginOf(*usual) == OriginOf(*wanted)) return Status::Ok();
  return {Code::kInvalidArgument,
          "a signed permission (AZURE_STORAGE_SAS_TOKEN) is sent only to the service of the environment, and the URL "
          "names another; name that one in AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_DOMAIN"};
}

}  // namespace

Result<AzureOptions> AzureOptions::From(const std::string& text) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  if (url->host().empty())
    return Status(Code::kInvalidArgument, "the URL names no container: expected azblob://CONTAINER");
  const Service before = ServiceOfEnvironment();
  Service service = before;
  KP_TRY(TakeParameters(&*url, &service));
  KP_TRY(KeepPermission(before, service));
  Result<std::string> base = BaseUrl(service);
  if (!base.ok()) return base.status();
  while (base->ends_with('/')) base->pop_back();
  AzureOptions options;
  options.container = url->host();
  options.root = url->root();
  options.printable_url = url->printable();
  options.account = service.account;
  options.endpoint = OriginOf(*base);
  options.path_base = base->substr(options.endpoint.size()) + "/" + PercentEncode(options.container) + "/";
  const auto key = Base64Decode(service.key);
  if (!key) return Status(Code::kInvalidArgument, "the key of the storage account (AZURE_STORAGE_KEY) is not base64");
  options.key = *key;
  options.sas = SplitQuery(service.sas.starts_with('?') ? service.sas.substr(1) : service.sas);
  return options;
}

}  // namespace kingpost
