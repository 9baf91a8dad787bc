// SPDX-License-Identifier: Apache-2.0
// Fuzzes YAML of users, and edits of a stack's settings: the edited text is YAML and has the change.
#include <unistd.h>

#include <cstdlib>

#include "base/disk/durable_file.h"
#include "fuzz/fuzz.h"
#include "workspace/stack_config.h"
#include "workspace/yaml_node.h"

using namespace kingpost;

namespace {

const std::string& File() {
  static const std::string& file = *new std::string("/dev/shm/kp_fuzz_settings." + std::to_string(getpid()) + ".yaml");
  return file;
}

void Edit(const std::string& key, bool path) {
  auto settings = StackConfig::Load(File(), "shop");
  if (!settings.ok() || !settings->SetText(key, "a: b # c", path).ok()) return;
  if (!settings->Save().ok()) return;
  const auto again = StackConfig::Load(File(), "shop");
  FUZZ_CHECK(again.ok(), again.status().message());
  const auto value = again->Get(key, path);
  FUZZ_CHECK(value.ok() && value->has_value(), "what was set is not there");
  auto removing = StackConfig::Load(File(), "shop");
  if (removing->Remove(key, path).ok() && removing->Save().ok()) {
    FUZZ_CHECK(StackConfig::Load(File(), "shop").ok(), "unreadable after a removal");
  }
}

}  // namespace

void Try(std::string_view input) {
  const auto document = YamlDocument::Parse("fuzz.yaml", std::string(input));
  if (!document.ok()) return;
  for (const char* key : {"shop:size", "shop:a.b[0]"}) {
    if (!WriteFileDurably(File(), input, {.backup_path = "", .sync = false}).ok()) return;
    Edit(key, std::string_view(key).find('.') != std::string_view::npos);
  }
}
