// SPDX-License-Identifier: Apache-2.0
#include "wire/convert_options.h"

#include "wire/convert.h"

namespace kingpost {

namespace {

template <class List>
void Copy(const std::vector<std::string>& texts, List* out) {
  out->Add(texts.begin(), texts.end());
}

std::vector<std::string> Texts(const google::protobuf::RepeatedPtrField<std::string>& list) {
  return {list.begin(), list.end()};
}

WireOptions EverythingKept() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  options.keep_byte_strings = true;
  return options;
}

// The fields that the options of transforms and of hooks share, by name and meaning.
template <class Options>
Status FillOptions(const ResourceOptions& options, Options* out) {
  Copy(options.depends_on, out->mutable_depends_on());
  if (options.protect) out->set_protect(*options.protect);
  Copy(options.ignore_changes, out->mutable_ignore_changes());
  Copy(options.replace_on_changes, out->mutable_replace_on_changes());
  out->set_version(options.version);
  for (const Alias& alias : options.aliases) ToWireAlias(alias, out->add_aliases());
  out->set_provider(options.provider);
  if (!options.custom_timeouts.empty()) ToWireTimeouts(options.custom_timeouts, out->mutable_custom_timeouts());
  out->set_plugin_download_url(options.plugin_download_url);
  if (options.retain_on_delete) out->set_retain_on_delete(*options.retain_on_delete);
  out->set_deleted_with(options.deleted_with);
  if (options.delete_before_replace) out->set_delete_before_replace(*options.delete_before_replace);
  Copy(options.additional_secret_outputs, out->mutable_additional_secret_outputs());
  out->mutable_providers()->insert(options.providers.begin(), options.providers.end());
  out->mutable_plugin_checksums()->insert(options.plugin_checksums.begin(), options.plugin_checksums.end());
  if (!options.hooks.empty()) ToWireHooks(options.hooks, true, out->mutable_hooks());
  out->set_import(options.import_id);
  Copy(options.hide_diffs, out->mutable_hide_diff());
  Copy(options.replace_with, out->mutable_replace_with());
  if (options.replacement_trigger.is_null()) return Status::Ok();
  bool kept = true;
  return ToWireValue("replacementTrigger", options.replacement_trigger, EverythingKept(),
                     out->mutable_replacement_trigger(), &kept);
}

Result<double> Seconds(const std::string& text) {
  if (text.empty()) return 0.0;
  auto seconds = naming::ParseGoDuration(text);
  if (!seconds) return Status(Code::kInvalidArgument, "unable to parse customTimeout Value " + text);
  return *seconds;
}

Status ReadTimeouts(const pulumirpc::RegisterResourceRequest::CustomTimeouts& wire, CustomTimeouts* out) {
  const std::pair<const std::string*, double*> fields[] = {{&wire.create(), &out->create_s},
                                                           {&wire.update(), &out->update_s},
                                                           {&wire.delete_(), &out->delete_s},
                                                           {&wire.read(), &out->read_s}};
  for (const auto& [text, seconds] : fields) {
    auto parsed = Seconds(*text);
    if (!parsed.ok()) return parsed.status();
    *seconds = *parsed;
  }
  return Status::Ok();
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

Status ToWireOptions(const ResourceOptions& options, pulumirpc::TransformResourceOptions* out) {
  return FillOptions(options, out);
}

Status ToWireOptions(const ResourceOptions& options, pulumirpc::ResourceOptions* out) {
  out->set_parent(options.parent);
  return FillOptions(options, out);
}

Result<ResourceOptions> FromWireOptions(const pulumirpc::TransformResourceOptions& wire) {
  ResourceOptions options;
  options.depends_on = Texts(wire.depends_on());
  if (wire.has_protect()) options.protect = wire.protect();
  options.ignore_changes = Texts(wire.ignore_changes());
  options.replace_on_changes = Texts(wire.replace_on_changes());
  options.version = wire.version();
  for (const auto& alias : wire.aliases()) options.aliases.push_back(FromWireAlias(alias));
  options.provider = wire.provider();
  Status timeouts = ReadTimeouts(wire.custom_timeouts(), &options.custom_timeouts);
  if (!timeouts.ok()) return timeouts;
  options.plugin_download_url = wire.plugin_download_url();
  if (wire.has_retain_on_delete()) options.retain_on_delete = wire.retain_on_delete();
  options.deleted_with = wire.deleted_with();
  if (wire.has_delete_before_replace()) options.delete_before_replace = wire.delete_before_replace();
  options.additional_secret_outputs = Texts(wire.additional_secret_outputs());
  options.providers.insert(wire.providers().begin(), wire.providers().end());
  options.plugin_checksums.insert(wire.plugin_checksums().begin(), wire.plugin_checksums().end());
  options.hooks = FromWireHooks(wire.hooks());
  options.import_id = wire.import();
  options.hide_diffs = Texts(wire.hide_diff());
  options.replace_with = Texts(wire.replace_with());
  if (wire.has_replacement_trigger()) {
    auto trigger = FromWireValue("replacementTrigger", wire.replacement_trigger(), EverythingKept());
    if (!trigger.ok()) return trigger.status();
    if (trigger->has_value()) options.replacement_trigger = std::move(**trigger);
  }
  return options;
}

}  // namespace kingpost
