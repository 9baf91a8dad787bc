// SPDX-License-Identifier: Apache-2.0
// Checks the sources of AWS's credentials: each one alone, and their order.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "base/digest.h"
#include "base/percent.h"
#include "remote/cloud/aws/credentials.h"
#include "remote/cloud/fake_io.h"
#include "support/temp_folder.h"

namespace kingpost::aws_credentials_test {

using testing::FakeEnvironment;
using testing::FakeIo;
using testing::HeaderIn;

constexpr char kRoleAnswer[] =
    "<R xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials><AccessKeyId>ROLE"
    "</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey><SessionToken>role-token</SessionToken>"
    "<Expiration>2015-08-30T13:36:00Z</Expiration></Credentials></AssumeRoleResult></R>";
constexpr char kWebAnswer[] =
    "<R><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>WEB</AccessKeyId><SecretAccessKey>s"
    "</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2015-08-30T13:36:00Z</Expiration></Credentials>"
    "</AssumeRoleWithWebIdentityResult></R>";

// A home of its own, with the files that a test writes into it.
struct Home {
  Home() : environment({"AWS_"}) {
    environment.Set("HOME", folder.path());
    environment.Set("AWS_REGION", "us-east-1");
    std::filesystem::create_directories(folder / ".aws/sso/cache");
  }
  void Write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }

  Result<AwsCredentials> Find(const std::string& query = "") {
    Result<ServiceUrl> url = ServiceUrl::Parse("s3://team" + query);
    Result<AwsSettings> settings = AwsSettings::From(&*url, world.io());
    if (!settings.ok()) return settings.status();
    return AwsCredentialSource(std::move(*settings)).Get();
  }
  std::string KeyFound(const std::string& query = "") {
    const Result<AwsCredentials> found = Find(query);
    return found.ok() ? found.value().access_key : found.status().message();
  }

  TempFolder folder;
  FakeEnvironment environment;
  FakeIo world;
};

TEST_CASE("the environment's keys go before a profile, a profile of the URL before them", "[cloud]") {
  Home home;
  home.Write(".aws/credentials",
             "[default]\naws_access_key_id = FILE\naws_secret_access_key = s\n"
             "[team]\naws_access_key_id = TEAM # mine\naws_secret_access_key = a#b\n");
  CHECK(home.KeyFound() == "FILE");
  home.environment.Set("AWS_PROFILE", "team");
  CHECK(home.KeyFound() == "TEAM");
  CHECK(home.Find().value().secret_key == "a#b");
  home.environment.Set("AWS_ACCESS_KEY_ID", "ENV");
  CHECK(home.KeyFound() == "TEAM");  // half a key is none
  home.environment.Set("AWS_SECRET_ACCESS_KEY", "s");
  CHECK(home.KeyFound() == "ENV");
  home.environment.Set("AWS_WEB_IDENTITY_TOKEN_FILE", home.folder / "token");
  CHECK(home.KeyFound() == "ENV");
  CHECK(home.KeyFound("?profile=team") == "TEAM");
  CHECK(home.world.requests.empty());
}

TEST_CASE("the credentials file goes before the configuration file", "[cloud]") {
  Home home;
  home.Write(".aws/config", "[default]\naws_access_key_id=CONFIG\naws_secret_access_key=s\nregion = eu-north-1\n");
  CHECK(home.KeyFound() == "CONFIG");
  home.Write(".aws/credentials", "[default]\naws_access_key_id=CREDENTIALS\n");
  CHECK(home.KeyFound() == "CREDENTIALS");
}

TEST_CASE("a web identity takes on its role without other credentials", "[cloud]") {
  Home home;
  home.Write("token", "jwt\n");
  home.environment.Set("AWS_WEB_IDENTITY_TOKEN_FILE", home.folder / "token");
  CHECK(home.KeyFound().find("AWS_ROLE_ARN") != std::string::npos);
  home.environment.Set("AWS_ROLE_ARN", "arn:aws:iam::1:role/ci");
  home.world.Answer(200, kWebAnswer);
  CHECK(home.KeyFound() == "WEB");
  const HttpRequest& request = home.world.requests.at(0);
  CHECK(request.url == "https://sts.us-east-1.amazonaws.com/");
  CHECK(request.body.find("WebIdentityToken=jwt&RoleSessionName=kingpost-") != std::string::npos);
  CHECK(HeaderIn(request, "Authorization").empty());
}

TEST_CASE("a chain of profiles ends in one role after the other", "[cloud]") {
  Home home;
  home.Write(".aws/config",
             "[profile base]\naws_access_key_id=BASE\naws_secret_access_key=s\n"
             "[profile middle]\nrole_arn=arn:aws:iam::1:role/middle\nsource_profile=base\nexternal_id=x1\n"
             "[profile top]\nrole_arn=arn:aws:iam::1:role/top\nsource_profile=middle\nrole_session_name=me\n"
             "duration_seconds=900\n");
  home.world.Answer(200, kRoleAnswer);
  home.world.Answer(200, kRoleAnswer);
  CHECK(home.KeyFound("?profile=top") == "ROLE");
  REQUIRE(home.world.requests.size() == 2);
  const HttpRequest &middle = home.world.requests[0], &top = home.world.requests[1];
  CHECK(middle.body.find("role%2Fmiddle&ExternalId=x1") != std::string::npos);
  CHECK(HeaderIn(middle, "Authorization").find("Credential=BASE/") != std::string::npos);
  CHECK(top.body.find("role%2Ftop&RoleSessionName=me&DurationSeconds=900") != std::string::npos);
  CHECK(HeaderIn(top, "Authorization").find("Credential=ROLE/") != std::string::npos);
  CHECK(HeaderIn(top, "X-Amz-Security-Token") == "role-token");
}

TEST_CASE("the role of the URL is assumed with the credentials that were found", "[cloud]") {
  Home home;
  home.environment.Set("AWS_ACCESS_KEY_ID", "ENV");
  home.environment.Set("AWS_SECRET_ACCESS_KEY", "s");
  home.world.Answer(200, kRoleAnswer);
  CHECK(home.KeyFound("?role=arn:aws:iam::1:role/ci") == "ROLE");
  CHECK(home.KeyFound("?role=ci").find("expected an ARN") != std::string::npos);
}

TEST_CASE("profiles that name each other are refused", "[cloud]") {
  Home home;
  home.Write(".aws/config",
             "[profile a]\nrole_arn=arn:1\nsource_profile=b\n[profile b]\nrole_arn=arn:2\n"
             "source_profile=a\n");
  CHECK(home.KeyFound("?profile=a").find("name each other") != std::string::npos);
  CHECK(home.KeyFound("?profile=none").find("there is no AWS profile 'none'") != std::string::npos);
}

TEST_CASE("a profile that is its own source uses its own keys", "[cloud]") {
  Home home;
  home.Write(".aws/config",
             "[profile a]\nrole_arn=arn:1\nsource_profile=a\naws_access_key_id=OWN\n"
             "aws_secret_access_key=s\n");
  home.world.Answer(200, kRoleAnswer);
  CHECK(home.KeyFound("?profile=a") == "ROLE");
  CHECK(HeaderIn(home.world.requests.at(0), "Authorization").find("Credential=OWN/") != std::string::npos);
}

TEST_CASE("a container's credentials are asked for with its token", "[cloud]") {
  Home home;
  home.environment.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials");
  home.Write("token", "pod-token");
  home.environment.Set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home.folder / "token");
  home.world.Answer(200, R"({"AccessKeyId":"POD","SecretAccessKey":"s","Token":"t",
                             "Expiration":"2015-08-30T18:36:00Z"})");
  CHECK(home.KeyFound() == "POD");
  CHECK(HeaderIn(home.world.requests.at(0), "Authorization") == "pod-token");
  CHECK(home.world.requests[0].direct);
  home.environment.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://acme.com/steal");
  CHECK(home.KeyFound().find("expected https, this machine") != std::string::npos);
  home.environment.Set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x");
  home.world.Answer(200, R"({"AccessKeyId":"ECS","SecretAccessKey":"s"})");
  CHECK(home.KeyFound() == "ECS");
  CHECK(home.world.requests.back().url == "http://169.254.170.2/v2/x");
}

TEST_CASE("a machine's role is asked for with a token of its metadata service", "[cloud]") {
  Home home;
  home.world.Answer(200, "imds-token");
  home.world.Answer(200, "web-server\n");
  home.world.Answer(200, R"({"Code":"Success","AccessKeyId":"EC2","SecretAccessKey":"s","Token":"t",
                             "Expiration":"2015-08-30T18:36:00Z"})");
  CHECK(home.KeyFound() == "EC2");
  REQUIRE(home.world.requests.size() == 3);
  CHECK(home.world.requests[0].method == "PUT");
  CHECK(home.world.requests[2].url.ends_with("/security-credentials/web-server"));
  CHECK(HeaderIn(home.world.requests[2], "X-aws-ec2-metadata-token") == "imds-token");
}

TEST_CASE("an error without credentials names each source that was tried", "[cloud]") {
  Home home;
  const Result<AwsCredentials> found = home.Find();
  REQUIRE_FALSE(found.ok());
  CHECK(found.status().code() == Code::kUnauthenticated);
  for (const char* part : {"AWS_ACCESS_KEY_ID is not set", "AWS_WEB_IDENTITY_TOKEN_FILE is not set",
                           "profile 'default': ", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                           "no metadata service at http://169.254.169.254"}) {
    CHECK(found.status().message().find(part) != std::string::npos);
  }
  CHECK(home.world.requests.size() == 1);  // and no anonymous one
  home.environment.Set("AWS_EC2_METADATA_DISABLED", "true");
  CHECK(home.KeyFound().find("AWS_EC2_METADATA_DISABLED is set") != std::string::npos);
  CHECK(home.world.requests.size() == 1);
}

TEST_CASE("a command's credentials are read, its failure shows nothing of it", "[cloud]") {
  Home home;
  home.Write(".aws/config",
             "[profile p]\ncredential_process = echo '{\"Version\":1,\"AccessKeyId\":\"CMD\","
             "\"SecretAccessKey\":\"s\"}'\n[profile bad]\ncredential_process = false --token hunter2\n");
  CHECK(home.KeyFound("?profile=p") == "CMD");
  const std::string failed = home.KeyFound("?profile=bad");
  CHECK(failed.find("credential_process of the AWS profile 'bad' failed") != std::string::npos);
  CHECK(failed.find("hunter2") == std::string::npos);
}

TEST_CASE("a cached login is exchanged for the credentials of an account", "[cloud]") {
  Home home;
  home.Write(".aws/config",
             "[sso-session acme]\nsso_region=eu-west-1\nsso_start_url=https://acme.awsapps.com/start\n"
             "[profile p]\nsso_session=acme\nsso_account_id=42\nsso_role_name=Dev\n");
  const std::string cache = ".aws/sso/cache/" + Sha1Hex("acme") + ".json";
  home.Write(cache, R"({"accessToken":"sso-token","expiresAt":"2015-08-30T18:36:00Z"})");
  home.world.Answer(200, R"({"roleCredentials":{"accessKeyId":"SSO","secretAccessKey":"s","sessionToken":"t",
                             "expiration":1440950000000}})");
  CHECK(home.KeyFound("?profile=p") == "SSO");
  const HttpRequest& request = home.world.requests.at(0);
  CHECK(request.url == "https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?account_id=42&role_name=Dev");
  CHECK(HeaderIn(request, "x-amz-sso_bearer_token") == "sso-token");
}

TEST_CASE("a profile that only the command aws understands is read by calling aws", "[cloud]") {
  Home home;
  home.Write(".aws/config", "[profile mfa]\nrole_arn=arn:1\nsource_profile=default\nmfa_serial=arn:2\n");
  home.environment.Set("PATH", home.folder / "bin");
  const std::string missing = home.KeyFound("?profile=mfa");
  CHECK(missing.find("the command 'aws' is not on PATH") != std::string::npos);
  std::filesystem::create_directories(home.folder / "bin");
  home.Write("bin/aws",
             "#!/bin/sh\n[ \"$*\" = 'configure export-credentials --profile mfa --format process' ] || exit 1\n"
             "echo '{\"Version\":1,\"AccessKeyId\":\"AWS\",\"SecretAccessKey\":\"s\"}'\n");
  chmod((home.folder / "bin/aws").c_str(), 0755);
  CHECK(home.KeyFound("?profile=mfa") == "AWS");
}

TEST_CASE("credentials are kept, and renewed five minutes before they expire", "[cloud]") {
  Home home;
  home.environment.Set("AWS_ACCESS_KEY_ID", "ENV");
  home.environment.Set("AWS_SECRET_ACCESS_KEY", "s");
  Result<ServiceUrl> url = ServiceUrl::Parse("s3://team?role=arn:aws:iam::1:role/ci");
  AwsCredentialSource source(*AwsSettings::From(&*url, home.world.io()));
  home.world.Answer(200, kRoleAnswer);  // good for an hour
  CHECK(source.Get().ok());
  home.world.now_ms += 54 * 60'000;
  CHECK(source.Get().ok());
  CHECK(home.world.requests.size() == 1);
  home.world.now_ms += 2 * 60'000;
  CHECK(source.Get().ok());  // STS is out of reach, and they are still good
  const size_t asked = home.world.requests.size();
  CHECK(asked > 1);
  home.world.now_ms += 5 * 60'000;
  CHECK_FALSE(source.Get().ok());
}

}  // namespace kingpost::aws_credentials_test
