// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/from_snippet.h"

#include <algorithm>

#include "languages/codegen/layout.h"
#include "languages/codegen/names.h"
#include "languages/codegen/narrowing.h"
#include "languages/pcl/builtins.h"
#include "languages/pcl/parser.h"
#include "languages/pcl/request_parts.h"
#include "model/urn.h"

namespace kingpost::codegen {

namespace {

using schema::Type;

constexpr char kLogicalName[] = "__logicalName";
// A length is of characters or of elements, by a value that only a run knows: it is none of these.
constexpr const char* kWritten[] = {"cwd",    "project",  "stack",  "organization", "rootDirectory",
                                    "secret", "unsecret", "split",  "join",         "singleOrNone",
                                    "sha1",   "toBase64", "toJSON", "fromBase64",   "stringAsset"};

std::string NoteOf(const std::string& urn) {
  return "Placeholder for " + urn + "; replace with the real resource reference in your program.";
}

// An expression, and the type of its value as far as it is known.
struct Typed {
  ExpressionPtr expression;
  const Type* type = &schema::AnyType();
};

class SnippetConverter {
 public:
  SnippetConverter(const pcl::Snippet& snippet, const Packages& packages) : snippet_(snippet), packages_(packages) {}

  Result<Program> Convert(const pcl::Body& body) {
    Program program;
    program.packages = packages_;
    for (const auto& [name, written] : snippet_.references) {
      const Urn urn(written);
      program.resources.push_back({.key = urn.str(),
                                   .variable = name,
                                   .name = std::string(urn.name()),
                                   .token = std::string(urn.type()),
                                   .note = NoteOf(urn.str())});
    }
    Resource resource;
    resource.key = snippet_.uuid;
    resource.variable = resource.name = snippet_.name;
    resource.token = snippet_.type;
    AddInputs(body, &resource);
    if (!body.blocks.empty()) AddOptions(body.blocks.front().body, &resource);
    if (!refused_.ok()) return refused_;
    program.resources.push_back(std::move(resource));
    return program;
  }

 private:
  void AddInputs(const pcl::Body& body, Resource* resource) {
    const schema::Properties& known = FindSchema(snippet_.type, packages_)->inputs;
    for (const NamedExpression& attribute : body.attributes) {
      if (attribute.name == kLogicalName) {
        if (const std::string* name = LiteralText(attribute.value)) resource->name = *name;
      } else {
        resource->inputs.push_back(
            {attribute.name, Convert(attribute.value, TypeIn(known, attribute.name)).expression});
      }
    }
  }

  void AddOptions(const pcl::Body& options, Resource* resource) {
    for (const NamedExpression& option : options.attributes) {
      if (option.name == "range") {
        Refuse(option.at, "a range");
        continue;
      }
      ExpressionPtr value = pcl::TakesPaths(option.name) ? Paths(*option.value) : Convert(option.value).expression;
      const auto* object = value->as<ObjectLiteral>();
      if (object && option.name == "customTimeouts") value = MakeObject(FieldsOf(*object), /*typed=*/true);
      resource->options.push_back({option.name, std::move(value)});
    }
  }

  // [tags.owner, "list[*].size"] as texts.
  ExpressionPtr Paths(const Expression& list) {
    const auto* tuple = list.as<TupleLiteral>();
    if (!tuple) return Refuse(list.at, "a computed list of properties");
    std::vector<std::string> paths;
    for (const ExpressionPtr& element : tuple->elements) {
      const std::string* text = LiteralText(element);
      const auto path = text ? *text : pcl::SpelledPath(*element);
      if (!path) return Refuse(element->at, "a computed property");
      paths.push_back(*path);
    }
    return MakeTexts(paths);
  }

  Typed Convert(const ExpressionPtr& expression, const Type& to = schema::AnyType()) {
    const Expression& e = *expression;
    if (e.as<Literal>()) return {expression};
    if (const auto* inner = e.as<pcl::Parentheses>()) return Convert(inner->inner, to);
    if (const auto* variable = e.as<Variable>()) return ConvertName(variable->name, e.at);
    if (const auto step = pcl::LastStepOf(e)) return ConvertStep(*step, e.at);
    if (e.as<pcl::GetIndex>()) return {Refuse(e.at, "a key that is computed")};
    if (const auto* text = e.as<Template>()) return ConvertText(*text);
    if (e.as<TupleLiteral>() || e.as<ObjectLiteral>()) return ConvertParts(e, Narrowed(to, e));
    if (const auto* call = e.as<Call>()) return ConvertCall(*call, e.at, to);
    return {Refuse(e.at, "an expression that is computed, such as a condition or a loop,")};
  }

  Typed ConvertName(const std::string& name, pcl::Position at) {
    const auto reference = snippet_.references.find(name);
    if (reference == snippet_.references.end()) return {Refuse(at, "'" + name + "', which is no reference,")};
    return {Make(ResourceRef{Urn(reference->second).str()})};
  }

  Typed ConvertStep(const PathStep& step, pcl::Position at) {
    const auto* root = step.whole->as<Variable>();
    const auto reference = root ? snippet_.references.find(root->name) : snippet_.references.end();
    if (reference == snippet_.references.end()) return ConvertPart(Convert(step.whole), step.key);
    if (!step.key.is_string()) return {Refuse(at, "an element of the resource '" + root->name + "'")};
    const Urn urn(reference->second);
    const std::string& name = step.key.as_string();
    const schema::Resource* described = FindSchema(std::string(urn.type()), packages_);
    const schema::Property* property = described ? schema::FindProperty(described->outputs, name) : nullptr;
    const bool own = name == "id" || name == "urn";
    return {Make(PropertyRef{urn.str(), name, !own && property && !property->required}),
            property ? property->type : &schema::PlainType(own ? Type::Kind::kString : Type::Kind::kAny)};
  }

  // Parts of what a schema describes have its names, entries of maps have keys.
  Typed ConvertPart(const Typed& whole, const Value& key) {
    const Type& type = *whole.type;
    const Type* part = type.element ? type.element : &schema::AnyType();
    if (!IsOfSchema(type) || !key.is_string()) {
      return {Make(pcl::GetIndex{whole.expression, Make(Literal{key})}), part};
    }
    const std::string& name = key.as_string();
    if (type.object) part = &TypeIn(type.object->properties, name);
    return {Make(pcl::GetAttribute{whole.expression, name}), part};
  }

  Typed ConvertText(const Template& text) {
    Template joined;
    for (const ExpressionPtr& part : text.parts) {
      const Typed converted = Convert(part);
      const auto* property = converted.expression->as<PropertyRef>();
      const bool there =
          converted.expression->as<Template>() || converted.expression->as<Call>() || (property && !property->optional);
      const bool plain = LiteralText(part) || (there && converted.type->plain_kind() == Type::Kind::kString);
      joined.parts.push_back(plain ? converted.expression : MakeCall(kAsText, {converted.expression}));
    }
    return {Make(std::move(joined)), &schema::PlainType(Type::Kind::kString)};
  }

  Typed ConvertParts(const Expression& whole, const Type& to) {
    const auto convert = [this](const ExpressionPtr& part, const Type& type) { return Convert(part, type).expression; };
    const auto refuse = [this](pcl::Position at, const std::string& what) { return Refuse(at, what); };
    return {WithParts(whole, to, convert, refuse), &to};
  }

  Typed ConvertCall(const Call& call, pcl::Position at, const Type& to) {
    const std::string what = "the function '" + call.function + "'";
    if (call.expand_last) return {Refuse(at, what + " of a list that is expanded")};
    if (std::find(std::begin(kWritten), std::end(kWritten), call.function) == std::end(kWritten)) {
      return {Refuse(at, what)};
    }
    const pcl::Builtin& builtin = *pcl::FindBuiltin(call.function);
    if (static_cast<int>(call.arguments.size()) > builtin.yaml.most) {
      return {Refuse(at, what + " of so many arguments")};
    }
    const bool mark = call.function == "secret" || call.function == "unsecret";
    Call converted{call.function, {}};
    for (const ExpressionPtr& argument : call.arguments) {
      converted.arguments.push_back(Convert(argument, mark ? to : schema::AnyType()).expression);
    }
    return {Make(std::move(converted)), mark ? &to : &schema::PlainType(builtin.result)};
  }

  ExpressionPtr Refuse(pcl::Position at, const std::string& what) {
    if (refused_.ok()) {
      refused_ = pcl::ErrorAt(at, what + " is not written as code: write the resource into the program by hand, and " +
                                      "take the snippet out of the state with the document of `stack export`");
    }
    return Make(Literal{Value()});
  }

  const pcl::Snippet& snippet_;
  const Packages& packages_;
  Status refused_;
};

}  // namespace

Result<Program> ProgramOfSnippet(const pcl::Snippet& snippet, const Packages& packages) {
  if (!FindSchema(snippet.type, packages)) {
    return Status(Code::kNotFound, "unknown resource type '" + snippet.type + "'");
  }
  const auto body = pcl::ParseBody(snippet.code);
  if (!body.ok()) return body.status();
  return SnippetConverter(snippet, packages).Convert(*body);
}

std::string PclOfSnippet(const pcl::Snippet& snippet) {
  std::string text;
  for (const auto& [name, written] : snippet.references) {
    const Urn urn(written);
    text += "# " + NoteOf(urn.str()) + "\nresource " + Quoted(name) + " " + Quoted(urn.type()) + " {\n";
    if (urn.name() != name) text += "    " + std::string(kLogicalName) + " = " + Quoted(urn.name()) + "\n";
    text += "}\n\n";
  }
  text += "resource " + Quoted(snippet.name) + " " + Quoted(snippet.type) + " {\n" + snippet.code;
  return text + (snippet.code.empty() || snippet.code.ends_with('\n') ? "" : "\n") + "}\n";
}

}  // namespace kingpost::codegen
