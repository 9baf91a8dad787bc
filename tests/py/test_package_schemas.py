# SPDX-License-Identifier: Apache-2.0
"""Schemas of packages: their form, their errors, and `package info`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from harness import peer_or_skip
from harness.package_site import DATA, PLUGIN, call, site  # noqa: F401 - a fixture
from harness.plugin_source import make_executable


def test_a_schema_has_one_form_wherever_it_comes_from(site):
    shutil.copy(DATA / "shapes.yaml", site.project)
    from_json = call(site, "package", "get-schema", "shapes.json").stdout
    # The order of language options in a YAML file is that of their names, so the texts may differ.
    assert json.loads(call(site, "package", "get-schema", "shapes.yaml").stdout) == json.loads(from_json)
    assert call(site, "package", "get-schema", "shapes").stdout == from_json
    assert call(site, "package", "get-schema", str(PLUGIN)).stdout == from_json
    (site.project / "again.json").write_text(from_json)
    assert call(site, "package", "get-schema", "again.json").stdout == from_json
    assert list(json.loads(from_json))[:3] == ["name", "displayName", "version"]


def test_a_schema_without_a_version_takes_that_of_its_plugin(site):
    """The version by which the plugin is in the cache, not the one that the plugin tells."""
    (site.project / "Pulumi.yaml").write_text('{"name": "site", "runtime": "python"}')
    plugin = site.home / "plugins" / "resource-shapes-v1.2.0" / "pulumi-resource-shapes"
    plugin.parent.mkdir(parents=True)
    make_executable(plugin, f'#!/bin/sh\nexec "{sys.executable}" "{PLUGIN}/__main__.py" "$@"\n'.encode())

    def shown(source):
        return json.loads(call(site, "package", "get-schema", source).stdout).get("version")

    assert shown("shapes@1.2.0") == "1.2.3", "a schema that has a version keeps it"
    site.env["SHAPES_LEAVES_OUT"] = "version"
    assert shown("shapes@1.2.0") == "1.2.0"
    assert shown("shapes") == "1.2.0", "the version that the cache has"
    assert shown(str(plugin)) is None, "a file has no version, whatever the plugin tells"


def test_a_schema_is_printed_as_the_reference_prints_it(site):
    peer = peer_or_skip()
    theirs = subprocess.run([peer.path, "package", "get-schema", "shapes.json"], cwd=site.project, check=True, text=True,
                            env=peer.environment(site.root) | site.environment(), capture_output=True).stdout
    assert call(site, "package", "get-schema", "shapes.json").stdout == theirs


def test_parameters_make_another_package(site):
    schema = json.loads(call(site, "package", "get-schema", str(PLUGIN), "--", "greet", "3.1.4", "Good day").stdout)
    assert (schema["name"], schema["version"]) == ("greet", "3.1.4")
    assert schema["parameterization"]["baseProvider"] == {"name": "shapes", "version": "1.2.3"}
    refused = call(site, "package", "get-schema", "shapes.json", "a", ok=False)
    assert "parameterization arguments are not supported for json files" in refused.stderr


def test_mappings(site):
    mapping = call(site, "package", "get-mapping", "terraform", "shapes")
    assert mapping.stdout == '{"mapped":"shapes"}' and "shapes maps to provider shapes" in mapping.stderr
    call(site, "package", "get-mapping", "terraform", "shapes", "--out", "mapping.json")
    assert (site.project / "mapping.json").read_text() == mapping.stdout
    assert 'no mapping found for key "other"' in call(site, "package", "get-mapping", "other", "shapes", ok=False).stderr


def test_info_tells_what_a_package_has(site):
    whole = call(site, "package", "info", "shapes.json").stdout
    assert "Total resources 30\n" in whole and "Modules: deep, functions, index, my-mod\n" in whole
    resource = call(site, "package", "info", "shapes.json", "--resource", "Scalars").stdout
    assert " - text (string*): A text. Of two lines.\n" in resource and "Inputs marked with '*' are required\n" in resource
    assert "import pulumi_shapes" not in resource and "See `shapes:index/Lists:Lists`." in resource
    function = call(site, "package", "info", "shapes.json", "--function", "getShape").stdout
    assert " - filters (Array<shapes:functions/Filter:Filter>)\n" in function
    assert " - getShape: Finds a shape.\n" in call(site, "package", "info", "shapes.json", "-m", "functions").stdout
    assert 'resource "Nobody" not found' in call(site, "package", "info", "shapes.json", "-r", "Nobody", ok=False).stderr


def schema(**parts) -> dict:
    return {"name": "t", "version": "1.0.0", **parts}


def resource(**parts) -> dict:
    return schema(resources={"t:index:A": parts})


BROKEN = [
    (schema(name=""), "#/name: no name provided"),
    (schema(name="pulumi"), "#/name: invalid package name 'pulumi' (package names 'pulumi' and 'input' are reserved)"),
    (schema(version="one"), "#/version: failed to parse semver: 'one'"),
    (schema(meta={"moduleFormat": "("}), "#/meta/moduleFormat: failed to compile regex"),
    (schema(resources={"t:A": {}}), "#/resources/t:A: invalid token 't:A' (should have three parts)"),
    (schema(resources={"u:index:A": {}}), "#/resources/u:index:A: invalid token 'u:index:A' (must have package name 't')"),
    (schema(resources={"t:index:provider": {}}), "(provider is a reserved word for the root module)"),
    (schema(resources={"t:a:B": {}}, functions={"t:a:b": {}}), "#/resources/t:a:B: multiple tokens map to t:a:b"),
    (schema(resources={"t:index:A": {}, "t:a:B": {}}), "#/resources/t:index:A: token collides with module a"),
    (resource(properties={"a": {"type": 7}}), "#/resources/t:index:A/properties/a/type: expected a text, found a number"),
    (resource(properties={"a": {"type": "text"}}), "#/resources/t:index:A/properties/a/type: unknown type kind text"),
    (resource(properties={"a": {"type": "array"}}), "missing \"items\" property in array type spec"),
    (resource(properties={"a": {"$ref": "#/types/t:index:B"}}), "/a/$ref: type t:index:B not found in package t"),
    (resource(properties={"a": {"$ref": "#/resources/t:index:B"}}), "resource type t:index:B not found in package t"),
    (resource(properties={"a": {"$ref": "#/nothing"}}), "/a/$ref: invalid type reference '#/nothing'"),
    (resource(properties={"a": {"$ref": "/b/1/schema.json#/types/b:c:D"}}), "failed to parse path '/b/1/schema.json'"),
    (resource(properties={"a": {"oneOf": [{"type": "string"}]}}), "oneOf should list at least two types"),
    (resource(inputProperties={"a": {"type": "integer", "default": 1.5}}),
     "inputProperties/a/default: invalid constant of type float64 for integer default"),
    (resource(inputProperties={"a": {"type": "string", "const": 1}}),
     "inputProperties/a/const: invalid constant of type float64 for string constant"),
    (resource(inputProperties={"a": {"type": "string", "defaultInfo": {}}}), "Default must specify an environment"),
    (resource(requiredInputs=["a"]), '#/resources/t:index:A/requiredInputs/0: unknown required property "a"'),
    (resource(properties={"pulumi": {"type": "string"}}), "pulumi is a reserved property name"),
    (resource(properties={"urn": {"type": "string"}}), "Warning: #/resources/t:index:A/properties/urn: urn is a reserved"),
    (resource(plainInputs=["a"]), "#/resources/t:index:A/plainInputs: plainInputs has been removed"),
    (resource(stateInputs={"properties": {"id": {"type": "string"}}}), "id is a reserved property name for stateInputs"),
    (resource(methods={"m": "t:index:A/m"}), "#/resources/t:index:A/methods/m: unknown function t:index:A/m"),
    (schema(resources={"t:index:A": {"methods": {"m": "t:index:A/m"}}}, functions={"t:index:A/m": {}}),
     "function t:index:A/m has no __self__ parameter"),
    (schema(functions={"t:index:f": {"inputs": {"properties": {"a": {"type": "string"}}}, "multiArgumentInputs": ["b"]}}),
     'multiArgumentInputs[0] refers to non-existent property "b"'),
    (schema(types={"t:index:E": {"type": "string", "enum": [{"value": 1}]}}),
     "#/types/t:index:E/enum/0/value: invalid constant of type float64 for string enum"),
    (schema(types={"t:index:R": {"type": "object", "properties": {"r": {"$ref": "#/types/t:index:R"}}, "required": ["r"]}}),
     "object type has unsatisfiable required-property cycle: t:index:R -> t:index:R"),
    (schema(provider={"inputProperties": {"version": {"type": "string"}}}),
     "#/provider/properties/version: version is a reserved provider input property name"),
    (schema(parameterization={"baseProvider": {"name": "b", "version": "x"}, "parameter": ""}),
     '#/parameterization/baseProvider/version: invalid version "x"'),
]


@pytest.mark.parametrize(("document", "message"), BROKEN, ids=[message[:50] for _, message in BROKEN])
def test_mistakes_in_a_schema_are_reported(site, document, message):
    warns = message.startswith("Warning")
    checked = call(site, "schema", "check", "-", ok=warns, stdin=json.dumps(document))
    assert message in checked.stderr
    assert warns or "schema validation failed" in checked.stderr or "found a number" in checked.stderr


def test_a_good_schema_passes_and_dangling_references_may(site):
    assert call(site, "schema", "check", "shapes.json").stderr == ""
    dangling = json.dumps(resource(properties={"a": {"$ref": "#/types/t:index:B"}}))
    call(site, "schema", "check", "-", ok=False, stdin=dangling)
    call(site, "schema", "check", "-", "--allow-dangling-references", stdin=dangling)


def test_commands_of_a_registry_are_refused_with_the_reason(site):
    for verb in ("delete", "remove", "publish", "new"):
        refused = call(site, "package", verb, "a/b/c@1.0.0", ok=False)
        assert f"'package {verb}' is not available" in refused.stderr
