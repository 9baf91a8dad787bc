// The template part of model/value.h.
#pragma once

#include "model/value.h"

namespace kingpost {

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
    case Value::Kind::kArray: {
      const Array& old = v.as_array();
      Array next;
      bool changed = false;
      next.reserve(old.size());
      for (const Value& element : old) {
        next.push_back(Rewrite(element, f));
        changed = changed || !next.back().SameAs(element);
      }
      return changed ? f(Value(std::move(next))) : f(v);
    }
    case Value::Kind::kObject: {
      PropertyMap next = Rewrite(v.as_object(), f);
      return next.SameAs(v.as_object()) ? f(v) : f(Value(std::move(next)));
    }
    case Value::Kind::kSecret: {
      Value next = Rewrite(v.as_secret().element, f);
      return next.SameAs(v.as_secret().element) ? f(v) : f(Value::Secret(std::move(next)));
    }
    case Value::Kind::kOutput: {
      const OutputData& old = v.as_output();
      if (!old.known) return f(v);
      Value next = Rewrite(old.element, f);
      if (next.SameAs(old.element)) return f(v);
      OutputData data = old;
      data.element = std::move(next);
      return f(Value::Output(std::move(data)));
    }
    default:
      return f(v);
  }
}

}  // namespace kingpost
