// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/s3_options.h"

#include <algorithm>
#include <cctype>

#include "base/os.h"

namespace kingpost {

namespace {

constexpr char kKnown[] =
    "region, profile, role, anonymous, endpoint, hostname_immutable, use_path_style, s3ForcePathStyle, disable_https, "
    "disableSSL, accelerate, dualstack, fips, ssetype, kmskeyid, rate_limiter_capacity, request_checksum_calculation, "
    "response_checksum_validation and awssdk";

struct Addressing {
  std::string endpoint;  // "" for AWS's own
  bool path_style = false, accelerate = false, no_tls = false;
};

// An older spelling of a switch counts like the present one.
Result<bool> TakeEither(ServiceUrl* url, const char* name, const char* former) {
  const Result<bool> present = url->TakeBool(name), past = url->TakeBool(former);
  if (!present.ok()) return present;
  if (!past.ok()) return past;
  return present.value() || past.value();
}

Result<Addressing> TakeAddressing(ServiceUrl* url) {
  Addressing addressing;
  addressing.endpoint = url->Take("endpoint").value_or("");
  const Result<bool> path_style = TakeEither(url, "use_path_style", "s3ForcePathStyle");
  const Result<bool> immutable = url->TakeBool("hostname_immutable");
  const Result<bool> no_tls = TakeEither(url, "disable_https", "disableSSL");
  const Result<bool> accelerate = url->TakeBool("accelerate");
  for (const Result<bool>* taken : {&path_style, &immutable, &no_tls, &accelerate}) {
    if (!taken->ok()) return taken->status();
  }
  // A host that must not change has no room for the bucket's name.
  addressing.path_style = path_style.value() || (immutable.value() && !addressing.endpoint.empty());
  addressing.no_tls = no_tls.value();
  addressing.accelerate = accelerate.value();
  return addressing;
}

std::string WithScheme(std::string endpoint, bool no_tls) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (endpoint.find("://") != std::string::npos) return endpoint;
  return (no_tls ? "http://" : "https://") + endpoint;
}

std::string OwnHost(const AwsSettings& settings, bool accelerate) {
  const std::string domain = AwsDomain(settings.region);
  if (accelerate) return std::string("s3-accelerate") + (settings.dualstack ? ".dualstack." : ".") + domain;
  return std::string(settings.fips ? "s3-fips" : "s3") + (settings.dualstack ? ".dualstack." : ".") + settings.region +
         "." + domain;
}

// Names of hosts have no place in front of addresses, and certificates cover one label only.
bool FitsIntoHost(const std::string& bucket, const std::string& endpoint) {
  const std::string host = endpoint.substr(endpoint.find("://") + 3);
  const bool is_address =
      host.starts_with('[') || host.substr(0, host.find(':')).find_first_not_of("0123456789.") == std::string::npos;
  const bool is_label = std::all_of(bucket.begin(), bucket.end(),
                                    [](unsigned char c) { return std::isdigit(c) || std::islower(c) || c == '-'; });
  return !is_address && is_label && host.find('/') == std::string::npos;
}

void Place(const Addressing& addressing, S3Options* options) {
  std::string endpoint = addressing.endpoint;
  if (endpoint.empty()) endpoint = options->settings.ConfiguredEndpoint("s3");
  if (endpoint.empty()) endpoint = OwnHost(options->settings, addressing.accelerate);
  endpoint = WithScheme(std::move(endpoint), addressing.no_tls);
  if (!addressing.path_style && FitsIntoHost(options->bucket, endpoint)) {
    options->endpoint = endpoint.insert(endpoint.find("://") + 3, options->bucket + ".");
    options->path_base = "/";
    return;
  }
  // An endpoint may itself have a path, which all requests begin with.
  const size_t slash = endpoint.find('/', endpoint.find("://") + 3);
  options->endpoint = endpoint.substr(0, slash);
  options->path_base =
      (slash == std::string::npos ? "" : endpoint.substr(slash)) + "/" + PercentEncode(options->bucket) + "/";
}

Status TakeEncryption(ServiceUrl* url, S3Options* options) {
  const Result<std::string> type = url->TakeChoice("ssetype", {"AES256", "aws:kms", "aws:kms:dsse"});
  if (!type.ok()) return type.status();
  const std::string key = url->Take("kmskeyid").value_or("");
  if (!type.value().empty()) options->put_headers.emplace_back("x-amz-server-side-encryption", type.value());
  if (!key.empty()) options->put_headers.emplace_back("x-amz-server-side-encryption-aws-kms-key-id", key);
  return Status::Ok();
}

// Off unless asked for: TLS and the signed digest of the body find damage already, and many services that speak S3
// refuse what is more than that.
Status TakeChecksums(ServiceUrl* url, S3Options* options) {
  constexpr char kAlways[] = "when_supported";
  for (const auto& [name, value] : {std::pair{"request_checksum_calculation", &options->add_checksums},
                                    std::pair{"response_checksum_validation", &options->check_checksums}}) {
    const Result<std::string> choice = url->TakeChoice(name, {kAlways, "when_required"});
    if (!choice.ok()) return choice.status();
    *value = choice.value() == kAlways;
  }
  return Status::Ok();
}

}  // namespace

Result<S3Options> S3Options::From(const std::string& text, std::shared_ptr<const CloudIo> io) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  if (url->host().empty()) return Status(Code::kInvalidArgument, "the URL names no bucket: expected s3://BUCKET");
  S3Options options;
  options.bucket = url->host();
  options.root = url->root();
  options.printable_url = url->printable();
  const Result<Addressing> addressing = TakeAddressing(&*url);
  if (!addressing.ok()) return addressing.status();
  KP_TRY(TakeEncryption(&*url, &options));
  KP_TRY(TakeChecksums(&*url, &options));
  Result<AwsSettings> settings = AwsSettings::From(&*url, std::move(io));
  if (!settings.ok()) return settings.status();
  KP_TRY(url->RefuseOthers(kKnown));
  options.settings = std::move(*settings);
  if (Status named = options.settings.CheckRegion(); !named.ok()) return named.Wrap(options.printable_url);
  Place(addressing.value(), &options);
  return options;
}

}  // namespace kingpost
