// SPDX-License-Identifier: Apache-2.0
// An export in small memory: it takes the resources one after the other, keeps their compact text, and hands out the
// indented text in parts.
//
//   ExportWriter out(encode, document.size());
//   decode.each = [&](const State& state) { out.Add(state); };
//   auto rest = DecodeCheckpoint(document, decode);
//   out.Finish(rest->snapshot);
//   out.Write(print);
#pragma once

#include <memory>

#include "model/deployment_json.h"
#include "model/json_text.h"

namespace kingpost {

class DeploymentWriter;

class ExportWriter {
 public:
  // `bytes`: about how long the compact text will be.
  explicit ExportWriter(const EncodeOptions& options, size_t bytes = 0);
  ~ExportWriter();

  void Add(const State& state);
  // The rest: all of `snapshot` but its resources. Fails if anything could not be encoded.
  Status Finish(const Snapshot& snapshot);
  // The text that EncodeExport makes, if it is finished.
  void Write(const JsonIndenter::Write& write) const;

 private:
  std::unique_ptr<DeploymentWriter> writer_;
};

}  // namespace kingpost
