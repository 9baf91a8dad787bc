// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/fleet_file.h"

#include <filesystem>

#include "base/json_access.h"
#include "base/os.h"
#include "workspace/stack_config.h"
#include "workspace/yaml_node.h"

namespace kingpost::fleet {

namespace {

using Json = nlohmann::json;

class FleetFileReader {
 public:
  explicit FleetFileReader(const YamlDocument& document) : document_(document) {}

  Result<FleetFile> Read() {
    const Json& root = document_.json();
    file_.path = document_.file();
    if (root.is_null()) return file_;
    if (!root.is_object()) return Wrong("", "has to be a map with stack, config, members and groups");
    for (const auto& [key, value] : root.items()) {
      const std::string at = "/" + key;
      Status read;
      if (key == "stack") {
        read = Text(value, at, &file_.stack);
      } else if (key == "config") {
        read = Config(value);
      } else if (key == "members") {
        read = Members(value);
      } else if (key == "groups") {
        read = Groups(value);
      } else {
        read = Wrong(at, "unknown key '" + key + "'; known keys are stack, config, members and groups");
      }
      if (!read.ok()) return read;
    }
    return file_;
  }

 private:
  Status Wrong(const std::string& at, const std::string& what) const { return document_.Error(at, what); }

  Status Text(const Json& value, const std::string& at, std::string* text) const {
    *text = TextIn(value);
    return text->empty() ? Wrong(at, "has to be a text") : Status::Ok();
  }

  Status Texts(const Json& value, const std::string& at, std::vector<std::string>* texts) const {
    if (!value.is_array()) return Wrong(at, "has to be a list of texts");
    for (size_t i = 0; i < value.size(); ++i) {
      const Status read = Text(value[i], at + "/" + std::to_string(i), &texts->emplace_back());
      if (!read.ok()) return read;
    }
    return Status::Ok();
  }

  Status Config(const Json& value) {
    if (!value.is_object()) return Wrong("/config", "has to be a map of settings");
    for (const auto& [key, setting] : value.items()) {
      if (setting.is_structured() || setting.is_null())
        return Wrong("/config/" + key, "has to be a text, a number, true or false");
      file_.config[key] = setting.is_string() ? TextIn(setting) : setting.dump();
    }
    return Status::Ok();
  }

  Status Members(const Json& value) {
    if (!value.is_array()) return Wrong("/members", "has to be a list of folders");
    for (size_t i = 0; i < value.size(); ++i) {
      const Status read = OneMember(value[i], "/members/" + std::to_string(i), &file_.members.emplace_back());
      if (!read.ok()) return read;
    }
    return Status::Ok();
  }

  Status OneMember(const Json& value, const std::string& at, FleetFile::Member* member) const {
    if (value.is_string()) return Text(value, at, &member->folder);
    if (!value.is_object()) return Wrong(at, "has to be a folder, or a map with folder, stack, after and groups");
    for (const auto& [key, part] : value.items()) {
      const std::string below = at + "/" + key;
      Status read;
      if (key == "folder") {
        read = Text(part, below, &member->folder);
      } else if (key == "stack") {
        read = Text(part, below, &member->stack);
      } else if (key == "after") {
        read = Texts(part, below, &member->after);
      } else if (key == "groups") {
        read = Texts(part, below, &member->groups);
      } else {
        read = Wrong(below, "unknown key '" + key + "'; known keys are folder, stack, after and groups");
      }
      if (!read.ok()) return read;
    }
    return member->folder.empty() ? Wrong(at, "a member needs a folder") : Status::Ok();
  }

  Status Groups(const Json& value) {
    if (!value.is_object()) return Wrong("/groups", "has to be a map of lists");
    for (const auto& [name, members] : value.items()) {
      const Status read = Texts(members, "/groups/" + name, &file_.groups[name]);
      if (!read.ok()) return read;
    }
    return Status::Ok();
  }

  const YamlDocument& document_;
  FleetFile file_;
};

}  // namespace

Result<FleetFile> ParseFleetFile(const std::string& path, const std::string& text) {
  const Result<YamlDocument> document = YamlDocument::Parse(path, text);
  if (!document.ok()) return Status(Code::kInvalidArgument, document.status().message());
  return FleetFileReader(*document).Read();
}

Result<FleetFile> LoadFleetFile(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / kFleetFile).string();
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok() && text.status().code() == Code::kNotFound) return FleetFile();
  if (!text.ok()) return text.status();
  return ParseFleetFile(path, *text);
}

Result<std::map<std::string, std::string>> ConfigFor(const FleetFile& file, const StackConfig& settings) {
  std::map<std::string, std::string> given;
  for (const auto& [key, value] : file.config) {
    const Result<std::optional<Json>> own = settings.Get(key, false);
    if (!own.ok()) return own.status().Wrap(file.path + ": config " + key);
    if (!*own) given[key] = value;
  }
  return given;
}

}  // namespace kingpost::fleet
