// Property values from the wire: the bytes of a Struct. What is taken can be sent again, and arrives as the same.
#include "rpc/wire.h"

#include <google/protobuf/stubs/logging.h>

#include "fuzz/fuzz.h"
#include "rpc/convert.h"

using namespace kingpost;

namespace {

// It says of each text that is not UTF-8 that it is not.
[[maybe_unused]] auto* const kLogged = google::protobuf::SetLogHandler(nullptr);

using WireStruct = google::protobuf::Struct;

WireOptions Everything() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  options.keep_byte_strings = true;
  return options;
}

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
  if (!ToStruct(map, Everything(), &sent).ok()) return;
  WireStruct arrived;
  FUZZ_CHECK(wire::ParseDeep(sent.SerializeAsString(), &arrived), "what was sent cannot be parsed");
  const auto again = FromStruct(arrived, Everything());
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
  const auto all = FromStruct(wire, Everything());
  if (all.ok()) SendAgain(*all);
}
