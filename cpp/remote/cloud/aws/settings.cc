// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/settings.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/os.h"

namespace kingpost {

namespace {

constexpr int64_t kBudgetMax = INT32_MAX;

bool SwitchedOn(const AwsSettings& settings, const char* variable, const char* name) {
  const std::string text = GetEnvironment(variable);
  return IsTruthy(text.empty() ? settings.OfProfile(name) : text);
}

std::string RegionOf(const AwsSettings& settings) {
  for (const char* variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    const std::string region = GetEnvironment(variable);
    if (!region.empty()) return region;
  }
  return settings.OfProfile("region");
}

void SetAttempts(AwsSettings* settings) {
  std::string text = GetEnvironment("AWS_MAX_ATTEMPTS");
  if (text.empty()) text = settings->OfProfile("max_attempts");
  const int attempts = std::atoi(text.c_str());
  if (attempts > 0) settings->retry.attempts_max = attempts;
}

Status SetBudget(ServiceUrl* url, AwsSettings* settings) {
  const std::optional<std::string> text = url->Take("rate_limiter_capacity");
  if (!text) return Status::Ok();
  char* end = nullptr;
  const long long capacity = std::strtoll(text->c_str(), &end, 10);
  if (*end || capacity > kBudgetMax || capacity < -kBudgetMax) {
    return {Code::kInvalidArgument,
            "invalid value for parameter \"rate_limiter_capacity\" of " + url->printable() + ": expected a number"};
  }
  if (capacity > 0) settings->budget = std::make_shared<RetryBudget>(capacity);
  return Status::Ok();
}

Status TakeSwitches(ServiceUrl* url, AwsSettings* settings) {
  const std::pair<const char*, bool*> switches[] = {
      {"anonymous", &settings->anonymous}, {"fips", &settings->fips}, {"dualstack", &settings->dualstack}};
  for (const auto& [name, value] : switches) {
    const Result<bool> taken = url->TakeBool(name, *value);
    if (!taken.ok()) return taken.status();
    *value = taken.value();
  }
  return Status::Ok();
}

}  // namespace

std::string AwsSettings::OfProfile(const std::string& name) const {
  const AwsSection* profile = files.Profile(profile_name_);
  if (!profile) return "";
  const auto found = profile->find(name);
  return found == profile->end() ? "" : found->second;
}

std::string AwsSettings::ConfiguredEndpoint(const std::string& id) const {
  if (IsTrueVariable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") || IsTruthy(OfProfile("ignore_configured_endpoint_urls"))) {
    return "";
  }
  std::string variable = "AWS_ENDPOINT_URL_" + id;
  std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const std::string& name : {variable, std::string("AWS_ENDPOINT_URL")}) {
    const std::string endpoint = GetEnvironment(name.c_str());
    if (!endpoint.empty()) return endpoint;
  }
  if (const AwsSection* services = files.Services(OfProfile("services"))) {
    const auto found = services->find(id + ".endpoint_url");
    if (found != services->end()) return found->second;
  }
  return OfProfile("endpoint_url");
}

Result<std::string> AwsSettings::EndpointOf(const std::string& id) const {
  std::string endpoint = ConfiguredEndpoint(id);
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (!endpoint.empty()) return endpoint;
  if (Status named = CheckRegion(); !named.ok()) return named;
  const std::string domain = AwsDomain(region);
  if (!dualstack) return "https://" + id + (fips ? "-fips." : ".") + region + "." + domain;
  return "https://" + id + (fips ? "-fips." : ".") + region + (domain == "amazonaws.com" ? ".api.aws" : "." + domain);
}

Status AwsSettings::CheckRegion() const {
  if (!region.empty()) return Status::Ok();
  return {Code::kInvalidArgument,
          "no AWS region is known: add region=REGION to the URL, or set AWS_REGION, or `region` in profile '" +
              profile_name_ + "'"};
}

Result<AwsSettings> AwsSettings::From(ServiceUrl* url, std::shared_ptr<const CloudIo> io) {
  AwsSettings settings;
  settings.io = std::move(io);
  settings.files = AwsConfigFiles::Read();
  settings.url_profile = url->Take("profile").value_or("");
  settings.profile_name_ = settings.url_profile.empty() ? AwsProfileOfEnvironment() : settings.url_profile;
  settings.role = url->Take("role").value_or("");
  if (!settings.role.empty() && !settings.role.starts_with("arn:")) {
    return Status(Code::kInvalidArgument,
                  "invalid value for parameter \"role\" of " + url->printable() + ": expected an ARN (arn:...)");
  }
  const std::optional<std::string> region = url->Take("region");
  settings.region = region ? *region : RegionOf(settings);
  settings.fips = SwitchedOn(settings, "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint");
  settings.dualstack = SwitchedOn(settings, "AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint");
  settings.tls.ca_file = GetEnvironment("AWS_CA_BUNDLE");
  if (settings.tls.ca_file.empty()) settings.tls.ca_file = settings.OfProfile("ca_bundle");
  SetAttempts(&settings);
  (void)url->Take("awssdk");  // which of two SDKs the reference is to use; there is one here
  KP_TRY(TakeSwitches(url, &settings));
  KP_TRY(SetBudget(url, &settings));
  return settings;
}

std::string AwsDomain(const std::string& region) {
  constexpr std::array<std::pair<const char*, const char*>, 6> kPartitions = {{{"cn-", "amazonaws.com.cn"},
                                                                               {"us-isob-", "sc2s.sgov.gov"},
                                                                               {"us-isof-", "csp.hci.ic.gov"},
                                                                               {"us-iso-", "c2s.ic.gov"},
                                                                               {"eu-isoe-", "cloud.adc-e.uk"},
                                                                               {"eusc-", "amazonaws.eu"}}};
  for (const auto& [prefix, domain] : kPartitions) {
    if (region.starts_with(prefix)) return domain;
  }
  return "amazonaws.com";
}

}  // namespace kingpost
