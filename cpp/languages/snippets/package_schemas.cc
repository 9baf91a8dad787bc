// SPDX-License-Identifier: Apache-2.0
#include "languages/snippets/package_schemas.h"

#include "base/encoding.h"
#include "languages/schema/bind.h"

namespace kingpost::snippets {

namespace {

std::string KeyOf(const pcl::PackageDescriptor& package) {
  std::string key = Quote(package.name) + Quote(package.version) + Quote(package.download_url);
  if (!package.parameterization) return key;
  const Parameterization& parameter = *package.parameterization;
  return key + Quote(parameter.name) + Quote(parameter.version) + Base64Encode(parameter.value);
}

}  // namespace

Task<Result<PackageSchemas::SchemaPtr>> PackageSchemas::Get(pcl::PackageDescriptor package) {
  if (package.name == "pulumi") co_return schema::CorePackage();
  auto permit = co_await loading_.Acquire();
  const std::string key = KeyOf(package);
  if (auto known = schemas_.find(key); known != schemas_.end()) co_return known->second;
  ProviderSpec spec;
  spec.name = package.name;
  spec.version = package.version;
  spec.download_url = package.download_url;
  Result<std::string> text = co_await host_.LoadSchema(std::move(spec), package.parameterization);
  if (!text.ok()) co_return text.status().Wrap("unknown package '" + package.name + "'");
  auto schema = schema::Open(package.name, *text);
  if (schema.ok()) schemas_[key] = *schema;
  co_return schema;
}

}  // namespace kingpost::snippets
