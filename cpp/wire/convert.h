// SPDX-License-Identifier: Apache-2.0
// Property values <-> the bytes of google.protobuf.Struct and Value (rows 8.3, 8.4, 1.14), which is what the messages
// that carry property values hold in C++ (cmake/Protos.cmake). Pure: reads no file, computes no hash (that is
// assets/content_hash.h). Any thread.
//
// On the wire an object with the signature key is one of: secret, asset, archive, resource reference, output value,
// byte string. Unknown values are sentinel strings. Names of options are the reference's; each is off by default.
// Values nested deeper than the wire allows are refused with an error that names the property.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "kingpost/provider_values.h"
#include "model/value.h"

namespace kingpost {

struct WireOptions {
  bool keep_unknowns = false;         // else they are left out
  bool reject_unknowns = false;       // an error; stronger than keep_unknowns
  bool keep_secrets = false;          // else replaced by what they hold
  bool keep_resources = false;        // else replaced by their ID, or by their URN if they have none
  bool keep_outputs = false;          // if they depend on something; else flattened to value, unknown and secret
  bool upgrade_to_outputs = false;    // sending, with keep_outputs: secrets and unknowns become outputs, too
  bool keep_byte_strings = false;     // sending: else a string that is not UTF-8 is an error
  bool elide_asset_contents = false;  // sending: only hashes of assets and archives
  bool reject_assets = false;
  bool skip_nulls = false;
  bool skip_internal_keys = false;  // keys beginning "__", at the top only
};

// `out` is cleared first.
Status ToStruct(const PropertyMap& map, const WireOptions& options, std::string* out);
// False in *kept if the value is an unknown that is left out; then `out` is untouched.
Status ToWireValue(const std::string& key, const Value& value, const WireOptions& options, std::string* out,
                   bool* kept);

Result<PropertyMap> FromStruct(const std::string& bytes, const WireOptions& options);
// Nullopt for an unknown that is left out.
Result<std::optional<Value>> FromWireValue(const std::string& key, const std::string& bytes,
                                           const WireOptions& options);

// For receivers without support for partial values: the properties with no unknown inside.
PropertyMap DropPartialValues(const PropertyMap& map);

// Assets and archives that came back with nothing but a hash get the contents that the first of the `originals` with
// that hash has.
PropertyMap RestoreAssetContents(const std::vector<PropertyMap>& originals, const PropertyMap& returned);

}  // namespace kingpost
