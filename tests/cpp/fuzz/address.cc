// SPDX-License-Identifier: Apache-2.0
// Fuzzes URLs of backends and of keys, and the key that a stack's settings keep. No printable text of them may hold a
// password.
#include "base/url_masking.h"
#include "fuzz/fuzz.h"
#include "remote/blob/postgres_url.h"
#include "remote/cloud/aws/s3_options.h"
#include "remote/cloud/azure/azure_options.h"
#include "remote/cloud/gcp/gcs_bucket.h"
#include "secrets/cloud_manager.h"

using namespace kingpost;

namespace {

void ReadPostgres(const std::string& url) {
  const auto known = [](const std::string& name) { return name == "password" || name == "sslmode"; };
  const auto parsed = ParsePostgresUrl(url, known, [](const char*) { return std::string(); });
  if (!parsed.ok()) return;
  for (const std::string& secret : parsed->secrets) {
    FUZZ_CHECK(!secret.empty(), url);
    if (secret.find_first_not_of('*') == std::string::npos) continue;
    FUZZ_CHECK(parsed->Redact("<" + secret + ">").find(secret) == std::string::npos, url);
  }
}

// Checks that masking hides a password at a known place, whatever the rest of the URL is.
void HidePassword(const std::string& rest) {
  constexpr char kPassword[] = "Hush4711";
  const std::string text = rest.substr(0, rest.find_first_of("/@?#"));
  // The fuzzer may have learned the password from the comparisons below and put it elsewhere, where it is none.
  if (text.find(kPassword) != std::string::npos) return;
  for (const std::string& url : {"postgres://me:" + std::string(kPassword) + "@" + text + "/db",
                                 "postgres://h/db?password=" + std::string(kPassword) + "&" + text}) {
    FUZZ_CHECK(MaskUrls(url).find(kPassword) == std::string::npos, MaskUrls(url));
    const auto parsed = ParsePostgresUrl(
        url, [](const std::string& name) { return name == "password"; }, [](const char*) { return std::string(); });
    if (parsed.ok()) FUZZ_CHECK(parsed->printable.find(kPassword) == std::string::npos, parsed->printable);
  }
}

}  // namespace

void Try(std::string_view input) {
  const std::string text(input);
  ReadPostgres(text);
  ReadPostgres("postgres://" + text);
  HidePassword(text);
  (void)MaskUrls(text);
  static const auto io = std::make_shared<CloudIo>();
  (void)S3Options::From("s3://" + text, io);
  (void)GcsOptions::From("gs://" + text);
  (void)AzureOptions::From("azblob://" + text);
  (void)CloudManager::OpenState(text);
  (void)CloudManager::Open({"awskms://alias/" + text, text});
}
