// SPDX-License-Identifier: Apache-2.0
// The settings before the first request to AWS: region, profile, endpoints, from the URL, the environment and the
// profiles, in this order.
#pragma once

#include <optional>
#include <string>

#include "remote/cloud/aws/config_files.h"
#include "remote/cloud/io.h"
#include "remote/cloud/retry.h"
#include "remote/cloud/service_url.h"

namespace kingpost {

struct AwsSettings {
  std::shared_ptr<const CloudIo> io;
  AwsConfigFiles files;
  std::string url_profile;  // of the URL; "" if it names none
  std::string role;         // to take on at last
  std::string region;       // "" if nobody names one
  bool anonymous = false;
  bool fips = false, dualstack = false;
  TlsOptions tls;
  RetryPolicy retry;
  std::shared_ptr<RetryBudget> budget;

  const std::string& profile_name() const { return profile_name_; }
  // A setting of the profile that counts; "".
  std::string OfProfile(const std::string& name) const;
  // The user's endpoint for the service `id` ("s3", "sts"): AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or the profile's. ""
  // if nothing.
  std::string ConfiguredEndpoint(const std::string& id) const;
  // That, or AWS's own: https://ID.REGION.amazonaws.com.
  Result<std::string> EndpointOf(const std::string& id) const;
  Status CheckRegion() const;

  // Takes from the URL what all of AWS's services have in common.
  static Result<AwsSettings> From(ServiceUrl* url, std::shared_ptr<const CloudIo> io);

 private:
  std::string profile_name_;
};

// "amazonaws.com", or that of the region's partition.
std::string AwsDomain(const std::string& region);

}  // namespace kingpost
