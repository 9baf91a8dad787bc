// SPDX-License-Identifier: Apache-2.0
// From the document of a schema to a package whose references are resolved, and all that is wrong with it. Pure but for
// the lookup. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "languages/schema/diagnostic.h"
#include "languages/schema/package.h"

namespace kingpost::schema {

// A package that references name, bound; or why it cannot be had. `version` may be "".
using Lookup =
    std::function<Result<std::shared_ptr<const Package>>(const std::string& name, const std::string& version)>;

struct BindOptions {
  bool dangling_references = false;  // to types that nobody defines are taken as they are
  Lookup lookup;                     // null: references to other packages are errors
};

struct Bound {
  std::shared_ptr<Package> package;  // complete unless there are errors
  Diagnostics diagnostics;
};

// `document` is canonical (document.h).
Bound Bind(const nlohmann::ordered_json& document, const BindOptions& options);
// The package, or its errors as one.
Result<std::shared_ptr<const Package>> BindWhole(const nlohmann::ordered_json& document, const BindOptions& options);

// The other packages that references name, each once: what a lookup will be asked for.
std::vector<Dependency> ReferencedPackages(const nlohmann::ordered_json& document);

}  // namespace kingpost::schema
