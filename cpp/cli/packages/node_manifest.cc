// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/node_manifest.h"

#include <nlohmann/json.hpp>

#include "base/pattern.h"
#include "base/text.h"
#include "base/trim.h"

namespace kingpost {

namespace {

struct Layout {
  std::string newline, indent;
};

Layout LayoutOf(const std::string& text) {
  static const Pattern* const kFirstLines = new Pattern("(?s)\\s*\\{((?:\\r?\\n)+)([ \\t]*).*");
  if (Trimmed(text) == "{}") return {"\n", "  "};
  const auto parts = kFirstLines->FindWhole(text);
  return parts ? Layout{parts->at(1), parts->at(2)} : Layout{"", ""};
}

}  // namespace

std::string ManifestText(const nlohmann::ordered_json& manifest, const std::string& old_text) {
  const Layout layout = LayoutOf(old_text);
  if (layout.newline.empty()) return manifest.dump();
  if (layout.indent.empty()) return Replaced(manifest.dump(0) + "\n", "\n", layout.newline);
  const int width = static_cast<int>(layout.indent.size());
  return Replaced(manifest.dump(width, layout.indent[0]) + "\n", "\n", layout.newline);
}

}  // namespace kingpost
