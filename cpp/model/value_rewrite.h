// SPDX-License-Identifier: Apache-2.0
// The template part of model/value.h.
//
// Values may be nested as deep as JSON may be (10,000 levels). So each kind of container has a function of its own: the
// locals of one must not lie on the stack while another recurses. Nothing is copied until something changes.
#pragma once

#include "model/value.h"

namespace kingpost {

namespace internal {

template <class F>
[[gnu::noinline]] Value RewriteArray(const Value& v, const F& f) {
  const Array& old = v.as_array();
  Array next;
  for (size_t i = 0; i < old.size(); ++i) {
    Value element = Rewrite(old[i], f);
    if (next.empty() && element.SameAs(old[i])) continue;
    if (next.empty()) {
      next.reserve(old.size());
      next.assign(old.begin(), old.begin() + i);
    }
    next.push_back(std::move(element));
  }
  return next.empty() ? f(v) : f(Value(std::move(next)));
}

template <class F>
[[gnu::noinline]] Value RewriteObject(const Value& v, const F& f) {
  PropertyMap next = Rewrite(v.as_object(), f);
  return next.SameAs(v.as_object()) ? f(v) : f(Value(std::move(next)));
}

template <class F>
[[gnu::noinline]] Value RewriteSecret(const Value& v, const F& f) {
  Value next = Rewrite(v.as_secret().element, f);
  return next.SameAs(v.as_secret().element) ? f(v) : f(Value::Secret(std::move(next)));
}

template <class F>
[[gnu::noinline]] Value RewriteOutput(const Value& v, const F& f) {
  const OutputData& old = v.as_output();
  if (!old.known) return f(v);
  Value next = Rewrite(old.element, f);
  if (next.SameAs(old.element)) return f(v);
  return f(Value::Output({std::move(next), old.known, old.secret, old.dependencies}));
}

}  // namespace internal

template <class F>
PropertyMap Rewrite(const PropertyMap& m, const F& f) {
  PropertyMap out = m;
  for (const auto& [key, value] : m) {
    Value next = Rewrite(value, f);
    if (!next.SameAs(value)) out.Set(key, std::move(next));
  }
  return out;
}

template <class F>
Value Rewrite(const Value& v, const F& f) {
  switch (v.kind()) {
    case Value::Kind::kArray:
      return internal::RewriteArray(v, f);
    case Value::Kind::kObject:
      return internal::RewriteObject(v, f);
    case Value::Kind::kSecret:
      return internal::RewriteSecret(v, f);
    case Value::Kind::kOutput:
      return internal::RewriteOutput(v, f);
    default:
      return f(v);
  }
}

}  // namespace kingpost
