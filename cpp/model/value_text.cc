// SPDX-License-Identifier: Apache-2.0
#include "model/value_text.h"

#include "model/deployment_json.h"

namespace kingpost {

namespace {

constexpr char kUnknownText[] = "output<string>{}";

std::string Inner(const Value& value, bool show_secrets) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "<nil>";
    case Value::Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Value::Kind::kNumber:
      return NumberText(value.as_number());
    case Value::Kind::kString:
      return value.as_string();
    case Value::Kind::kArray: {
      std::string text = "[";
      for (const Value& element : value.as_array())
        text += (text.size() > 1 ? " " : "") + ValueText(element, show_secrets);
      return text + "]";
    }
    case Value::Kind::kObject: {
      std::string text = "map[";
      for (const auto& [key, element] : value.as_object()) {
        text += (text.back() == '[' ? "" : " ") + key + ":" + ValueText(element, show_secrets);
      }
      return text + "]";
    }
    case Value::Kind::kAsset:
      return "asset:" + value.as_asset().hash;
    case Value::Kind::kArchive:
      return "archive:" + value.as_archive().hash;
    case Value::Kind::kSecret: {
      const auto& secret = value.as_secret();
      return show_secrets && !secret.sealed ? "&{" + ValueText(secret.element, show_secrets) + "}" : "[secret]";
    }
    case Value::Kind::kOutput: {
      const OutputData& output = value.as_output();
      return output.secret && !show_secrets ? "[secret]" : Inner(output.element, show_secrets);
    }
    case Value::Kind::kComputed:
      return kUnknownText;
    case Value::Kind::kReference:
      return value.as_reference().urn.str();
  }
  return "";
}

}  // namespace

std::string ValueText(const Value& value, bool show_secrets) {
  if (value.is_computed() || (value.is_output() && !value.as_output().known)) return kUnknownText;
  return "{" + Inner(value, show_secrets) + "}";
}

}  // namespace kingpost
