// SPDX-License-Identifier: Apache-2.0
#include "console/display/reason_json.h"

namespace kingpost {

void WriteReason(const decisions::Reason& reason, JsonWriter* json) {
  json->BeginObject();
  json->Key("rule");
  json->Text(decisions::RuleName(reason.rule));
  json->Key("said");
  json->Text(decisions::ReasonText(reason));
  json->Key("source");
  json->Text(decisions::SourceName(reason.source));
  json->TextsUnlessEmpty("properties", reason.properties);
  json->TextUnlessEmpty("by", reason.by.str());
  json->EndObject();
}

}  // namespace kingpost
