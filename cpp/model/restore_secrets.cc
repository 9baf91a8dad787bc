// SPDX-License-Identifier: Apache-2.0
#include "model/restore_secrets.h"

#include "model/secret_texts.h"

namespace kingpost {

namespace {

// From now on it is masked in messages, too: a policy may be about to complain of it.
Value SealAnswer(const Value& answer) {
  SecretsSeen().AddAll(answer);
  return Value::Secret(answer);
}

Value Restore(const Value& answer, const Value& known) {
  if (answer.is_secret()) return answer;
  if (answer.is_object() && known.is_object()) return RestoreSecrets(answer.as_object(), known.as_object());
  if (!ContainsSecrets(known)) return answer;
  if (!answer.is_array() || !known.is_array() || !ContainsSecrets(answer)) return SealAnswer(answer);
  const Array& answers = answer.as_array();
  const Array& knowns = known.as_array();
  if (answers.size() != knowns.size()) return SealAnswer(answer);
  Array restored;
  restored.reserve(answers.size());
  for (size_t i = 0; i < answers.size(); ++i) restored.push_back(Restore(answers[i], knowns[i]));
  return restored;
}

}  // namespace

PropertyMap RestoreSecrets(const PropertyMap& answer, const PropertyMap& known) {
  if (!ContainsSecrets(known)) return answer;
  PropertyMap restored = answer;
  for (const auto& [key, value] : known) {
    const Value* answered = answer.Find(key);
    if (!answered) continue;
    Value kept = Restore(*answered, value);
    if (!kept.SameAs(*answered)) restored.Set(key, std::move(kept));
  }
  return restored;
}

}  // namespace kingpost
