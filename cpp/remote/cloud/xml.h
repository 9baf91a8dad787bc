// SPDX-License-Identifier: Apache-2.0
// The small XML documents that services answer with, as a tree of elements. Read by Expat.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kingpost {

struct XmlElement {
  std::string name;  // without a prefix
  std::string text;
  std::vector<XmlElement> children;

  const XmlElement* Child(std::string_view child) const;  // the first one; null if there is none
  // The text of a child, or of a child's child: "Error/Code". "" if there is none.
  std::string TextOf(std::string_view path) const;
};

std::optional<XmlElement> ParseXml(std::string_view document);  // the outermost element

}  // namespace kingpost
