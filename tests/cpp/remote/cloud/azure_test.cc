// SPDX-License-Identifier: Apache-2.0
// Checks each kind of Azure's credentials, and the requests to its storage. With servers: bucket_contract_test.cc.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "base/encoding.h"
#include "remote/cloud/azure/azure_bucket.h"
#include "remote/cloud/azure/credentials.h"
#include "remote/cloud/fake_io.h"
#include "remote/cloud/key_pair.h"
#include "remote/cloud/signatures.h"
#include "support/temp_folder.h"

namespace kingpost::azure_test {

using testing::FakeEnvironment;
using testing::FakeIo;
using testing::HeaderIn;

struct Home {
  Home() : environment({"AZURE_", "IDENTITY_"}) {
    environment.Set("HOME", folder.path());
    environment.Set("PATH", folder / "bin");
    std::filesystem::create_directories(folder / "bin");
  }
  void Write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string TokenFound() {
    const Result<AccessToken> token = FindAzureToken(world.io(), "https://storage.azure.com");
    return token.ok() ? token.value().text : token.status().message();
  }

  TempFolder folder;
  FakeEnvironment environment;
  FakeIo world;
};

struct Place {
  std::string url, endpoint, path_base;
};

TEST_CASE("parameters and variables say where a container is", "[cloud]") {
  Home home;
  home.environment.Set("AZURE_STORAGE_ACCOUNT", "acct");
  for (const Place& row : std::vector<Place>{
           {"azblob://team/sub", "https://acct.blob.core.windows.net", "/team/"},
           {"azblob://team?storage_account=other", "https://other.blob.core.windows.net", "/team/"},
           {"azblob://team?domain=blob.core.chinacloudapi.cn", "https://acct.blob.core.chinacloudapi.cn", "/team/"},
           {"azblob://team?domain=cdn.acme.com&cdn=true", "https://cdn.acme.com", "/team/"},
           {"azblob://team?domain=127.0.0.1:10000&protocol=http", "http://127.0.0.1:10000", "/acct/team/"},
           {"azblob://team?domain=emu:1&protocol=http&localemu=true", "http://emu:1", "/acct/team/"}}) {
    INFO(row.url);
    const Result<AzureOptions> options = AzureOptions::From(row.url);
    REQUIRE(options.ok());
    CHECK(options.value().endpoint == row.endpoint);
    CHECK(options.value().path_base == row.path_base);
  }
  CHECK(AzureOptions::From("azblob://team?zone=x").status().message().find("\"zone\"") != std::string::npos);
  CHECK_FALSE(AzureOptions::From("azblob://team?protocol=ftp").ok());
  CHECK_FALSE(AzureOptions::From("azblob://").ok());
  home.environment.Set("AZURE_STORAGE_ACCOUNT", nullptr);
  CHECK(AzureOptions::From("azblob://team").status().message().find("AZURE_STORAGE_ACCOUNT") != std::string::npos);
}

TEST_CASE("a key goes before a permission, both before a connection string", "[cloud]") {
  Home home;
  home.environment.Set(
      "AZURE_STORAGE_CONNECTION_STRING",
      "DefaultEndpointsProtocol=https;AccountName=named;AccountKey=a2V5PT0=;EndpointSuffix=core.x.net");
  const AzureOptions string = *AzureOptions::From("azblob://team");
  CHECK(string.endpoint == "https://named.blob.core.x.net");
  CHECK(string.key == "key==");
  home.environment.Set("AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=a%2Bb");
  home.environment.Set("AZURE_STORAGE_ACCOUNT", "acct");
  const AzureOptions permission = *AzureOptions::From("azblob://team");
  CHECK(permission.key.empty());
  CHECK(permission.sas == Parameters{{"sv", "1"}, {"sig", "a+b"}});
  const Status elsewhere = AzureOptions::From("azblob://team?domain=thief.com").status();
  CHECK(elsewhere.message().find("is sent only to") != std::string::npos);
  home.environment.Set("AZURE_STORAGE_KEY", "a2V5");
  CHECK(AzureOptions::From("azblob://team")->key == "key");
  CHECK(AzureOptions::From("azblob://team")->sas.empty());
  home.environment.Set("AZURE_STORAGE_KEY", "canary key");
  const Status wrong = AzureOptions::From("azblob://team").status();
  CHECK(wrong.message().find("is not base64") != std::string::npos);
  CHECK(wrong.message().find("canary") == std::string::npos);
}

TEST_CASE("a client, a workload, a machine and a login give tokens, in this order", "[cloud]") {
  Home home;
  const std::string none = home.TokenFound();
  for (const char* part :
       {"AZURE_CLIENT_ID", "AZURE_FEDERATED_TOKEN_FILE", "IDENTITY_ENDPOINT",
        "no service answers at http://169.254.169.254", "the command 'az' is not on PATH", "'azd'"}) {
    INFO(none);
    CHECK(none.find(part) != std::string::npos);
  }
  home.Write("bin/az", "#!/bin/sh\necho '{\"accessToken\":\"az\",\"expires_on\":1440941760}'\n");
  chmod((home.folder / "bin/az").c_str(), 0755);
  home.world.Answer(400, R"({"error":"invalid_request","error_description":"Identity not found"})");
  CHECK(home.TokenFound() == "az");
  home.world.Answer(200, R"({"access_token":"machine","expires_in":"3599"})");
  CHECK(home.TokenFound() == "machine");
  CHECK(HeaderIn(home.world.requests.back(), "Metadata") == "true");
  home.environment.Set("IDENTITY_ENDPOINT", "http://127.0.0.1:1/msi");
  home.environment.Set("IDENTITY_HEADER", "canary");
  home.world.Answer(200, R"({"access_token":"app","expires_in":"3599"})");
  CHECK(home.TokenFound() == "app");
  home.environment.Set("AZURE_TENANT_ID", "t");
  home.environment.Set("AZURE_CLIENT_ID", "c");
  home.Write("token", "jwt\n");
  home.environment.Set("AZURE_FEDERATED_TOKEN_FILE", home.folder / "token");
  home.world.Answer(200, R"({"access_token":"workload","expires_in":3599})");
  CHECK(home.TokenFound() == "workload");
  CHECK(home.world.requests.back().body.ends_with("&client_assertion=jwt"));
  home.environment.Set("AZURE_CLIENT_SECRET", "canary");
  home.environment.Set("AZURE_AUTHORITY_HOST", "https://login.acme.com/");
  home.world.Answer(401, R"({"error":"invalid_client","error_description":"AADSTS7000215: wrong\nTrace ID: 1"})");
  CHECK(home.TokenFound() == "the Azure client c: invalid_client AADSTS7000215: wrong");
  CHECK(home.world.requests.back().url == "https://login.acme.com/t/oauth2/v2.0/token");
}

TEST_CASE("a client signs with the key of its certificate", "[cloud]") {
  const testing::KeyPair pair;
  const std::string pem = pair.Pem() + "-----BEGIN CERTIFICATE-----\nY2Vy\nZA==\n-----END CERTIFICATE-----\n";
  const Result<std::string> jwt = CertificateAssertion(pem, "client", "https://login/t", 1'440'938'160'000);
  REQUIRE(jwt.ok());
  const size_t first = jwt.value().find('.'), last = jwt.value().rfind('.');
  CHECK(pair.Signed(jwt.value().substr(0, last), *Base64Decode(Base64UrlToStandard(jwt.value().substr(last + 1)))));
  CHECK(*Base64Decode(Base64UrlToStandard(jwt.value().substr(0, first))) ==
        R"({"alg":"RS256","typ":"JWT","x5t":"bn-HlUWLiZBeeWgzqzQtyfK5uHI"})");
  CHECK_FALSE(CertificateAssertion(pair.Pem(), "client", "https://login/t", 0).ok());
}

TEST_CASE("a request is signed with the key of the account", "[cloud]") {
  AzureRequest request{.method = "PUT", .endpoint = "http://127.0.0.1:10000"};
  request.path = "/devstoreaccount1/team/.pulumi/a%20b";
  request.query = {{"timeout", "30"}, {"comp", "x y"}};
  request.headers = {{"x-ms-version", "2020-10-02"},
                     {"x-ms-date", "Sun, 30 Aug 2015 12:36:00 GMT"},
                     {"x-ms-blob-type", "BlockBlob"},
                     {"Content-Type", "text/plain; charset=utf-8"},
                     {"If-None-Match", "*"}};
  request.body = "version: 1\n";
  const HttpRequest http = SignWithSharedKey(request, "devstoreaccount1", "key");
  CHECK(HeaderIn(http, "Authorization") == "SharedKey devstoreaccount1:2CEROnQUBrOll3NCaeZlD0pnFPzsSlh1kw1nuMqTM7w=");
  CHECK(http.url == "http://127.0.0.1:10000/devstoreaccount1/team/.pulumi/a%20b?timeout=30&comp=x%20y");
}

struct Bench : Home {
  Bench() {
    environment.Set("AZURE_STORAGE_ACCOUNT", "acct");
    environment.Set("AZURE_STORAGE_KEY", "Y2FuYXJ5");
  }
  AzureBucket Open() { return AzureBucket(*AzureOptions::From("azblob://team/sub"), world.io()); }
};

TEST_CASE("a put to Azure with an unmet condition is a lost race", "[cloud]") {
  Bench bench;
  AzureBucket bucket = bench.Open();
  bench.world.Answer(201, "", {{"etag", "\"e1\""}});
  CHECK(bucket.Put("a", "x", PutCondition::IfAbsent(), "text/plain").value() == "\"e1\"");
  CHECK(HeaderIn(bench.world.requests[0], "If-None-Match") == "*");
  CHECK(HeaderIn(bench.world.requests[0], "x-ms-blob-content-md5") == "ndTkYSaMgDT1yFZOFVxnpg==");
  for (const auto& [status, code] : std::vector<std::pair<int, std::string>>{
           {409, "BlobAlreadyExists"}, {412, "ConditionNotMet"}, {404, "BlobNotFound"}}) {
    bench.world.Answer(status, "", {{"x-ms-error-code", code}});
    bench.world.Answer(200, "theirs", {{"etag", "\"e2\""}});
    CHECK(bucket.Put("a", "x", PutCondition::IfTag("\"e1\""), "t").status().code() == Code::kFailedPrecondition);
  }
  bench.world.Answer(409, "", {{"x-ms-error-code", "BlobAlreadyExists"}});
  bench.world.Answer(200, "x", {{"etag", "\"e2\""}});
  CHECK(bucket.Put("a", "x", PutCondition::IfAbsent(), "t").value() == "\"e2\"");
}

TEST_CASE("a copy within Azure is awaited", "[cloud]") {
  Bench bench;
  AzureBucket bucket = bench.Open();
  bench.world.Answer(202, "", {{"x-ms-copy-status", "pending"}});
  bench.world.Answer(200, "", {{"x-ms-copy-status", "pending"}});
  bench.world.Answer(200, "", {{"x-ms-copy-status", "success"}});
  CHECK(bucket.Copy("a b", "c").ok());
  CHECK(HeaderIn(bench.world.requests[0], "x-ms-copy-source") == "https://acct.blob.core.windows.net/team/sub/a%20b");
  bench.world.Answer(202, "", {{"x-ms-copy-status", "failed"}});
  CHECK(bucket.Copy("a", "c").message().find("the copy is failed") != std::string::npos);
  bench.world.Answer(404, "", {{"x-ms-error-code", "BlobNotFound"}});
  CHECK(bucket.Copy("a", "c").code() == Code::kNotFound);
}

TEST_CASE("refusals of Azure's name the container and hold no secret", "[cloud]") {
  Bench bench;
  AzureBucket bucket = bench.Open();
  bench.world.Answer(403,
                     "<Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate.\nRequestId:1"
                     "</Message><AuthenticationErrorDetail>canary sig</AuthenticationErrorDetail></Error>");
  bench.world.Answer(404, "", {{"x-ms-error-code", "ContainerNotFound"}});
  const Status denied = bucket.Get("a").status(), absent = bucket.Get("a").status();
  CHECK(denied.code() == Code::kPermissionDenied);
  CHECK(denied.message().find(
            "cannot read azblob://team/sub/a: AuthenticationFailed: Server failed to authenticate.;") == 0);
  CHECK(denied.message().find("canary") == std::string::npos);
  CHECK(absent.code() == Code::kNotFound);
}

}  // namespace kingpost::azure_test
