// SPDX-License-Identifier: Apache-2.0
#include "cli/display/reason_json.h"

namespace kingpost {

void WriteReason(const plan::Reason& reason, JsonWriter* json) {
  json->BeginObject();
  json->Key("rule");
  json->Text(plan::RuleName(reason.rule));
  json->Key("said");
  json->Text(plan::ReasonText(reason));
  json->Key("source");
  json->Text(plan::SourceName(reason.source));
  json->TextsUnlessEmpty("properties", reason.properties);
  json->TextUnlessEmpty("by", reason.by.str());
  json->EndObject();
}

}  // namespace kingpost
