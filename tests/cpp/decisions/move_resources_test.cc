// SPDX-License-Identifier: Apache-2.0
// Checks moves of resources between stacks: which resources move, stay and are copied, and which references break.
#include "decisions/move_resources.h"

#include <catch2/catch.hpp>

#include "base/digest.h"

namespace kingpost::move_resources_test {

Urn At(const std::string& stack, const std::string& type, const std::string& name) {
  return Urn("urn:pulumi:" + stack + "::proj::" + type + "::" + name);
}

struct Spec {
  std::string name;                                   // "p..." is a provider, "root" the root stack
  std::string parent = "", provider = "", uses = "";  // names of earlier ones
  std::string type = "a:b:C";                         // qualified
};

class World {
 public:
  World& Add(const Spec& spec) {
    State state;
    const bool provider = spec.name[0] == 'p';
    state.type = provider ? "pulumi:providers:a" : spec.name == "root" ? std::string(kRootStackType) : "a:b:C";
    std::string type = spec.type == "a:b:C" ? state.type : spec.type;
    state.urn = At("src", type, spec.name == "root" ? "proj-src" : spec.name);
    state.custom = provider;
    if (provider) state.id = "id-" + spec.name;
    if (!spec.parent.empty()) state.parent = urns_.at(spec.parent);
    if (!spec.provider.empty()) state.provider = urns_.at(spec.provider).str() + "::id-" + spec.provider;
    if (!spec.uses.empty()) {
      const Urn used = urns_.at(spec.uses);
      state.dependencies = {used};
      state.property_dependencies = {{"k", {used}}, {"none", {}}};
      state.deleted_with = used;
      state.replace_with = {used};
    }
    urns_[spec.name] = state.urn;
    source.resources.push_back(std::make_shared<const State>(std::move(state)));
    return *this;
  }
  const Urn& urn(const std::string& name) const { return urns_.at(name); }

  Result<MoveResult> Move(const std::vector<std::string>& names, bool include_parents = false) {
    MoveRequest request{{}, include_parents, "dst", "other"};
    for (const std::string& name : names) request.urns.push_back(urns_.count(name) ? urn(name).str() : name);
    const Reveal as_it_is = [](const StatePtr& state) { return Result<StatePtr>(state); };
    for (Snapshot* snapshot : {&source, &dest}) snapshot->manifest = Named();
    Result<MoveResult> result = MoveResources(source, dest, request, as_it_is, as_it_is);
    if (result.ok()) {
      CHECK(VerifyIntegrity(result->source).message() == "");
      CHECK(VerifyIntegrity(result->dest).message() == "");
    }
    return result;
  }

  Snapshot source, dest;

 private:
  static Manifest Named() {
    Manifest manifest;
    manifest.version = "3";
    manifest.magic = Sha256Hex("3");
    return manifest;
  }
  std::map<std::string, Urn> urns_;
};

std::string Names(const std::vector<StatePtr>& resources) {
  std::string names;
  for (const StatePtr& state : resources) names += (names.empty() ? "" : " ") + std::string(state->urn.name());
  return names;
}

// A component c with a child and, below it, a provider pc; b uses c1, and r stands apart.
World Usual() {
  World world;
  world.Add({"root"}).Add({"p", "root"}).Add({"r", "root", "p"}).Add({"c", "root", "p"});
  world.Add({"c1", "c", "p", "", "a:b:C$a:b:C"}).Add({"pc", "c", "", "", "a:b:C$pulumi:providers:a"});
  world.Add({"c2", "c1", "pc", "r", "a:b:C$a:b:C$a:b:C"}).Add({"b", "root", "p", "c1"});
  return world;
}

TEST_CASE("the named resources move with their children and providers, and the rest stays", "[plan]") {
  struct Case {
    std::vector<std::string> urns;
    bool include_parents;
    std::string source, dest;
    size_t broken_in_source, broken_in_dest;
  };
  const std::vector<Case> cases = {
      {{"r"}, false, "proj-src p c c1 pc c2 b", "other-dst p r", 4, 0},
      {{"b"}, false, "proj-src p r c c1 pc c2", "other-dst p b", 0, 4},
      // No resource that stays uses pc. But its parent c stays, so pc is copied.
      {{"c2"}, false, "proj-src p r c c1 pc b", "other-dst pc c2", 0, 4},
      {{"c"}, false, "proj-src p r b", "other-dst p c c1 pc c2", 4, 4},
      {{"c1"}, true, "proj-src p r b", "other-dst p c c1 pc c2", 4, 4},
      {{"c1"}, false, "proj-src p r c pc b", "other-dst p c1 pc c2", 4, 4},
      {{"r", "c", "b"}, false, "proj-src p", "other-dst p r c c1 pc c2 b", 0, 0},
      {{"root"}, false, "proj-src p", "other-dst p r c c1 pc c2 b", 0, 0},
      {{"nothing"}, false, "proj-src p r c c1 pc c2 b", "", 0, 0},
  };
  for (const Case& c : cases) {
    INFO(c.urns[0] << (c.include_parents ? " with parents" : ""));
    const Result<MoveResult> result = Usual().Move(c.urns, c.include_parents);
    REQUIRE(result.ok());
    CHECK(Names(result->source.resources) == c.source);
    CHECK(Names(result->dest.resources) == c.dest);
    CHECK(result->broken_in_source.size() == c.broken_in_source);
    CHECK(result->broken_in_dest.size() == c.broken_in_dest);
    CHECK(result->unknown.size() == (c.urns[0] == "nothing" ? 1 : 0));
  }
}

TEST_CASE("moved resources have the names of the destination", "[plan]") {
  const Result<MoveResult> result = Usual().Move({"c1"});
  REQUIRE(result.ok());
  const auto& dest = result->dest.resources;
  const auto in_dest = [](const std::string& type, const std::string& name) {
    return "urn:pulumi:dst::other::" + type + "::" + name;
  };
  CHECK(dest[0]->urn.str() == in_dest("pulumi:pulumi:Stack", "other-dst"));
  // Its parent stayed, so it stands below the root stack, and its child's name follows.
  CHECK(dest[2]->urn.str() == in_dest("a:b:C", "c1"));
  CHECK(dest[2]->parent == dest[0]->urn);
  CHECK(dest[2]->provider == in_dest("pulumi:providers:a", "p") + "::id-p");
  CHECK(dest[3]->urn.str() == in_dest("pulumi:providers:a", "pc"));
  CHECK(dest[4]->urn.str() == in_dest("a:b:C$a:b:C", "c2"));
  CHECK(dest[4]->parent == dest[2]->urn);
  CHECK(dest[4]->provider == dest[3]->urn.str() + "::id-pc");
  CHECK(dest[4]->property_dependencies.empty());
}

TEST_CASE("references between moved resources follow, values too", "[plan]") {
  World world = Usual();
  State pointing = *world.source.resources.back();  // b uses c1
  ResourceReference reference;
  reference.urn = world.urn("c1");
  pointing.inputs.Set("to", Value::Secret(SecretData{Value::Reference(reference), "ciphertext of the source", false}));
  world.source.resources.back() = std::make_shared<const State>(pointing);

  const Result<MoveResult> result = world.Move({"c", "b"});
  REQUIRE(result.ok());
  const State& b = *result->dest.resources.back();
  const Urn c1("urn:pulumi:dst::other::a:b:C$a:b:C::c1");
  CHECK(b.dependencies == std::vector<Urn>{c1});
  CHECK(b.property_dependencies == PropertyDependencies{{"k", {c1}}});
  CHECK(b.deleted_with == c1);
  CHECK(b.replace_with == std::vector<Urn>{c1});
  const SecretData& secret = b.inputs.begin()->second.as_secret();
  CHECK(secret.element.as_reference().urn == c1);
  CHECK(secret.ciphertext == "");
}

TEST_CASE("a ciphertext of the source does not reach the destination", "[plan]") {
  World world = Usual();
  State secretive = *world.source.resources.back();
  const Value secret = Value::Secret(SecretData{Value(std::string("s")), "ciphertext of the source", false});
  secretive.outputs.Set("deep", Value(Array{secret}));
  secretive.replacement_trigger = secret;
  world.source.resources.back() = std::make_shared<const State>(secretive);
  const Result<MoveResult> result = world.Move({"b"});
  REQUIRE(result.ok());
  const State& b = *result->dest.resources.back();
  CHECK(b.outputs.begin()->second.as_array()[0].as_secret().ciphertext == "");
  CHECK(b.replacement_trigger.as_secret().ciphertext == "");
}

TEST_CASE("broken references name their kind and their property", "[plan]") {
  const World world = Usual();
  const Result<MoveResult> result = World(world).Move({"b"});
  REQUIRE(result.ok());
  std::vector<ReferenceKind> kinds;
  for (const BrokenReference& broken : result->broken_in_dest) {
    CHECK(broken.from == world.urn("b"));
    CHECK(broken.to == world.urn("c1"));
    CHECK(broken.key == (broken.kind == ReferenceKind::kPropertyDependency ? "k" : ""));
    kinds.push_back(broken.kind);
  }
  CHECK(kinds == std::vector<ReferenceKind>{ReferenceKind::kDependency, ReferenceKind::kPropertyDependency,
                                            ReferenceKind::kDeletedWith, ReferenceKind::kReplaceWith});
}

TEST_CASE("a provider that others still use stays, below the root of its names", "[plan]") {
  World world = Usual();
  world.Add({"late", "root", "pc"});
  const Result<MoveResult> result = world.Move({"c"});
  REQUIRE(result.ok());
  CHECK(Names(result->source.resources) == "proj-src p r pc b late");
  const State& late = *result->source.resources.back();
  CHECK(late.provider == "urn:pulumi:src::proj::pulumi:providers:a::pc::id-pc");
  CHECK(Names(result->dest.resources) == "other-dst p c c1 pc c2");
  CHECK(result->dest.resources[4]->parent == result->dest.resources[2]->urn);
}

TEST_CASE("providers of the destination are used if they are the same", "[plan]") {
  struct Case {
    std::string id;
    double input;
    bool fits;
  };
  for (const Case& c : {Case{"id-p", 2, true}, Case{"another", 1, true}, Case{"another", 2, false}}) {
    World world = Usual();
    State source_provider = *world.source.resources[1];
    source_provider.inputs.Set("n", Value(1.0));
    world.source.resources[1] = std::make_shared<const State>(source_provider);
    State present = source_provider;
    present.urn = Urn("urn:pulumi:dst::other::pulumi:providers:a::p");
    present.parent = Urn();
    present.id = c.id;
    present.inputs.Set("n", Value(c.input));
    world.dest.resources = {std::make_shared<const State>(present)};

    const Result<MoveResult> result = world.Move({"r"});
    REQUIRE(result.ok() == c.fits);
    if (!c.fits) {
      CHECK(result.status().message().find(present.urn.str() + " already exists") != std::string::npos);
      continue;
    }
    CHECK(Names(result->dest.resources) == "other-dst p r");
    CHECK(result->dest.resources.back()->provider == present.urn.str() + "::" + c.id);
  }
}

TEST_CASE("providers, and resources that the destination has already, are refused", "[plan]") {
  const Result<MoveResult> provider = Usual().Move({"p"});
  CHECK(provider.status().message().find("cannot move providers") == 0);

  World world = Usual();
  State taken = *world.source.resources[2];
  taken.urn = Urn("urn:pulumi:dst::other::a:b:C::r");
  taken.parent = Urn();
  taken.provider = "";
  world.dest.resources = {std::make_shared<const State>(taken)};
  CHECK(world.Move({"r"}).status().message() == "resource " + taken.urn.str() + " already exists in destination stack");
}

TEST_CASE("extensions go where they are used", "[plan]") {
  World world = Usual();
  const auto extend = [&](size_t index, const std::string& ref) {
    State state = *world.source.resources[index];
    state.extension_ref = ref;
    world.source.resources[index] = std::make_shared<const State>(state);
  };
  using Extensions = std::map<std::string, std::string>;
  extend(2, "e1");  // r
  extend(3, "e2");  // c
  world.source.extensions = {{"e1", "1"}, {"e2", "2"}};
  const Result<MoveResult> result = world.Move({"r"});
  REQUIRE(result.ok());
  CHECK(result->dest.extensions == Extensions{{"e1", "1"}});
  CHECK(result->source.extensions == Extensions{{"e2", "2"}});

  world.source.extensions.erase("e1");
  CHECK(world.Move({"r"}).status().message().find("missing the extension e1") != std::string::npos);
}

}  // namespace kingpost::move_resources_test
