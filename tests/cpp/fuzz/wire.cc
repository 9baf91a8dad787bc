// SPDX-License-Identifier: Apache-2.0
// Fuzzes property values from the wire: the bytes of a Struct. A value that is accepted can be sent, and arrives equal.
#include "wire/wire.h"

#include <google/protobuf/struct.pb.h>

#include "fuzz/fuzz.h"
#include "fuzz/silent_protobuf.h"
#include "wire/whole_values.h"

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
  std::string sent;
  if (!ToStruct(map, testing::WholeValues(), &sent).ok()) return;
  WireStruct arrived;
  FUZZ_CHECK(wire::ParseDeep(sent, &arrived), "what was sent cannot be parsed");
  const auto again = FromStruct(sent, testing::WholeValues());
  FUZZ_CHECK(again.ok(), again.status().message());
  FUZZ_CHECK(DeepEqual(*again, map), arrived.ShortDebugString());
}

// Bytes are what protobuf takes them for.
void CompareWithProtobuf(const std::string& bytes, const Result<PropertyMap>& map, const WireOptions& options) {
  WireStruct wire;
  if (!wire::ParseDeep(bytes, &wire)) {
    FUZZ_CHECK(!map.ok(), "protobuf cannot parse it");
    return;
  }
  const auto expected = FromStruct(wire.SerializeAsString(), options);
  FUZZ_CHECK(map.status().message() == expected.status().message(), map.status().message());
  FUZZ_CHECK(!map.ok() || DeepEqual(*map, *expected), wire.ShortDebugString());
}

}  // namespace

void Try(std::string_view input) {
  if (input.empty()) return;
  const WireOptions options = Chosen(input.front());
  const std::string bytes(input.substr(1));
  const auto map = FromStruct(bytes, options);
  CompareWithProtobuf(bytes, map, options);
  if (map.ok()) {
    std::string sent;
    (void)ToStruct(*map, options, &sent);
  }
  const auto all = FromStruct(bytes, testing::WholeValues());
  if (all.ok()) SendAgain(*all);
}
