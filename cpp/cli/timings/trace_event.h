// SPDX-License-Identifier: Apache-2.0
// Events of the format that chrome://tracing and Perfetto read.
#pragma once

#include <string>

#include "model/json_writer.h"

namespace kingpost {

// The name of a lane, or of the process that all lanes belong to. `what` is "thread_name" or "process_name".
inline void WriteTraceName(const char* what, int lane, const std::string& name, JsonWriter* json) {
  json->BeginObject();
  json->Key("name");
  json->Text(what);
  json->Key("ph");
  json->Text("M");
  json->Key("pid");
  json->Int(1);
  json->Key("tid");
  json->Int(lane);
  json->Key("args");
  json->BeginObject();
  json->Key("name");
  json->Text(name);
  json->EndObject();
  json->EndObject();
}

}  // namespace kingpost
