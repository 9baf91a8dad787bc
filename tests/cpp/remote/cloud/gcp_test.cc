// SPDX-License-Identifier: Apache-2.0
// Checks each kind of Google's credentials, and the requests to its buckets. With servers: bucket_contract_test.cc.
#include <catch2/catch.hpp>
#include <fstream>

#include "base/encoding.h"
#include "remote/cloud/fake_io.h"
#include "remote/cloud/gcp/credentials.h"
#include "remote/cloud/gcp/gcs_bucket.h"
#include "remote/cloud/key_pair.h"
#include "remote/cloud/signatures.h"
#include "support/temp_folder.h"

namespace kingpost::gcp_test {

using testing::FakeEnvironment;
using testing::FakeIo;
using testing::HeaderIn;
using testing::KeyPair;

struct Home {
  Home() : environment({"GOOGLE_", "CLOUDSDK_", "GCE_", "STORAGE_", "AWS_"}) {
    environment.Set("HOME", folder.path());
    environment.Set("PATH", "/nowhere");
  }
  void Write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string TokenFound() {
    const Result<AccessToken> token = FindGcpToken(world.io(), kGcpStorageScope);
    return token.ok() ? token.value().text : token.status().message();
  }

  TempFolder folder;
  FakeEnvironment environment;
  FakeIo world;
};

TEST_CASE("a service account signs for its token", "[cloud]") {
  Home home;
  const KeyPair pair;
  home.environment.Set("GOOGLE_CREDENTIALS",
                       JsonOf({{"type", "service_account"}, {"client_email", "a@b"}, {"private_key", pair.Pem()}}));
  home.world.Answer(200, R"({"access_token":"sa","expires_in":3599})");
  CHECK(home.TokenFound() == "sa");
  const HttpRequest& request = home.world.requests.at(0);
  CHECK(request.url == "https://oauth2.googleapis.com/token");
  const size_t at = request.body.find("&assertion=") + 11;
  const std::string jwt = request.body.substr(at);
  const size_t dot = jwt.rfind('.');
  CHECK(pair.Signed(jwt.substr(0, dot), *Base64Decode(Base64UrlToStandard(jwt.substr(dot + 1)))));
  const size_t first = jwt.find('.');
  CHECK(*Base64Decode(Base64UrlToStandard(jwt.substr(first + 1, dot - first - 1))) ==
        R"({"iss":"a@b","scope":"https://www.googleapis.com/auth/devstorage.read_write",)"
        R"("aud":"https://oauth2.googleapis.com/token","iat":1440938160,"exp":1440941760})");
}

TEST_CASE("an invalid key is refused and not shown", "[cloud]") {
  Home home;
  home.environment.Set("GOOGLE_CREDENTIALS",
                       JsonOf({{"type", "service_account"}, {"client_email", "a@b"}, {"private_key", "hunter2"}}));
  CHECK(home.TokenFound().find("the private key is not one in PEM") != std::string::npos);
  CHECK(home.TokenFound().find("hunter2") == std::string::npos);
}

TEST_CASE("Google's sources have their order", "[cloud]") {
  Home home;
  const std::string none = home.TokenFound();
  for (const char* part : {"GOOGLE_CREDENTIALS", "GOOGLE_OAUTH_ACCESS_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS",
                           "application_default_credentials.json", "http://169.254.169.254"}) {
    CHECK(none.find(part) != std::string::npos);
  }
  home.world.Answer(200, R"({"access_token":"machine","expires_in":3599})");
  CHECK(home.TokenFound() == "machine");
  CHECK(HeaderIn(home.world.requests.back(), "Metadata-Flavor") == "Google");

  std::filesystem::create_directories(home.folder / ".config/gcloud");
  home.Write(".config/gcloud/application_default_credentials.json",
             R"({"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"})");
  home.world.Answer(200, R"({"access_token":"user","expires_in":3599})");
  CHECK(home.TokenFound() == "user");
  CHECK(home.world.requests.back().body == "grant_type=refresh_token&client_id=c&client_secret=s&refresh_token=r");
  home.environment.Set("GOOGLE_APPLICATION_CREDENTIALS", home.folder / "gone.json");
  CHECK(home.TokenFound().find("GOOGLE_APPLICATION_CREDENTIALS: ") == 0);
  home.environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "given");
  CHECK(home.TokenFound() == "given");
  home.environment.Set("GOOGLE_CREDENTIALS", "/path/to/file.json");
  CHECK(home.TokenFound() ==
        "GOOGLE_CREDENTIALS is not the JSON of Google credentials: name a key file, or its content");
}

TEST_CASE("a workload's token becomes one of Google's, and then a service account's", "[cloud]") {
  Home home;
  home.Write("subject", R"({"id":{"x":1},"token":"subject-token"})");
  home.environment.Set(
      "GOOGLE_CREDENTIALS",
      R"({"type":"external_account","audience":"//iam/x","subject_token_type":"urn:jwt","token_url":"https://sts/t",
          "service_account_impersonation_url":"https://iam/sa:generateAccessToken",
          "credential_source":{"file":")" +
          (home.folder / "subject") + R"(","format":{"type":"json","subject_token_field_name":"token"}}})");
  home.world.Answer(200, R"({"access_token":"federated","expires_in":3599})");
  home.world.Answer(200, R"({"accessToken":"account","expireTime":"2015-08-30T13:36:00Z"})");
  CHECK(home.TokenFound() == "account");
  const HttpRequest &exchange = home.world.requests[0], &take_on = home.world.requests[1];
  CHECK(exchange.body.find("subject_token=subject-token") != std::string::npos);
  CHECK(exchange.body.find("cloud-platform") != std::string::npos);
  CHECK(HeaderIn(take_on, "Authorization") == "Bearer federated");
  CHECK(take_on.body.find("devstorage.read_write") != std::string::npos);
}

TEST_CASE("a signed AWS request proves the account to Google", "[cloud]") {
  Home home;
  home.environment.Set("AWS_ACCESS_KEY_ID", "AKID");
  home.environment.Set("AWS_SECRET_ACCESS_KEY", "canary-secret");
  home.environment.Set("AWS_REGION", "eu-west-1");
  home.environment.Set("GOOGLE_CREDENTIALS",
                       R"({"type":"external_account","audience":"//iam/x","token_url":"https://sts/t",
                           "subject_token_type":"urn:ietf:params:aws:token-type:aws4_request","credential_source":{
                           "environment_id":"aws1","regional_cred_verification_url":
                           "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"}})");
  home.world.Answer(200, R"({"access_token":"federated","expires_in":3599})");
  CHECK(home.TokenFound() == "federated");
  const std::string told = PercentDecode(PercentDecode(home.world.requests.at(0).body));
  CHECK(told.find("https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity") != std::string::npos);
  CHECK(told.find("x-goog-cloud-target-resource") != std::string::npos);
  CHECK(told.find("Credential=AKID/") != std::string::npos);
  CHECK(told.find("canary-secret") == std::string::npos);
}

TEST_CASE("a user impersonates a service account, and executables in files run only if allowed", "[cloud]") {
  Home home;
  home.environment.Set("GOOGLE_CREDENTIALS",
                       R"({"type":"impersonated_service_account","delegates":["d1","d2"],
                           "service_account_impersonation_url":"https://iam/sa","source_credentials":{
                           "type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"}})");
  home.world.Answer(200, R"({"access_token":"user","expires_in":3599})");
  home.world.Answer(200, R"({"accessToken":"account","expireTime":"2015-08-30T13:36:00Z"})");
  CHECK(home.TokenFound() == "account");
  CHECK(home.world.requests[1].body.find(R"("delegates":["d1","d2"])") != std::string::npos);
  home.environment.Set("GOOGLE_CREDENTIALS",
                       R"({"type":"external_account","credential_source":{"executable":{"command":"echo"}}})");
  CHECK(home.TokenFound().find("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1") != std::string::npos);
}

TEST_CASE("a bucket of Google's is asked by its JSON API", "[cloud]") {
  Home home;
  home.environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "canary-token");
  GcsBucket bucket(*GcsOptions::From("gs://team/sub"), home.world.io());
  home.world.Answer(200, R"({"generation":"17"})");
  CHECK(bucket.Put("a/b", "x", PutCondition::IfAbsent(), "text/plain").value() == "17");
  CHECK(home.world.requests[0].url ==
        "https://storage.googleapis.com/upload/storage/v1/b/team/"
        "o?uploadType=media&name=sub%2Fa%2Fb&ifGenerationMatch=0");
  CHECK(HeaderIn(home.world.requests[0], "Authorization") == "Bearer canary-token");
  home.world.Answer(412);
  home.world.Answer(200, "theirs", {{"x-goog-generation", "18"}});
  CHECK(bucket.Put("a/b", "x", PutCondition::IfTag("17"), "t").status().code() == Code::kFailedPrecondition);
  CHECK(home.world.requests[1].url.ends_with("&ifGenerationMatch=17"));
  home.world.Answer(200, R"({"done":false,"rewriteToken":"more"})");
  home.world.Answer(200, R"({"done":true})");
  CHECK(bucket.Copy("a", "b").ok());
  CHECK(home.world.requests[4].url ==
        "https://storage.googleapis.com/storage/v1/b/team/o/sub%2Fa/rewriteTo/b/team/o/sub%2Fb?rewriteToken=more");
  home.world.Answer(401, R"({"error":{"message":"Invalid Credentials"}})");
  home.world.Answer(403, R"({"error":{"message":"no access"}})");
  const Status expired = bucket.Get("a").status(), denied = bucket.Delete("a");
  CHECK(expired.code() == Code::kUnauthenticated);
  CHECK(denied.message().find("storage.objects.delete") != std::string::npos);
  for (const Status& status : {expired, denied}) CHECK(status.message().find("canary") == std::string::npos);
}

TEST_CASE("a throttled write is retried later", "[cloud]") {
  Home home;
  home.environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "t");
  GcsBucket bucket(*GcsOptions::From("gs://team"), home.world.io());
  home.world.Answer(429);
  home.world.Answer(429);
  home.world.Answer(200, R"({"generation":"1"})");
  CHECK(bucket.Put("a", "x", PutCondition::Always(), "t").ok());
  CHECK(home.world.slept_ms == std::vector<int64_t>{400, 800});
}

TEST_CASE("the parameters of a Google bucket's URL are read", "[cloud]") {
  Home home;
  CHECK(GcsOptions::From("gs://team?access_id=-")->anonymous);
  CHECK(GcsOptions::From("gs://team?anonymous=true")->anonymous);
  CHECK_FALSE(GcsOptions::From("gs://team?access_id=me@acme.com")->anonymous);
  CHECK(GcsOptions::From("gs://team?universe_domain=acme.cloud")->endpoint == "https://storage.acme.cloud");
  CHECK(GcsOptions::From("gs://team?zone=x").status().message().find("\"zone\"") != std::string::npos);
  CHECK_FALSE(GcsOptions::From("gs://team?private_key_path=/nowhere/key").ok());
  home.environment.Set("STORAGE_EMULATOR_HOST", "127.0.0.1:4443");
  CHECK(GcsOptions::From("gs://team")->endpoint == "http://127.0.0.1:4443");
  CHECK(GcsOptions::From("gs://team")->anonymous);
}

}  // namespace kingpost::gcp_test
