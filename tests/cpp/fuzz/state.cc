// SPDX-License-Identifier: Apache-2.0
// Fuzzes the state reader: an accepted state can be written, and is read again as an equal one.
#include "fuzz/fuzz.h"
#include "model/deployment_json.h"

using namespace kingpost;

void Try(std::string_view input) {
  (void)PeekSecretsProvider(input);
  (void)CountResources(input);
  (void)DecodeExport(input, {});
  const auto document = DecodeCheckpoint(input, {});
  if (!document.ok()) return;
  (void)VerifyIntegrity(document->snapshot);
  (void)TopologicalSort(document->snapshot.resources);
  const auto written = EncodeCheckpoint(*document, {});
  if (!written.ok()) return;
  const auto again = DecodeCheckpoint(*written, {});
  FUZZ_CHECK(again.ok(), again.status().message());
  const auto twice = EncodeCheckpoint(*again, {});
  FUZZ_CHECK(twice.ok() && *twice == *written, "written twice, not the same");
}
