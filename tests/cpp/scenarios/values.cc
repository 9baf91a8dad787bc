// SPDX-License-Identifier: Apache-2.0
#include "scenarios/values.h"

#include "base/encoding.h"

namespace kingpost::scenarios {

namespace {

constexpr char kUnknownWord[] = "$unknown";

// Returns the text between "${" and "}" if that is the whole text.
std::optional<std::string> WholeExpression(const std::string& text) {
  if (text.rfind("${", 0) != 0 || text.find('}') != text.size() - 1) return std::nullopt;
  return text.substr(2, text.size() - 3);
}

// Returns the end of a URN inside a longer text.
size_t EndOfUrn(const std::string& text, size_t begin) {
  const size_t end = text.find_first_of(" '\"`,()[]{}\n", begin);
  size_t stop = end == text.npos ? text.size() : end;
  while (stop > begin && (text[stop - 1] == '.' || text[stop - 1] == ':' || text[stop - 1] == ';')) --stop;
  return stop;
}

Value Step(const Value& value, const std::string& key, bool dry_run) {
  if (value.is_secret()) return Value::Secret(Step(value.as_secret().element, key, dry_run));
  if (value.is_object()) {
    if (const Value* found = value.as_object().Find(key)) return *found;
  }
  return value.is_computed() || dry_run ? Value(Computed()) : Value();
}

}  // namespace

void Names::Learn(const std::string& label, const Handle& handle) {
  handles_[label] = handle;
  urn_of_[label] = handle.urn.str();
  label_of_.emplace(handle.urn.str(), label);
}

void Names::NewProgram() {
  handles_.clear();
  packages_.clear();
}

std::string Names::PackageOf(const std::string& word) const {
  const auto found = packages_.find(word);
  return found == packages_.end() ? word : found->second;
}

const Handle* Names::Find(const std::string& label) const {
  const auto found = handles_.find(label);
  return found == handles_.end() ? nullptr : &found->second;
}

std::string Names::UrnOf(const std::string& word) const {
  if (word.empty() || word.rfind("urn:", 0) == 0 || word.find('*') != word.npos) return word;
  if (const auto found = urn_of_.find(word); found != urn_of_.end()) return found->second;
  // TYPE::NAME names a resource of another type that was never registered.
  const size_t split = word.find("::");
  if (split == word.npos) return Urn::Make(kStack, kProject, "", kDefaultType, word).str();
  return Urn::Make(kStack, kProject, "", word.substr(0, split), word.substr(split + 2)).str();
}

std::string Names::ReferenceOf(const std::string& provider) const {
  if (provider.empty() || provider.find("urn:") == 0) return provider;
  const Handle* handle = Find(provider);
  if (!handle) throw Mistake("no provider \"" + provider + "\" has been registered yet");
  return handle->urn.str() + "::" + (handle->id.empty() ? std::string(kUnknownString) : handle->id);
}

std::string Names::Label(const Urn& urn) const {
  if (urn.empty()) return "";
  const auto found = label_of_.find(urn.str());
  return found == label_of_.end() ? std::string(urn.name()) : found->second;
}

std::string Names::Shorten(const std::string& text) const {
  std::string out;
  size_t at = 0;
  for (size_t begin; (begin = text.find("urn:pulumi:", at)) != text.npos;) {
    const size_t end = EndOfUrn(text, begin);
    std::string urn = text.substr(begin, end - begin);
    // A reference to a provider ends with "::ID", which is random.
    if (Urn(urn).type().rfind("pulumi:providers:", 0) == 0) {
      const size_t id = urn.rfind("::");
      if (id > urn.find("::", urn.find("pulumi:providers:"))) urn.resize(id);
    }
    out += text.substr(at, begin - at) + Label(Urn(urn));
    at = end;
  }
  return out + text.substr(at);
}

Value Names::Resolve(const std::string& expression) const {
  const size_t dot = expression.find('.');
  const std::string label = expression.substr(0, dot);
  const Handle* handle = Find(label);
  if (!handle) throw Mistake("${" + expression + "}: no resource \"" + label + "\" has been registered yet");
  const std::string path = dot == expression.npos ? "" : expression.substr(dot + 1);
  if (path.empty()) throw Mistake("${" + expression + "}: write " + label + ".id, .urn or .PROPERTY");
  if (path == "urn") return handle->urn.str();
  if (handle->unknown) return Computed();
  if (path == "id") return handle->id.empty() ? Value(Computed()) : Value(handle->id);
  Value value(handle->outputs);
  for (size_t at = 0; at <= path.size();) {
    const size_t next = std::min(path.find('.', at), path.size());
    value = Step(value, path.substr(at, next - at), dry_run);
    at = next + 1;
  }
  return value;
}

Value Names::FromText(const std::string& text) const {
  if (text == kUnknownWord) return Computed();
  if (const auto expression = WholeExpression(text)) return Resolve(*expression);
  std::string out;
  bool secret = false;  // what is made of secrets is one
  size_t at = 0;
  for (size_t begin; (begin = text.find("${", at)) != text.npos;) {
    const size_t end = text.find('}', begin);
    if (end == text.npos) throw Mistake("a \"${\" without its \"}\" in \"" + text + "\"");
    Value part = Resolve(text.substr(begin + 2, end - begin - 2));
    if (ContainsUnknowns(part)) return Computed();
    secret = secret || ContainsSecrets(part);
    part = StripSecrets(part);
    out += text.substr(at, begin - at) + (part.is_string() ? part.as_string() : ToJson(part).dump());
    at = end + 1;
  }
  out += text.substr(at);
  return secret ? Value::Secret(out) : Value(out);
}

Value Names::ToValue(const Json& json) const {
  if (json.is_null()) return Value();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return FromText(json);
  if (json.is_array()) {
    Array array;
    for (const Json& item : json) array.push_back(ToValue(item));
    return array;
  }
  if (json.contains("$secret")) return Value::Secret(ToValue(json["$secret"]));
  if (json.contains("$bytes")) return *HexDecode(json["$bytes"].get<std::string>());
  if (json.contains("$output")) {
    OutputData data;
    data.element = ToValue(json["$output"]);
    data.known = json.value("known", true);
    data.secret = json.value("secret", false);
    for (const std::string label : json.value("deps", Json::array())) data.dependencies.push_back(Urn(UrnOf(label)));
    return Value::Output(std::move(data));
  }
  if (json.contains("$asset")) {
    AssetData data;
    data.text = json["$asset"];
    return Value::Asset(std::move(data));
  }
  if (json.contains("$archive")) {
    ArchiveData data;
    data.assets = ToProperties(json["$archive"]);
    return Value::Archive(std::move(data));
  }
  if (json.contains("$ref")) {
    const std::string label = json["$ref"];
    const Handle* handle = Find(label);
    if (!handle) throw Mistake("$ref: no resource \"" + label + "\" has been registered yet");
    ResourceReference reference;
    reference.urn = handle->urn;
    if (handle->custom) {
      reference.id = std::make_shared<const Value>(handle->id.empty() ? Value(Computed()) : Value(handle->id));
    }
    return Value::Reference(std::move(reference));
  }
  return ToProperties(json);
}

PropertyMap Names::ToProperties(const Json& json) const {
  PropertyMap properties;
  if (json.is_null()) return properties;
  if (!json.is_object()) throw Mistake("a mapping of properties is wanted, not " + json.dump());
  for (const auto& [key, value] : json.items()) properties.Set(key, ToValue(value));
  return properties;
}

Json Names::ToJson(const Value& value) const {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return Json();
    case Value::Kind::kBool:
      return value.as_bool();
    case Value::Kind::kNumber: {
      const double number = value.as_number();
      return number == static_cast<int64_t>(number) ? Json(static_cast<int64_t>(number)) : Json(number);
    }
    case Value::Kind::kString:
      if (!IsValidUtf8(value.as_string())) return {{"$bytes", HexEncode(value.as_string())}};
      return Shorten(value.as_string());
    case Value::Kind::kArray: {
      Json array = Json::array();
      for (const Value& item : value.as_array()) array.push_back(ToJson(item));
      return array;
    }
    case Value::Kind::kObject:
      return ToJson(value.as_object());
    case Value::Kind::kAsset:
      return {{"$asset", value.as_asset().text}};
    case Value::Kind::kArchive:
      return {{"$archive", ToJson(value.as_archive().assets)}};
    case Value::Kind::kSecret:
      return {{"$secret", ToJson(value.as_secret().element)}};
    case Value::Kind::kOutput: {
      const OutputData& output = value.as_output();
      Json json = {{"$output", output.known ? ToJson(output.element) : Json(kUnknownWord)}};
      if (output.secret) json["secret"] = true;
      for (const Urn& urn : output.dependencies) json["deps"].push_back(Label(urn));
      return json;
    }
    case Value::Kind::kComputed:
      return kUnknownWord;
    case Value::Kind::kReference:
      return {{"$ref", Label(value.as_reference().urn)}};
  }
  return Json();
}

Json Names::ToJson(const PropertyMap& properties) const {
  Json json = Json::object();
  for (const auto& [key, value] : properties) json[key] = ToJson(value);
  return json;
}

void Names::Mentions(const Json& json, std::set<std::string>* labels) const {
  if (json.is_structured()) {
    if (json.is_object() && json.contains("$ref")) labels->insert(json["$ref"].get<std::string>());
    for (const Json& part : json) Mentions(part, labels);
    return;
  }
  if (!json.is_string()) return;
  const std::string text = json;
  for (size_t at = 0; (at = text.find("${", at)) != text.npos; ++at) {
    const std::string expression = text.substr(at + 2, text.find('}', at) - at - 2);
    labels->insert(expression.substr(0, expression.find('.')));
  }
}

}  // namespace kingpost::scenarios
