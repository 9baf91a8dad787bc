// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program.h"

namespace kingpost::codegen {

ExpressionPtr MakeObject(const std::vector<NamedExpression>& fields, bool typed) {
  ObjectLiteral object;
  object.typed = typed;
  for (const NamedExpression& field : fields) object.Add(field.name, field.value);
  return Make(std::move(object));
}

ExpressionPtr MakeCall(const std::string& function, std::vector<ExpressionPtr> arguments) {
  return Make(Call{function, std::move(arguments)});
}

ExpressionPtr MakeAsset(AssetData::Kind kind, ExpressionPtr content) {
  static constexpr const char* kNames[] = {"stringAsset", "fileAsset", "remoteAsset"};
  return MakeCall(kNames[static_cast<int>(kind)], {std::move(content)});
}

ExpressionPtr MakeArchive(ArchiveData::Kind kind, ExpressionPtr content) {
  static constexpr const char* kNames[] = {"assetArchive", "fileArchive", "remoteArchive"};
  return MakeCall(kNames[static_cast<int>(kind)], {std::move(content)});
}

std::vector<NamedExpression> FieldsOf(const ObjectLiteral& object) {
  std::vector<NamedExpression> fields;
  for (const ObjectLiteral::Item& item : object.items) fields.push_back({*LiteralText(item.key), item.value});
  return fields;
}

const Call* FindCall(const Expression& expression, const std::string& function) {
  const auto* call = expression.as<Call>();
  return call && call->function == function ? call : nullptr;
}

}  // namespace kingpost::codegen
