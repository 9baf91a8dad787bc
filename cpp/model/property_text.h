// SPDX-License-Identifier: Apache-2.0
// Properties that stay the recorded text until their first access.
//
// Most of a large stack is loaded to be saved again as it was. Its properties need not become values for that, if their
// text is just what would be written: keys in order, numbers and escapes in Go's spelling, no blanks. And it is plain:
// it holds nothing that is more than its JSON (assets, references, what is not known yet), but for secrets that stay
// sealed. All other properties are read at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace kingpost {

class PropertyTexts {
 public:
  // `text_owner` keeps the document in memory. Without one, and where there are blanks, texts are copied. `sealed`:
  // nobody opens the secrets, so a text may hold some.
  PropertyTexts(std::shared_ptr<const void> text_owner, bool sealed)
      : text_owner_(std::move(text_owner)), sealed_(sealed) {}

  // The object that `text` begins with, if it is plain; *length is what it takes there.
  std::optional<PropertyMap> Take(std::string_view text, size_t* length);

 private:
  PropertyMap Copy(std::string_view text);

  const std::shared_ptr<const void> text_owner_;
  const bool sealed_;
  std::string compact_;                  // the one that was read last, if it had blanks
  std::shared_ptr<std::string> copies_;  // has room for more; never grows
  std::vector<std::string_view> keys_;   // of the objects that are being read, the last of each
};

// Whether one of the properties of a plain text is a sealed secret, or holds one.
bool HoldsSealedSecrets(std::string_view text);
// The properties that a plain text holds.
PropertyMap ReadPropertyText(std::string_view text);
// DeepEqual, without reading all of a text that differs.
bool EqualsPropertyText(const PropertyMap& map, std::string_view text);

}  // namespace kingpost
