// SPDX-License-Identifier: Apache-2.0
// Property maps, equality, and views of values without secrets and outputs.
#include "model/value.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace kingpost::value_test {

Value Known(Value element, bool secret = false, std::vector<Urn> dependencies = {}) {
  return Value::Output({std::move(element), true, secret, std::move(dependencies)});
}

Value Unknown() { return Value::Output({Value(), false, false, {}}); }

AssetData Text(const std::string& text, const std::string& hash) {
  AssetData asset;
  asset.text = text;
  asset.hash = hash;
  return asset;
}

ResourceReference Reference(const std::string& urn, std::shared_ptr<const Value> id, const std::string& version = "") {
  ResourceReference reference;
  reference.urn = Urn(urn);
  reference.id = std::move(id);
  reference.package_version = version;
  return reference;
}

TEST_CASE("property maps are sorted, and the later of two equal keys wins") {
  const PropertyMap map{{"b", 1}, {"a", 2}, {"b", 3}, {"", 4}, {"\xC3\xA9", 5}, {"Z", 6}, {"b", 7}};
  std::string keys;
  for (const auto& [key, value] : map) keys += key + ",";
  CHECK(keys == ",Z,a,b,\xC3\xA9,");
  CHECK(map.Find("b")->as_number() == 7);
  CHECK(map.Find("c") == nullptr);
  CHECK(PropertyMap().empty());
}

TEST_CASE("a changed copy leaves the other maps alone") {
  PropertyMap a{{"x", 1}, {"y", 2}};
  const PropertyMap b = a;
  CHECK(a.SameAs(b));
  a.Set("x", 3);
  a.Set("w", 4);
  a.Erase("y");
  CHECK((b.size() == 2 && b.Find("x")->as_number() == 1 && b.Has("y")));
  CHECK((a.size() == 2 && a.Find("x")->as_number() == 3 && a.Has("w") && !a.Has("y")));
  const PropertyMap c = a;
  a.Erase("none");
  CHECK(a.SameAs(c));
  a.Erase("x");
  a.Erase("w");
  CHECK((a.empty() && c.size() == 2));
}

TEST_CASE("equality is deep, and nulls count as present") {
  const PropertyMap map{{"a", Array{1, "x", true, Value()}}, {"o", PropertyMap{{"n", Value()}}}};
  CHECK(DeepEqual(map, PropertyMap{{"o", PropertyMap{{"n", Value()}}}, {"a", Array{1, "x", true, Value()}}}));
  CHECK_FALSE(DeepEqual(map, PropertyMap{{"a", Array{1, "x", true, Value()}}, {"o", PropertyMap{}}}));
  CHECK_FALSE(DeepEqual(Value(Array{1}), Value(Array{1, 2})));
  CHECK_FALSE(DeepEqual(Value("1"), Value(1)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(DeepEqual(Value(nan), Value(nan)));
  CHECK(DeepEqual(Value(0.0), Value(-0.0)));
  CHECK_FALSE(Value(0.0).SameAs(Value(-0.0)));
  CHECK(DeepEqual(Value(Computed()), Value(Computed())));
  CHECK_FALSE(DeepEqual(Value(Computed()), Value()));
}

TEST_CASE("assets are equal by hash, else by their source") {
  CHECK(DeepEqual(Value::Asset(Text("a", "h")), Value::Asset(Text("b", "h"))));
  CHECK_FALSE(DeepEqual(Value::Asset(Text("a", "h")), Value::Asset(Text("a", "i"))));
  CHECK(DeepEqual(Value::Asset(Text("a", "")), Value::Asset(Text("a", "h"))));
  CHECK_FALSE(DeepEqual(Value::Asset(Text("a", "")), Value::Asset(Text("b", ""))));
  ArchiveData one, two;
  one.assets = {{"f", Value::Asset(Text("a", ""))}};
  two.assets = {{"f", Value::Asset(Text("b", ""))}};
  CHECK_FALSE(DeepEqual(Value::Archive(one), Value::Archive(two)));
  one.hash = two.hash = "h";
  CHECK(DeepEqual(Value::Archive(one), Value::Archive(two)));
}

TEST_CASE("references, secrets and outputs are equal by their parts") {
  const auto id = std::make_shared<const Value>("i");
  CHECK(DeepEqual(Value::Reference(Reference("u", id, "1")), Value::Reference(Reference("u", id, "2"))));
  CHECK_FALSE(DeepEqual(Value::Reference(Reference("u", id)), Value::Reference(Reference("u", nullptr))));
  CHECK_FALSE(DeepEqual(Value::Reference(Reference("u", id)),
                        Value::Reference(Reference("u", std::make_shared<const Value>(Computed())))));
  CHECK(DeepEqual(Value::Secret("a"), Value::Secret("a")));
  CHECK_FALSE(DeepEqual(Value::Secret("a"), Value("a")));
  CHECK(DeepEqual(Known(1, false, {Urn("d")}), Known(1, false, {Urn("d")})));
  CHECK_FALSE(DeepEqual(Known(1, false, {Urn("d")}), Known(1)));
  CHECK_FALSE(DeepEqual(Known(1), Known(1, true)));
  CHECK(DeepEqual(Unknown(), Unknown()));
  SecretData sealed;
  sealed.sealed = true;
  sealed.ciphertext = "c";
  SecretData other = sealed;
  other.ciphertext = "d";
  CHECK(DeepEqual(Value::Secret(sealed), Value::Secret(sealed)));
  CHECK_FALSE(DeepEqual(Value::Secret(sealed), Value::Secret(other)));
}

TEST_CASE("a secret of a secret is that secret") {
  const Value twice = Value::Secret(Value::Secret("a"));
  REQUIRE(twice.is_secret());
  CHECK(twice.as_secret().element.is_string());
  SecretData data;
  data.element = Value::Secret("b");
  data.ciphertext = "c";
  const Value read = Value::Secret(data);
  CHECK(read.as_secret().element.as_string() == "b");
  CHECK(read.as_secret().ciphertext == "c");
}

TEST_CASE("finds unknowns and secrets at any depth") {
  CHECK(ContainsUnknowns(PropertyMap{{"a", Array{PropertyMap{{"b", Value::Secret(Computed())}}}}}));
  CHECK(ContainsUnknowns(Value(Array{Known(Unknown())})));
  CHECK_FALSE(ContainsUnknowns(PropertyMap{{"a", Array{Known(1), Value::Secret("x")}}}));
  CHECK(ContainsSecrets(Value(Array{PropertyMap{{"b", Known(1, true)}}})));
  CHECK(ContainsSecrets(PropertyMap{{"a", Known(Value::Secret(1))}}));
  CHECK_FALSE(ContainsSecrets(PropertyMap{{"a", Known(1)}}));
}

TEST_CASE("takes secrets and outputs off, and shares what does not change") {
  const PropertyMap map{{"plain", PropertyMap{{"x", Array{1}}}},
                        {"secret", Value::Secret(PropertyMap{{"in", Value::Secret("deep")}})},
                        {"known", Known(Array{Known(1, true)})},
                        {"unknown", Unknown()},
                        {"hidden", Value::Output({Value(), false, true, {}})}};
  const PropertyMap stripped = StripSecretsAndOutputs(map);
  CHECK(DeepEqual(stripped, PropertyMap{{"plain", PropertyMap{{"x", Array{1}}}},
                                        {"secret", PropertyMap{{"in", "deep"}}},
                                        {"known", Array{1}},
                                        {"unknown", Computed()},
                                        {"hidden", Computed()}}));
  CHECK(stripped.Find("plain")->SameAs(*map.Find("plain")));
  CHECK(DeepEqual(FlattenOutputs(map), PropertyMap{{"plain", PropertyMap{{"x", Array{1}}}},
                                                   {"secret", *map.Find("secret")},
                                                   {"known", Array{Value::Secret(1)}},
                                                   {"unknown", Computed()},
                                                   {"hidden", Value::Secret(Computed())}}));
  CHECK(DeepEqual(MaskSecrets(map), PropertyMap{{"plain", PropertyMap{{"x", Array{1}}}},
                                                {"secret", "[secret]"},
                                                {"known", Known(Array{"[secret]"})},
                                                {"unknown", Unknown()},
                                                {"hidden", "[secret]"}}));
  const PropertyMap none{{"a", Array{1, PropertyMap{{"b", 2}}}}};
  CHECK(StripSecrets(none).SameAs(none));
  CHECK(MaskSecrets(none).SameAs(none));
}

TEST_CASE("collects the dependencies of outputs, and not the URNs of references") {
  std::vector<Urn> urns;
  CollectOutputDependencies(Value(PropertyMap{{"a", Array{Known(Known(1, false, {Urn("2")}), false, {Urn("1")})}},
                                              {"b", Value::Secret(Known(1, false, {Urn("3")}))},
                                              {"c", Value::Reference(Reference("no", nullptr))}}),
                            &urns);
  CHECK(urns == std::vector<Urn>{Urn("1"), Urn("2"), Urn("3")});
}

}  // namespace kingpost::value_test
