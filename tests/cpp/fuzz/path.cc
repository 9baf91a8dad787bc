// SPDX-License-Identifier: Apache-2.0
// Fuzzes property paths, applied to a value: PATH NEWLINE JSON.
#include "fuzz/fuzz.h"
#include "model/deployment_json.h"
#include "model/property_path.h"

using namespace kingpost;

void Try(std::string_view input) {
  const size_t line = input.find('\n');
  const auto path = PropertyPath::Parse(input.substr(0, line));
  if (!path.ok()) return;
  // A name that is empty, or holds a backslash, has no text that is read as the same: the reference has none either.
  if (input.find_first_of("\\\"") == input.npos) {
    const auto again = PropertyPath::Parse(path->str());
    FUZZ_CHECK(again.ok() && again->elements() == path->elements(), path->str());
  }
  FUZZ_CHECK(path->Contains(*path), path->str());
  if (line == input.npos) return;
  const auto value = DecodeValue(input.substr(line + 1), Urn(), {});
  if (!value.ok()) return;
  (void)path->Get(*value);
  const auto set = path->Set(*value, Value(7.0));
  if (set) (void)path->Get(*set);
  (void)path->Delete(*value);
  (void)path->Reset(*value, set ? *set : *value);
}
