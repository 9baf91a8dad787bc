// SPDX-License-Identifier: Apache-2.0
// Fuzzes the JSON reader of property values: an accepted value survives being written.
#include "fuzz/fuzz.h"
#include "model/deployment_json.h"

using namespace kingpost;

void Try(std::string_view input) {
  const auto value = DecodeValue(input, Urn(), {});
  if (!value.ok()) return;
  const auto written = EncodeValue(*value, Urn(), {});
  if (!written.ok()) return;
  const auto again = DecodeValue(*written, Urn(), {});
  FUZZ_CHECK(again.ok(), again.status().message());
  const auto twice = EncodeValue(*again, Urn(), {});
  FUZZ_CHECK(twice.ok() && *twice == *written, *written);
}
