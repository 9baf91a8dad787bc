// SPDX-License-Identifier: Apache-2.0
#include "wire/convert_options.h"

#include "wire/convert.h"
#include "wire/option_fields.h"

namespace kingpost {

namespace {

WireOptions EverythingKept() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  options.keep_byte_strings = true;
  return options;
}

const OptionFields& TransformFields() {
  return OptionFieldsOf<pulumirpc::TransformResourceOptions, OptionNames::kOptions>();
}

}  // namespace

void ToWireAlias(const Alias& alias, pulumirpc::Alias* out) {
  if (!alias.urn.empty()) {
    out->set_urn(alias.urn.str());
    return;
  }
  auto* spec = out->mutable_spec();
  spec->set_name(alias.name);
  spec->set_type(alias.type);
  spec->set_stack(alias.stack);
  spec->set_project(alias.project);
  if (alias.no_parent) {
    spec->set_noparent(true);
  } else if (!alias.parent_urn.empty()) {
    spec->set_parenturn(alias.parent_urn.str());
  }
}

Alias FromWireAlias(const pulumirpc::Alias& wire) {
  Alias alias;
  if (!wire.has_spec()) {
    alias.urn = Urn(wire.urn());
    return alias;
  }
  const auto& spec = wire.spec();
  alias.name = spec.name();
  alias.type = spec.type();
  alias.stack = spec.stack();
  alias.project = spec.project();
  alias.no_parent = spec.noparent();
  alias.parent_urn = Urn(spec.parenturn());
  return alias;
}

Status ToWireOptions(const RegisterResourceRequest& request, pulumirpc::TransformResourceOptions* out) {
  return WriteOptionFields(request, TransformFields(), EverythingKept(), out);
}

Status FromWireOptions(const pulumirpc::TransformResourceOptions& wire, RegisterResourceRequest* request) {
  return ReadOptionFields(wire, TransformFields(), EverythingKept(), request);
}

void ToWireOptions(const State& state, pulumirpc::ResourceOptions* out) {
  out->set_parent(state.parent.str());
  WriteOptionFields(state, OptionFieldsOf<pulumirpc::ResourceOptions, OptionNames::kOptions>(), out);
}

}  // namespace kingpost
