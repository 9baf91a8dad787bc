// SPDX-License-Identifier: Apache-2.0
// Checks snippets against schemas: the registrations that they request, and their mistakes.
#include "languages/pcl/snippet_program.h"

#include <catch2/catch.hpp>

#include "languages/pcl/conversions.h"
#include "languages/schema/bind.h"

namespace kingpost::pcl::snippet_program_test {

constexpr char kSchema[] = R"json({
  "name": "pkg",
  "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
  "types": {
    "pkg:index:Part": {"type": "object", "properties": {
      "size": {"type": "number", "default": 3},
      "key": {"type": "string", "secret": true},
      "next": {"$ref": "#/types/pkg:index:Part"},
      "fixed": {"type": "string", "replaceOnChanges": true}}},
    "pkg:index:Loop": {"oneOf": [{"$ref": "#/types/pkg:index:Loop"}]}
  },
  "resources": {
    "pkg:index/res:Res": {
      "inputProperties": {
        "flag": {"type": "boolean"},
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "list": {"type": "array", "items": {"type": "string"}},
        "part": {"$ref": "#/types/pkg:index:Part"},
        "parts": {"type": "array", "items": {"$ref": "#/types/pkg:index:Part"}},
        "either": {"oneOf": [{"type": "number"}, {"type": "string"}]},
        "odd": {"$ref": "#/types/pkg:index:Loop"},
        "password": {"type": "string", "secret": true}
      },
      "requiredInputs": ["flag"],
      "properties": {
        "parts": {"type": "array", "items": {"$ref": "#/types/pkg:index:Part"}},
        "token": {"type": "string", "secret": true}
      },
      "methods": {"ask": "pkg:index/res:Res/ask"}
    },
    "pkg:index/comp:Comp": {"isComponent": true}
  },
  "functions": {
    "pkg:index/echo:echo": {
      "inputs": {"properties": {"input": {"type": "string"}}, "required": ["input"]},
      "outputs": {"properties": {"result": {"type": "string"}}}},
    "pkg:index/one:one": {"returnType": {"type": "number"}},
    "pkg:index/res:Res/ask": {"inputs": {"properties": {"__self__": {}, "what": {"type": "string"}}}}
  }
})json";

const Urn kOther("urn:pulumi:dev::shop::pkg:index/res:Res::other");

struct Fixture {
  EvaluationContext around;
  Scope scope;
  EffectLog effects;

  Fixture() {
    auto schema = schema::Open("pkg", kSchema);
    REQUIRE(schema.ok());
    around.project = "shop";
    around.packages["pkg"] = *schema;
    PropertyMap other{{"urn", Value(kOther.str())},
                      {"id", "i-1"},
                      {"__name", "other"},
                      {"__type", "pkg:index/res:Res"},
                      {"token", "t"}};
    scope.Set("other", {Value(other), {false, {kOther}}});
  }

  std::shared_ptr<const SnippetProgram> Parse(const std::string& code, const std::string& type = "pkg:Res") {
    Snippet snippet;
    snippet.uuid = "u";
    snippet.name = "thing";
    snippet.type = type;
    snippet.code = code;
    snippet.references["other"] = kOther.str();
    auto program = SnippetProgram::Parse(snippet);
    REQUIRE(program.ok());
    return *program;
  }

  Result<std::vector<RegisterResourceRequest>> Requests(const std::string& code, const std::string& type = "pkg:Res") {
    auto program = Parse(code, type);
    Status checked = program->Check(around.packages);
    if (!checked.ok()) return checked;
    effects.Rewind();
    Evaluator evaluator(around, &effects);
    auto instances = program->Instances(&evaluator, scope);
    if (!instances.ok()) return instances.status();
    std::vector<RegisterResourceRequest> requests;
    for (const Instance& instance : *instances) {
      auto request = program->Request(instance, &evaluator, scope);
      if (!request.ok()) return request.status();
      requests.push_back(std::move(*request));
    }
    return requests;
  }

  RegisterResourceRequest One(const std::string& code) {
    auto requests = Requests(code);
    INFO(requests.status().message());
    REQUIRE(requests.ok());
    REQUIRE(requests->size() == 1);
    return requests->front();
  }

  std::string Error(const std::string& code) { return Requests(code).status().message(); }
};

TEST_CASE("inputs are brought into the shape of the schema") {
  Fixture f;
  const auto request = f.One(
      "flag = \"true\"\ncount = \"4\"\ntext = 5\nlist = [1, true]\npart = { key = \"k\" }\nparts = [{ size = 1 }]\n"
      "either = \"e\"\npassword = \"p\"\nodd = 1\n");
  CHECK(request.type == "pkg:index/res:Res");
  CHECK(request.name == "thing");
  CHECK(request.snippet_id == "u");
  CHECK(request.custom);
  CHECK_FALSE(request.remote);
  const PropertyMap part{{"key", Value::Secret(Value("k"))}, {"size", 3}};
  const PropertyMap expected{{"flag", true},  {"count", 4},
                             {"text", "5"},   {"list", Array{Value("1"), Value("true")}},
                             {"part", part},  {"parts", Array{Value(PropertyMap{{"size", 1}})}},
                             {"either", "e"}, {"password", Value::Secret(Value("p"))},
                             {"odd", 1}};
  CHECK(DeepEqual(request.inputs, expected));
  CHECK(request.replace_on_changes == std::vector<std::string>{"parts[*].fixed"});
  CHECK(request.additional_secret_outputs == std::vector<std::string>{"token"});
}

TEST_CASE("components are registered as remote ones") {
  Fixture f;
  auto requests = f.Requests("", "pkg:index:Comp");
  REQUIRE(requests.ok());
  CHECK(requests->front().remote);
  CHECK_FALSE(requests->front().custom);
}

TEST_CASE("mistakes are found before anything is registered") {
  Fixture f;
  const std::pair<const char*, const char*> cases[] = {
      {"", "bind snippet: <snippet:thing>:1,1: missing required attribute 'flag'"},
      {"flag = true\nnope = 1", "bind snippet: <snippet:thing>:2,1: unsupported attribute 'nope'"},
      {"nope = 1",
       "bind snippet: <snippet:thing>:1,1: unsupported attribute 'nope'; <snippet:thing>:1,9: missing "
       "required attribute 'flag'"},
      {"flag = true\nother {\n}", "bind snippet: <snippet:thing>:2,1: unsupported block of type 'other'"},
      {"flag = true\noptions {}\noptions {}", "bind snippet: <snippet:thing>:3,1: duplicate block of type 'options'"},
      {"flag = true\noptions {\n  nope = 1\n}", "bind snippet: <snippet:thing>:3,3: unsupported attribute 'nope'"},
      {"flag = true\noptions {\n  hooks = {}\n}",
       "bind snippet: <snippet:thing>:3,3: option 'hooks' is not offered: a snippet has no hooks, register them in "
       "the program"},
      {"flag = [1]",
       "execute snippet: <snippet:thing>:1,8: cannot assign a list to attribute 'flag' of type "
       "\"boolean\" of resource \"pkg:index/res:Res\""},
      {"flag = missing.x",
       "bind snippet: <snippet:thing>:1,8: undefined variable missing: a snippet knows the names of its "
       "references, and 'range' if it has one"},
      {"flag = false && f(1)", "bind snippet: <snippet:thing>:1,17: unknown function 'f'"},
      {"flag = can(readFile(\"x\"))",
       "bind snippet: <snippet:thing>:1,12: function 'readFile' is not offered: snippets cannot read files: put the "
       "content into the snippet, or into the program"},
      {"flag = resourceExists(\"t:index:T\", \"id\")",
       "bind snippet: <snippet:thing>:1,8: function 'resourceExists' is not offered: it is not supported in snippets: "
       "ask "
       "in the program, by the exists() of the resource's class"},
      {"flag = length([for x in [] : y]) == 0",
       "bind snippet: <snippet:thing>:1,30: undefined variable y: a snippet knows the names of its references, and "
       "'range' if it has one"},
      {"flag = true\noptions {\n  protect = \"yes\"\n}",
       "execute snippet: <snippet:thing>:3,13: option 'protect': must be a bool, not a text"},
      {"flag = true\noptions {\n  ignoreChanges = [nope]\n}",
       "execute snippet: <snippet:thing>:3,20: 'nope' is not a property of pkg:index/res:Res"},
      {"flag = true\noptions {\n  parent = 1\n}",
       "execute snippet: <snippet:thing>:3,12: option 'parent': expected a resource, and got a number"},
  };
  for (const auto& [code, error] : cases) {
    INFO(code);
    CHECK(f.Error(code) == error);
  }
  Snippet broken;
  broken.name = "thing";
  broken.type = "pkg:index:Res";
  broken.code = "a = ";
  CHECK(SnippetProgram::Parse(broken).status().message() ==
        "parse snippet: <snippet:thing>:1,5: expected a value, found the end of the text");
}

TEST_CASE("references become dependencies, and whole resources become references") {
  Fixture f;
  const auto request = f.One("flag = true\ntext = \"${other.token}!\"\nodd = other");
  CHECK(DeepEqual(*request.inputs.Find("text"), Value("t!")));
  REQUIRE(request.inputs.Find("odd")->is_reference());
  CHECK(request.inputs.Find("odd")->as_reference().urn == kOther);
  CHECK(request.dependencies == std::vector<Urn>{kOther});
  CHECK(request.property_dependencies.find("text")->second == std::vector<Urn>{kOther});
}

TEST_CASE("each option sets its field of the registration") {
  Fixture f;
  const auto request = f.One(R"(flag = true
options {
  parent = other
  provider = other
  providers = { pkg = other }
  dependsOn = [other]
  protect = true
  retainOnDelete = false
  ignoreChanges = [text, part.key, "list[*]"]
  hideDiffs = [list[0], token]
  replaceOnChanges = [count]
  additionalSecretOutputs = [text]
  deleteBeforeReplace = true
  version = "1.2.3"
  pluginDownloadURL = "https://example.com"
  deletedWith = other
  replaceWith = [other]
  import = "i-2"
  customTimeouts = { create = "5m", read = null }
  aliases = ["urn:pulumi:dev::shop::pkg:index:Res::old", { name = "older", noParent = true }]
  replacementTrigger = [1]
  envVarMappings = { A = "b" }
})");
  const std::string other = kOther.str();
  CHECK(request.parent == Urn(other));
  CHECK(request.provider == other + "::i-1");
  CHECK(request.providers.at("pkg") == other + "::i-1");
  CHECK(request.dependencies == std::vector<Urn>{Urn(other)});
  CHECK(request.protect == true);
  CHECK(request.retain_on_delete == false);
  CHECK(request.ignore_changes == std::vector<std::string>{"text", "part.key", "list[*]"});
  CHECK(request.hide_diffs == std::vector<std::string>{"list[0]", "token"});
  CHECK(request.replace_on_changes == std::vector<std::string>{"count", "parts[*].fixed"});
  CHECK(request.additional_secret_outputs == std::vector<std::string>{"text", "token"});
  CHECK(request.delete_before_replace == true);
  CHECK(request.version == "1.2.3");
  CHECK(request.plugin_download_url == "https://example.com");
  CHECK(request.deleted_with == Urn(other));
  CHECK(request.replace_with == std::vector<Urn>{Urn(other)});
  CHECK(request.import_id == "i-2");
  CHECK(request.timeout_create == "5m");
  CHECK(request.timeout_read.empty());
  REQUIRE(request.aliases.size() == 2);
  CHECK(request.aliases[0].urn.name() == "old");
  CHECK(request.aliases[1].name == "older");
  CHECK(request.aliases[1].no_parent);
  CHECK(request.replacement_trigger.is_array());
  CHECK(request.env_var_mappings.at("A") == "b");
}

TEST_CASE("a range makes as many resources as it has elements") {
  Fixture f;
  struct Case {
    const char* range;
    std::vector<std::string> names_and_texts;
  };
  const Case cases[] = {{"2", {"thing-0 0", "thing-1 1"}},
                        {"[\"a\", \"b\"]", {"thing-0 a", "thing-1 b"}},
                        {"{ x = \"a\", y = \"b\" }", {"thing-x a", "thing-y b"}},
                        {"0", {}},
                        {"false", {}},
                        {"[]", {}}};
  for (const Case& c : cases) {
    INFO(c.range);
    auto requests = f.Requests("flag = true\ntext = range.value\noptions {\n  range = " + std::string(c.range) + "\n}");
    REQUIRE(requests.ok());
    std::vector<std::string> found;
    for (const auto& request : *requests) {
      found.push_back(request.name + " " + request.inputs.Find("text")->as_string());
    }
    CHECK(found == c.names_and_texts);
  }
  CHECK(f.Requests("flag = true\noptions {\n  range = true\n}")->front().name == "thing");
  CHECK(f.Requests("flag = true\n__logicalName = \"name\"")->front().name == "name");
  CHECK(f.Error("flag = true\noptions {\n  range = \"x\"\n}") ==
        "execute snippet: <snippet:thing>:3,11: a range must be a bool, a number, a list or an object, not a text");
}

TEST_CASE("an invoke stops the evaluation until it is answered") {
  Fixture f;
  const std::string code =
      "flag = true\ntext = \"${invoke(\"pkg:echo\", { input = 1 }).result} "
      "${invoke(\"pkg:index:one\", {}, { dependsOn = [other] })}\"";
  CHECK(f.Parse(code)->packages() == std::set<std::string>{"pkg"});
  (void)f.Requests(code);
  REQUIRE(f.effects.wanted());
  CHECK(f.effects.wanted()->invoke.token == "pkg:index/echo:echo");
  CHECK(DeepEqual(f.effects.wanted()->invoke.args, PropertyMap{{"input", "1"}}));
  f.effects.Answer(EffectAnswer{{{"result", "hi"}}, {}, false});
  (void)f.Requests(code);
  REQUIRE(f.effects.wanted());
  CHECK(f.effects.wanted()->invoke.depends_on == std::vector<std::string>{kOther.str()});
  f.effects.Answer(EffectAnswer{{{"any", 7}}, {}, false});
  const auto request = f.One(code);
  CHECK_FALSE(f.effects.wanted());
  CHECK(DeepEqual(*request.inputs.Find("text"), Value("hi 7")));
  CHECK(request.dependencies == std::vector<Urn>{kOther});
}

TEST_CASE("try catches a failed invoke, and a method call carries its resource") {
  Fixture f;
  const std::string code = "flag = true\ntext = try(invoke(\"pkg:echo\", { input = \"\" }).result, \"none\")";
  (void)f.Requests(code);
  REQUIRE(f.effects.wanted());
  f.effects.Answer(Status(Code::kUnknown, "no"));
  CHECK(DeepEqual(*f.One(code).inputs.Find("text"), Value("none")));

  Fixture g;
  const std::string method = "flag = true\nodd = call(other, \"ask\", { what = 1 })";
  (void)g.Requests(method);
  REQUIRE(g.effects.wanted());
  const ResourceCallRequest& call = g.effects.wanted()->call;
  CHECK(call.token == "pkg:index/res:Res/ask");
  CHECK(call.args.Find("__self__")->as_reference().urn == kOther);
  CHECK(DeepEqual(*call.args.Find("what"), Value("1")));
}

TEST_CASE("in a preview an unknown value is not a mistake") {
  Fixture f;
  f.around.preview = true;
  f.scope.Set("other", {Value(PropertyMap{{"urn", Value(kOther.str())}, {"id", Computed()}}), {false, {kOther}}}, true);
  const auto request = f.One("flag = true\ntext = other.token\noptions {\n  provider = other\n}");
  CHECK(request.inputs.Find("text")->is_computed());
  CHECK(request.provider == kOther.str() + "::" + std::string(kUnknownString));
  CHECK(f.Requests("flag = true\noptions {\n  range = other.count\n}")->empty());
}

TEST_CASE("the state's snippets are read with their packages") {
  auto snippets = ParseSnippets(
      R"([{"uuid":"u","name":"n","type":"pkg:index:Res","code":"a = 1","references":{"r":"urn"},
          "descriptor":{"name":"base","version":"1.0.0","parameterization":{"name":"pkg","version":"2.0.0","value":"aGk="}}}])");
  REQUIRE(snippets.ok());
  REQUIRE(snippets->size() == 1);
  const Snippet& snippet = snippets->front();
  CHECK(snippet.references.at("r") == "urn");
  CHECK(snippet.package.name == "base");
  CHECK(snippet.package.parameterization->value == "hi");
  CHECK(ParseSnippets("").ok());
  CHECK_FALSE(ParseSnippets("{}").ok());
  CHECK_FALSE(ParseSnippets("[1]").ok());
  CHECK_FALSE(ParseSnippets("[{}]").ok());
}

}  // namespace kingpost::pcl::snippet_program_test
