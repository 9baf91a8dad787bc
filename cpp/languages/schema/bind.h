// SPDX-License-Identifier: Apache-2.0
// From the document of a schema to a package whose references are resolved. Pure but for the lookup. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "languages/schema/package.h"

namespace kingpost::schema {

// A fault of a schema, and its place.
struct Diagnostic {
  bool error = true;  // else a warning
  std::string text;   // "#/resources/a:b:C: ..."
  std::string detail;
};
using Diagnostics = std::vector<Diagnostic>;
bool HasErrors(const Diagnostics& diagnostics);

// A package that references name, bound; or why it cannot be had. `version` may be "".
using Lookup = std::function<Result<PackagePtr>(const std::string& name, const std::string& version)>;

struct BindOptions {
  bool dangling_references = false;  // to undefined types are taken as they are
  Lookup lookup;                     // null: references to other packages are errors
};

struct BoundPackage {
  std::shared_ptr<Package> package;  // complete unless there are errors
  Diagnostics diagnostics;
};

// Binds all of it, and tells all that is wrong. `document` is canonical (document.h).
BoundPackage Bind(const nlohmann::ordered_json& document, const BindOptions& options);
// The package, or its errors as one.
Result<PackagePtr> BindWhole(const nlohmann::ordered_json& document, const BindOptions& options);

// A package for programs that use a part of it: a part is bound on its first access, so that all others cost only the
// reading of the text. Providers are asked what they take, whatever their schema says: what is wrong with a part is
// passed over, and what its type then is, is any. Fails if the text is no JSON object.
Result<PackagePtr> Open(const std::string& name, std::string_view text);

// The package "pulumi", which is no plugin: the resources that the engine itself provides.
PackagePtr CorePackage();
std::string CorePackageSchema();

}  // namespace kingpost::schema
