// SPDX-License-Identifier: Apache-2.0
// Fuzzes the answers of a provider or policy pack: a byte for the kind of answer, and the bytes of its message.
#include "wire/wire.h"

#include "fuzz/fuzz.h"
#include "fuzz/parse_wire.h"
#include "fuzz/silent_protobuf.h"
#include "wire/analyzer_messages.h"
#include "wire/component_messages.h"
#include "wire/provider_messages.h"
#include "wire/whole_values.h"

using namespace kingpost;

namespace {

using fuzz::Parse;

// Accepts unknown values only as in a preview.
void ReadStruct(const std::string& wire) {
  for (const bool preview : {false, true}) {
    WireOptions options = testing::WholeValues();
    options.keep_unknowns = preview;
    options.reject_unknowns = !preview;
    (void)FromStruct(wire, options);
  }
}

void Check(std::string_view bytes) {
  pulumirpc::CheckResponse wire;
  if (!Parse(bytes, &wire)) return;
  ReadStruct(wire.inputs());
  (void)ReadFailures(wire.failures());
}

void Diff(std::string_view bytes) {
  pulumirpc::DiffResponse wire;
  if (Parse(bytes, &wire)) (void)ReadDiff(wire);
}

void Read(std::string_view bytes) {
  pulumirpc::ReadResponse wire;
  if (!Parse(bytes, &wire)) return;
  ReadStruct(wire.properties());
  ReadStruct(wire.inputs());
}

void Construct(std::string_view bytes) {
  pulumirpc::ConstructResponse wire;
  if (Parse(bytes, &wire)) (void)ReadConstructed(wire, {});
}

void Call(std::string_view bytes) {
  pulumirpc::CallResponse wire;
  if (Parse(bytes, &wire)) (void)ReadCalled(wire, {});
}

// The schema of a policy's configuration.
void Policy(std::string_view bytes) {
  pulumirpc::PolicyInfo wire;
  if (!Parse(bytes, &wire)) return;
  if (const auto schema = StructToJson(wire.configschema().properties()); schema.ok()) (void)JsonToStruct(*schema);
  (void)FromWireLevel(wire.enforcementlevel());
  (void)FromWireSeverity(wire.severity());
}

constexpr void (*kAnswers[])(std::string_view) = {Check, Diff, Read, Construct, Call, Policy};

}  // namespace

void Try(std::string_view input) {
  if (input.empty()) return;
  kAnswers[static_cast<unsigned char>(input.front()) % std::size(kAnswers)](input.substr(1));
}
