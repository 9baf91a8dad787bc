// SPDX-License-Identifier: Apache-2.0
// Schemas of packages, asked from their plugins once in a run. Engine thread.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/plugin_host.h"
#include "languages/pcl/snippet.h"
#include "languages/schema/package.h"

namespace kingpost::snippets {

class PackageSchemas {
 public:
  using SchemaPtr = std::shared_ptr<const schema::Package>;

  PackageSchemas(Loop& loop, PluginHost& host) : host_(host), loading_(loop) {}

  Task<Result<SchemaPtr>> Get(pcl::PackageDescriptor package);

 private:
  PluginHost& host_;
  Mutex loading_;  // one at a time, so that nothing is loaded twice
  std::map<std::string, SchemaPtr> schemas_;
};

}  // namespace kingpost::snippets
