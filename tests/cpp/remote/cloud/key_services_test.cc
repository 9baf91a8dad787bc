// SPDX-License-Identifier: Apache-2.0
// Checks requests to key services and what a stack keeps of the answers. With servers: tests/py/test_key_services.py.
#include <catch2/catch.hpp>

#include "base/encoding.h"
#include "remote/cloud/fake_io.h"
#include "remote/cloud/keys/key_service.h"

namespace kingpost::key_services_test {

using testing::FakeEnvironment;
using testing::FakeIo;
using testing::HeaderIn;

struct Bench {
  Bench() : environment({"AWS_", "AZURE_", "GOOGLE_", "VAULT_", "CLOUDSDK_", "IDENTITY_"}) {
    environment.Set("HOME", "/nowhere");
    environment.Set("PATH", "/nowhere");
  }
  std::unique_ptr<KeyService> Open(const std::string& url) {
    Result<std::unique_ptr<KeyService>> service = OpenKeyService(url, world.io());
    INFO(service.status().message());
    REQUIRE(service.ok());
    return std::move(*service);
  }

  FakeEnvironment environment;
  FakeIo world;
};

TEST_CASE("AWS KMS is asked with the key, the context and a signature", "[cloud]") {
  Bench bench;
  bench.environment.Set("AWS_ACCESS_KEY_ID", "A");
  bench.environment.Set("AWS_SECRET_ACCESS_KEY", "s");
  const auto kms = bench.Open("awskms://alias/team?region=eu-west-1&context_stack=dev");
  bench.world.Answer(200, R"({"CiphertextBlob":"Y2lwaGVy","KeyId":"k"})");
  CHECK(kms->Encrypt("plain").value() == "cipher");
  bench.world.Answer(200, R"({"Plaintext":"cGxhaW4="})");
  CHECK(kms->Decrypt("cipher").value() == "plain");
  const HttpRequest &encrypt = bench.world.requests[0], &decrypt = bench.world.requests[1];
  CHECK(encrypt.url == "https://kms.eu-west-1.amazonaws.com/");
  CHECK(HeaderIn(encrypt, "X-Amz-Target") == "TrentService.Encrypt");
  CHECK(encrypt.body == R"({"KeyId":"alias/team","Plaintext":"cGxhaW4=","EncryptionContext":{"stack":"dev"}})");
  CHECK(decrypt.body == R"({"CiphertextBlob":"Y2lwaGVy","EncryptionContext":{"stack":"dev"}})");
  CHECK(HeaderIn(decrypt, "Authorization").find("/eu-west-1/kms/aws4_request") != std::string::npos);
  bench.world.Answer(400, R"({"__type":"com.amazonaws.kms#AccessDeniedException","Message":"no"})");
  const Status denied = kms->Decrypt("cipher").status();
  CHECK(denied.code() == Code::kPermissionDenied);
  CHECK(denied.message().find("kms:Decrypt") != std::string::npos);
}

TEST_CASE("a key of AWS is named by its id, its alias or its ARN", "[cloud]") {
  Bench bench;
  bench.environment.Set("AWS_ACCESS_KEY_ID", "A");
  bench.environment.Set("AWS_SECRET_ACCESS_KEY", "s");
  bench.environment.Set("AWS_REGION", "us-east-1");
  for (const auto& [url, key] : std::vector<std::pair<std::string, std::string>>{
           {"awskms://1234abcd", "1234abcd"},
           {"awskms://alias/team", "alias/team"},
           {"awskms:///alias/team", "alias/team"},
           {"awskms:///arn:aws:kms:us-east-1:1:key/1234", "arn:aws:kms:us-east-1:1:key/1234"}}) {
    bench.world.Answer(200, R"({"CiphertextBlob":"Y2lwaGVy"})");
    CHECK(bench.Open(url)->Encrypt("x").ok());
    CHECK(bench.world.requests.back().body.find("\"KeyId\":\"" + key + "\"") != std::string::npos);
  }
}

TEST_CASE("Google's KMS is asked with a token", "[cloud]") {
  Bench bench;
  bench.environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "token");
  const auto kms =
      bench.Open("gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k?additional_authenticated_data=_-8=");
  bench.world.Answer(200, R"({"name":"n","ciphertext":"Y2lwaGVy"})");
  CHECK(kms->Encrypt("plain").value() == "cipher");
  const HttpRequest& request = bench.world.requests[0];
  CHECK(request.url == "https://cloudkms.googleapis.com/v1/projects/p/locations/l/keyRings/r/cryptoKeys/k:encrypt");
  CHECK(request.body == R"({"plaintext":"cGxhaW4=","additionalAuthenticatedData":"/+8="})");
  CHECK(HeaderIn(request, "Authorization") == "Bearer token");
  bench.world.Answer(200, R"({"plaintext":"cGxhaW4="})");
  CHECK(kms->Decrypt("cipher").value() == "plain");
  CHECK(bench.world.requests[1].url.ends_with("/cryptoKeys/k:decrypt"));
  bench.world.Answer(403, R"({"error":{"code":403,"message":"denied"}})");
  CHECK(kms->Decrypt("x").status().message().find("useToDecrypt") != std::string::npos);
  CHECK_FALSE(OpenKeyService("gcpkms://projects/p", bench.world.io()).ok());
}

TEST_CASE("a key vault's ciphertext is kept as a text", "[cloud]") {
  Bench bench;
  bench.environment.Set("AZURE_TENANT_ID", "tenant");
  bench.environment.Set("AZURE_CLIENT_ID", "client");
  bench.environment.Set("AZURE_CLIENT_SECRET", "canary-secret");
  const auto vault = bench.Open("azurekeyvault://team.vault.azure.net/keys/main");
  bench.world.Answer(200, R"({"access_token":"t","expires_in":3600})");
  bench.world.Answer(200, R"({"kid":"k","value":"Y2lwaGVy-_8"})");
  CHECK(vault->Encrypt("plain").value() == "Y2lwaGVy-_8");
  const HttpRequest &token = bench.world.requests[0], &encrypt = bench.world.requests[1];
  CHECK(token.url == "https://login.microsoftonline.com/tenant/oauth2/v2.0/token");
  CHECK(token.body.find("scope=https%3A%2F%2Fvault.azure.net%2F.default") != std::string::npos);
  CHECK(encrypt.url == "https://team.vault.azure.net/keys/main//encrypt?api-version=7.4");
  CHECK(encrypt.body == R"({"alg":"RSA-OAEP-256","value":"cGxhaW4"})");
  for (const std::string& kept : {std::string("Y2lwaGVy-_8"), std::string("cipher\xfb\xff")}) {  // and an old state's
    bench.world.Answer(200, R"({"kid":"k","value":"cGxhaW4"})");
    CHECK(vault->Decrypt(kept).value() == "plain");
    CHECK(bench.world.requests.back().body == R"({"alg":"RSA-OAEP-256","value":"Y2lwaGVy-_8"})");
  }
  CHECK(bench.world.requests.size() == 4);  // one token for all
  const auto versioned = bench.Open("azurekeyvault://team.vault.azure.cn/keys/main/v1?algorithm=RSA1_5");
  bench.world.Answer(200, R"({"access_token":"t","expires_in":3600})");
  bench.world.Answer(200, R"({"value":"AA"})");
  CHECK(versioned->Encrypt("x").ok());
  CHECK(bench.world.requests[4].body.find("vault.azure.cn") != std::string::npos);
  CHECK(bench.world.requests[5].url == "https://team.vault.azure.cn/keys/main/v1/encrypt?api-version=7.4");
  CHECK_FALSE(OpenKeyService("azurekeyvault://acme.com/keys/main", bench.world.io()).ok());
}

TEST_CASE("Vault is reached as the variables of its client say", "[cloud]") {
  Bench bench;
  CHECK(OpenKeyService("hashivault://k", bench.world.io()).status().message().find("VAULT_ADDR") != std::string::npos);
  bench.environment.Set("VAULT_ADDR", "https://a:8200/");
  bench.environment.Set("VAULT_SERVER_URL", "https://vault:8200/");
  bench.environment.Set("VAULT_TOKEN", "canary");
  bench.environment.Set("VAULT_CACERT", "/ca.pem");
  bench.environment.Set("VAULT_SKIP_VERIFY", "true");
  const auto vault = bench.Open("hashivault://a/b?engine=my-transit");
  bench.world.Answer(200, R"({"data":{"ciphertext":"vault:v1:x"}})");
  CHECK(vault->Encrypt("plain").value() == "vault:v1:x");
  const HttpRequest& request = bench.world.requests[0];
  CHECK(request.method == "PUT");
  CHECK(request.url == "https://vault:8200/v1/my-transit/encrypt/a/b");
  CHECK(HeaderIn(request, "X-Vault-Token") == "canary");
  CHECK(request.tls.ca_file == "/ca.pem");
  CHECK_FALSE(request.tls.verify);
  bench.world.Answer(307, "", {{"location", "https://leader:8200/v1/my-transit/decrypt/a/b"}});
  bench.world.Answer(200, R"({"data":{"plaintext":"cGxhaW4="}})");
  CHECK(vault->Decrypt("vault:v1:x").value() == "plain");
  CHECK(bench.world.requests[2].url == "https://leader:8200/v1/my-transit/decrypt/a/b");
  bench.world.Answer(307, "", {{"location", "http://thief/"}});
  CHECK_FALSE(vault->Decrypt("vault:v1:x").ok());
  CHECK(bench.world.requests.size() == 4);
}

TEST_CASE("the token of Vault follows to nodes of the same service alone", "[cloud]") {
  const auto [address, location, follows] = GENERATE(table<std::string, std::string, bool>({
      {"https://vault-1.acme.com:8200", "https://vault-2.acme.com:8200/x", true},
      {"https://vault.acme.com", "https://vault.acme.com:8201/x", true},
      {"http://vault:8200", "http://leader:8200/x", true},
      {"http://10.0.0.1:8200", "http://10.0.0.1:8201/x", true},
      {"https://vault.acme.com", "http://vault.acme.com/x", false},
      {"https://vault.acme.com", "https://thief.org/x", false},
      {"https://vault.acme.com", "https://vault.acme.com.thief.org/x", false},
      {"https://vault.acme.com", "https://vault.acme.com@thief.org/x", false},
      {"https://acme.com", "https://thief.com/x", false},
      {"http://10.0.0.1:8200", "http://10.0.0.2:8200/x", false},
      {"http://vault:8200", "http://thief.org/x", false},
      {"http://vault:8200", "", false},
  }));
  INFO(address << " -> " << location);
  Bench bench;
  bench.environment.Set("VAULT_ADDR", address);
  bench.environment.Set("VAULT_TOKEN", "canary");
  const auto vault = bench.Open("hashivault://k");
  bench.world.Answer(307, "", {{"location", location}});
  if (follows) bench.world.Answer(200, R"({"data":{"plaintext":"cGxhaW4="}})");
  const auto told = vault->Decrypt("vault:v1:x");
  CHECK(told.ok() == follows);
  CHECK(bench.world.requests.size() == (follows ? 2 : 1));
  if (!follows) CHECK(told.status().message().find("the token is not sent to another service") != std::string::npos);
}

}  // namespace kingpost::key_services_test
