// SPDX-License-Identifier: Apache-2.0
// Resources, diagnostics and configuration of policy packs <-> the wire. Any thread.
#pragma once

#include "wire/wire.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "kingpost/analyzer.h"
#include "kingpost/plugin_host.h"
#include "pulumi/analyzer.pb.h"

namespace kingpost {

// A resource as Analyze and Remediate get it; internal properties are kept only for Remediate.
Status ToWireResource(const AnalyzerResource& resource, bool skip_internal_keys, pulumirpc::AnalyzeRequest* out);
// As AnalyzeStack gets it, with its dependencies.
Status ToWireResource(const AnalyzerResource& resource, pulumirpc::AnalyzerResource* out);

Result<EnforcementLevel> FromWireLevel(pulumirpc::EnforcementLevel level);
std::string FromWireSeverity(pulumirpc::PolicySeverity severity);

void ToWireStack(const AnalyzerSpec& spec, pulumirpc::AnalyzerStackConfigureRequest* out);

// Plain JSON <-> the bytes of a Struct.
std::string JsonToStruct(const nlohmann::json& object);
Result<nlohmann::json> StructToJson(const std::string& bytes);

}  // namespace kingpost
