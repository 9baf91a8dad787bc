// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/expression_reader.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "languages/pcl/builtins.h"
#include "languages/schema/token.h"
#include "languages/yaml/record.h"

namespace kingpost::yaml {

namespace {

constexpr char kPrefix[] = "fn::";
constexpr int kStepsMax = 100;  // of a path: evaluating is recursive

// Those with a form of their own, which builtins.h has by another name or not at all.
constexpr const char* kSpecial[] = {"invoke", "stackReference"};
constexpr char kStackOutput[] = "getOutput";  // what a reference to a stack becomes

bool IsAsset(const std::string& name) {
  return name.find("Asset") != std::string::npos || name.find("Archive") != std::string::npos;
}

// "join" for "fn::Join"; "" if there is no such function.
std::string FunctionName(const std::string& key) {
  if (!SameButCase(key.substr(0, 4), kPrefix)) return "";
  const std::string name = key.substr(4);
  for (const pcl::Builtin& builtin : pcl::AllBuiltins()) {
    const bool spelled = builtin.yaml.compute && builtin.name != std::string(kStackOutput);
    if (spelled && SameButCase(name, builtin.name)) return builtin.name;
  }
  for (const char* special : kSpecial) {
    if (SameButCase(name, special)) return special;
  }
  return "";
}

// "aws:getRegion", "aws:ec2:getAmi": a function of a provider.
bool IsToken(const std::string& name) {
  const auto colons = std::count(name.begin(), name.end(), ':');
  return (colons == 1 || colons == 2) && name.find("::") == std::string::npos && name.front() != ':' &&
         name.back() != ':';
}

// [0], or ["key"], where \" is a quote: at text[*next], which is behind it then.
Result<Value> ReadSubscript(const std::string& text, size_t* next, pcl::Position at) {
  if (text.compare(*next, 2, "[\"") != 0) {
    const size_t close = text.find(']', *next);
    if (close == std::string::npos) return pcl::ErrorAt(at, "missing closing bracket in list index");
    int64_t index = 0;
    const char* end = text.data() + close;
    const auto read = std::from_chars(text.data() + *next + 1, end, index);
    if (read.ec != std::errc() || read.ptr != end) return pcl::ErrorAt(at, "invalid list index");
    *next = close + 1;
    return Value(static_cast<double>(index));
  }
  std::string key;
  for (*next += 2; *next < text.size() && text[*next] != '"'; ++*next) {
    if (text.compare(*next, 2, "\\\"") == 0) ++*next;
    key += text[*next];
  }
  if (*next >= text.size()) return pcl::ErrorAt(at, "missing closing quote in property name");
  if (text.compare(*next, 2, "\"]") != 0) return pcl::ErrorAt(at, "missing closing bracket in property access");
  *next += 2;
  return Value(std::move(key));
}

// The path inside of ${...}, as a.b[0]["c d"].e: from text[*next], behind "${", to behind the brace that closes it.
Result<pcl::ExpressionPtr> ReadPath(const std::string& text, size_t* next, pcl::Position at) {
  pcl::ExpressionPtr path;
  for (int steps = 0; *next < text.size(); ++steps) {
    if (steps > kStepsMax) return pcl::ErrorAt(at, "the path has more than 100 steps");
    const char c = text[*next];
    if (c == '}') {
      ++*next;
      if (path) return path;
      return pcl::ErrorAt(at, "an interpolation names nothing: write ${name}, or $${} for the text ${}");
    }
    if (c == '.') {
      ++*next;
    } else if (c != '[') {
      const size_t end = std::min(text.find_first_of(".[}", *next), text.size());
      const std::string name = text.substr(*next, end - *next);
      path = path ? pcl::Make(pcl::GetAttribute{path, name}, at) : pcl::Make(pcl::Variable{name}, at);
      *next = end;
    } else {
      const auto key = ReadSubscript(text, next, at);
      if (!key.ok()) return key.status();
      if (!path && !key->is_string()) {
        return pcl::ErrorAt(at, "the root property must be a string subscript or a name");
      }
      path = path ? pcl::Make(pcl::GetIndex{path, pcl::Make(pcl::Literal{*key}, at)}, at)
                  : pcl::Make(pcl::Variable{key->as_string()}, at);
    }
  }
  return pcl::ErrorAt(at, "unterminated interpolation");
}

}  // namespace

bool SameButCase(const std::string& a, const std::string& b) { return Lowered(a) == Lowered(b); }

void WarnOfCase(const std::string& found, const std::string& expected, pcl::Position at, Diagnostics* diagnostics) {
  if (found == expected) return;
  diagnostics->Warning(at, "'" + found + "' looks like a miscapitalization of '" + expected + "'",
                       "A future version of Pulumi YAML will enforce camelCase fields.");
}

pcl::ExpressionPtr ExpressionReader::Fail(pcl::Position at, const std::string& message) {
  diagnostics_.Error(at, message);
  return pcl::Make(pcl::Literal{Value()}, at);
}

pcl::ExpressionPtr ExpressionReader::Parse(const Node& node) {
  pcl::TupleLiteral list;
  switch (node.kind) {
    case Node::Kind::kNull:
    case Node::Kind::kBool:
    case Node::Kind::kNumber:
      return pcl::Make(pcl::Literal{node.value}, node.at);
    case Node::Kind::kText:
      return ParseText(node.text, node.at);
    case Node::Kind::kList:
      for (const Node& item : node.items) list.elements.push_back(Parse(item));
      return pcl::Make(std::move(list), node.at);
    case Node::Kind::kObject:
      break;
  }
  return ParseObject(node);
}

pcl::ExpressionPtr ExpressionReader::ParseText(const std::string& text, pcl::Position at) {
  std::vector<pcl::ExpressionPtr> parts;
  std::string plain;
  for (size_t next = 0; next < text.size();) {
    if (text.compare(next, 2, "$$") == 0) {
      plain += '$';
      next += 2;
    } else if (text.compare(next, 2, "${") == 0) {
      next += 2;
      auto path = ReadPath(text, &next, at);
      if (!path.ok()) {
        diagnostics_.Add(path.status());
        return pcl::Make(pcl::Literal{Value()}, at);
      }
      if (!plain.empty()) parts.push_back(pcl::Make(pcl::Literal{Value(std::exchange(plain, ""))}, at));
      parts.push_back(std::move(*path));
    } else {
      plain += text[next++];
    }
  }
  if (parts.empty()) return pcl::Make(pcl::Literal{Value(std::move(plain))}, at);
  if (!plain.empty()) parts.push_back(pcl::Make(pcl::Literal{Value(std::move(plain))}, at));
  if (parts.size() == 1) return parts[0];
  return pcl::Make(pcl::Template{std::move(parts)}, at);
}

pcl::ExpressionPtr ExpressionReader::ParseObject(const Node& node) {
  if (node.entries.size() == 1) {
    if (auto function = ParseFunction(node.entries[0])) return function;
  }
  pcl::ObjectLiteral object;
  for (const Entry& entry : node.entries) {
    if (node.entries.size() > 1 && IsAsset(FunctionName(entry.key))) {
      return Fail(entry.at, entry.key + " must have its own object");
    }
    object.items.push_back({ParseText(entry.key, entry.at), Parse(entry.value)});
  }
  return pcl::Make(std::move(object), node.at);
}

pcl::ExpressionPtr ExpressionReader::ParseFunction(const Entry& entry) {
  if (!SameButCase(entry.key.substr(0, 4), kPrefix)) return nullptr;
  const std::string name = FunctionName(entry.key);
  if (name.empty()) {
    if (!IsToken(entry.key.substr(4))) {
      diagnostics_.Warning(entry.at, "'fn::' is a reserved prefix",
                           "There is no function '" + entry.key + "', so it is an ordinary key.");
      return nullptr;
    }
    Node invoke(Node::Kind::kObject, entry.value.at);
    Node token(Node::Kind::kText, entry.at, entry.key.substr(4));
    invoke.entries.push_back({"function", entry.at, std::move(token)});
    if (entry.value.is_object()) invoke.entries.push_back({"arguments", entry.value.at, entry.value});
    return ParseInvoke(invoke, entry.at);
  }
  WarnOfCase(entry.key, kPrefix + name, entry.at, &diagnostics_);
  if (name == "invoke") return ParseInvoke(entry.value, entry.at);
  if (name == "assetArchive") return ParseAssetArchive(entry.value, entry.at);
  if (name == "stackReference") return ParseStackReference(entry.value, entry.at);
  const auto parts = static_cast<size_t>(pcl::FindBuiltin(name)->yaml.least);
  pcl::Call call{name, {}};
  if (parts == 1) {
    call.arguments.push_back(Parse(entry.value));
  } else if (!entry.value.is_list() || entry.value.items.size() != parts) {
    return Fail(entry.value.at, name == "split" ? "The argument to fn::split must be a two-values list"
                                                : "the argument to fn::" + name + " must be a two-valued list");
  } else {
    for (const Node& item : entry.value.items) call.arguments.push_back(Parse(item));
  }
  // The reason why a file's content is read.
  if (name.starts_with("filebase64")) {
    call.arguments[0] = pcl::Make(pcl::Call{"readFile", {call.arguments[0]}}, entry.at);
  }
  return pcl::Make(std::move(call), entry.at);
}

pcl::ExpressionPtr ExpressionReader::ParseInvoke(const Node& node, pcl::Position at) {
  if (!node.is_object()) {
    return Fail(node.at,
                "the argument to fn::invoke must be an object containing 'function', 'arguments', 'options', and "
                "'return'");
  }
  pcl::ExpressionPtr function, arguments, options, result;
  const auto into = [this](pcl::ExpressionPtr* field) {
    return [this, field](const Node& value) { *field = Parse(value); };
  };
  const std::vector<FieldReader> fields = {{"function", into(&function)},
                                           {"arguments", into(&arguments)},
                                           {"options", [&](const Node& value) { options = ParseInvokeOptions(value); }},
                                           {"return", into(&result)}};
  ReadRecord(node, "fn::invoke", fields, &diagnostics_, nullptr);
  if (!function) return Fail(node.at, "missing function name ('function')");
  if (!LiteralText(function)) return Fail(function->at, "function name must be a string literal");
  if (arguments && !arguments->as<pcl::ObjectLiteral>()) {
    return Fail(arguments->at, "function arguments ('arguments') must be an object");
  }
  if (result && !LiteralText(result)) return Fail(result->at, "return directive must be a string literal");
  if (!arguments) arguments = pcl::Make(pcl::ObjectLiteral{}, at);
  pcl::Call call{"invoke", {function, arguments}};
  if (options || result) call.arguments.push_back(options ? options : pcl::Make(pcl::ObjectLiteral{}, at));
  if (result) call.arguments.push_back(result);
  return pcl::Make(std::move(call), at);
}

pcl::ExpressionPtr ExpressionReader::ParseInvokeOptions(const Node& node) {
  pcl::ObjectLiteral options;
  std::vector<FieldReader> fields;
  for (const std::string option : {"dependsOn", "parent", "provider", "version", "pluginDownloadURL"}) {
    const std::string name = option == "pluginDownloadURL" ? "pluginDownloadUrl" : option;  // as snippets call it
    fields.push_back({option, [this, name, &options](const Node& value) { options.Add(name, Parse(value)); }});
  }
  ReadRecord(node, "invokeOptions", fields, &diagnostics_, [this](const Entry& other) {
    RefuseField(other, "invokeOptions", "dependsOn, parent, provider, version, pluginDownloadURL", &diagnostics_);
  });
  return pcl::Make(std::move(options), node.at);
}

pcl::ExpressionPtr ExpressionReader::ParseAssetArchive(const Node& node, pcl::Position at) {
  if (!node.is_object()) return Fail(node.at, "the argument to fn::assetArchive must be an object");
  pcl::ObjectLiteral parts;
  for (const Entry& entry : node.entries) {
    auto key = ParseText(entry.key, entry.at);
    if (!LiteralText(key)) return Fail(entry.at, "keys in fn::assetArchive arguments must be string literals");
    auto value = Parse(entry.value);
    const auto* call = value->as<pcl::Call>();
    if (!call || !IsAsset(call->function)) {
      return Fail(entry.value.at, std::string("value must be an asset or an archive, not ") + KindOf(entry.value));
    }
    parts.items.push_back({std::move(key), std::move(value)});
  }
  return pcl::Make(pcl::Call{"assetArchive", {pcl::Make(std::move(parts), node.at)}}, at);
}

// The reference is a resource that the program does not declare itself.
pcl::ExpressionPtr ExpressionReader::ParseStackReference(const Node& node, pcl::Position at) {
  diagnostics_.Warning(at, "'fn::stackReference' is deprecated; please use 'pulumi:pulumi:StackReference' instead");
  if (!node.is_list() || node.items.size() != 2) {
    return Fail(node.at, "the argument to fn::stackReference must be a two-valued list");
  }
  const auto stack = Parse(node.items[0]);
  if (!LiteralText(stack)) return Fail(node.at, "the first argument to fn::stackReference must be a string literal");
  stacks_.insert(*LiteralText(stack));
  auto resource = pcl::Make(pcl::Variable{kImpliedPrefix + *LiteralText(stack)}, at);
  return pcl::Make(pcl::Call{kStackOutput, {std::move(resource), Parse(node.items[1])}}, at);
}

}  // namespace kingpost::yaml
