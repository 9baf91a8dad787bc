// SPDX-License-Identifier: Apache-2.0
// Property values from the wire: the bytes of a Struct. What is taken can be sent again, and arrives as the same.
#include "rpc/wire.h"

#include "fuzz/fuzz.h"
#include "fuzz/silent_protobuf.h"
#include "rpc/whole_values.h"

using namespace kingpost;

namespace {

using WireStruct = google::protobuf::Struct;

// A bit for each of the options.
WireOptions Chosen(unsigned char bits) {
  WireOptions options;
  options.keep_unknowns = bits & 1;
  options.reject_unknowns = bits & 2;
  options.keep_secrets = bits & 4;
  options.keep_resources = bits & 8;
  options.keep_outputs = bits & 16;
  options.upgrade_to_outputs = bits & 32;
  options.keep_byte_strings = bits & 64;
  options.elide_asset_contents = options.skip_nulls = options.skip_internal_keys = bits & 128;
  return options;
}

void SendAgain(const PropertyMap& map) {
  WireStruct sent;
  if (!ToStruct(map, testing::WholeValues(), &sent).ok()) return;
  WireStruct arrived;
  FUZZ_CHECK(wire::ParseDeep(sent.SerializeAsString(), &arrived), "what was sent cannot be parsed");
  const auto again = FromStruct(arrived, testing::WholeValues());
  FUZZ_CHECK(again.ok(), again.status().message());
  FUZZ_CHECK(DeepEqual(*again, map), arrived.ShortDebugString());
}

}  // namespace

void Try(std::string_view input) {
  if (input.empty()) return;
  const WireOptions options = Chosen(input.front());
  WireStruct wire;
  if (!wire::ParseDeep(std::string(input.substr(1)), &wire)) return;
  const auto map = FromStruct(wire, options);
  if (map.ok()) {
    WireStruct sent;
    (void)ToStruct(*map, options, &sent);
  }
  const auto all = FromStruct(wire, testing::WholeValues());
  if (all.ok()) SendAgain(*all);
}
