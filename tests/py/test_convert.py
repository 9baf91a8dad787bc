# SPDX-License-Identifier: Apache-2.0
"""Programs in YAML become programs in Python and TypeScript, which find nothing to change in what YAML deployed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
import yaml

import test_import_code
from harness import Workspace, shapes
from harness.cobol import with_cobol
from harness.commands import node_modules
from harness.patience import patience
from test_yaml_programs import HEAD, PROGRAM, yard

LANGUAGES = ["python", "typescript"]
# An SDK asks for its own version of a provider that the program declares; and a conversion changes Pulumi.yaml.
PROGRAM = PROGRAM.replace("{region: west}", "{region: west}\n    options: {version: 1.0.0}").replace("./Pulumi.yaml", "./note.txt")

TRANSPILE = """
const fs = require("fs"), path = require("path");
const ts = require(process.argv[2]);
for (const file of fs.readdirSync(".", {recursive: true}).filter(f => f.endsWith(".ts") && !f.endsWith(".d.ts"))) {
    const options = {module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2018};
    const made = ts.transpileModule(fs.readFileSync(file, "utf8"), {compilerOptions: options});
    fs.writeFileSync(file.replace(/\\.ts$/, ".js"), made.outputText);
}
"""


def convert(ws: Workspace, language: str, *more: str, ok: bool = True) -> subprocess.CompletedProcess:
    run = subprocess.run([ws.command.path, "convert", "--language", language, "--generate-only", *more], cwd=ws.project,
                         env=ws.environment(), text=True, capture_output=True, timeout=patience(120))
    assert (run.returncode == 0) == ok, run.stdout + run.stderr
    return run


def install(ws: Workspace, language: str) -> None:
    """The work of `install`, without a network."""
    if language == "python":
        (ws.project / "venv").symlink_to(sys.prefix)
        sdks = sorted((ws.project / "sdks").glob("*"))
        ws.env["PYTHONPATH"] = os.pathsep.join(map(str, sdks))
        for sdk in sdks:
            installed = sdk / f"pulumi_{sdk.name}-1.0.0.dist-info"
            installed.mkdir()
            (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pulumi_{sdk.name}\nVersion: 1.0.0\n")
        return
    core = node_modules()
    modules = ws.project / "node_modules"
    (modules / "@pulumi").mkdir(parents=True)
    for entry in core.iterdir():
        if entry.name != "@pulumi":
            (modules / entry.name).symlink_to(entry)
    (modules / "@pulumi" / "pulumi").symlink_to(core / "@pulumi" / "pulumi")
    compiler = next((core / "@pulumi" / "pulumi").rglob("typescript.js"))
    for sdk in (ws.project / "sdks").glob("*"):
        target = modules / "@pulumi" / sdk.name
        shutil.copytree(sdk, target)
        subprocess.run(["node", "-e", TRANSPILE, "-", str(compiler)], cwd=target, check=True, timeout=patience(60))
        manifest = json.loads((target / "package.json").read_text()) | {"main": "index.js", "types": "index.ts"}
        (target / "package.json").write_text(json.dumps(manifest))


def check_unchanged(ws: Workspace) -> None:
    result = ws.preview("--expect-no-changes")
    declared = {urn for urn, ops in result.steps.items() if set(ops) <= {"same", "read", "refresh"}}
    recorded = {urn for urn in ws.state().resources if "::default" not in urn}
    assert result.changed() == {} and declared >= recorded


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_program_changes_nothing(tmp_path, language):
    ws = yard(tmp_path, program=PROGRAM)
    ws.up()
    outputs = ws.outputs()
    convert(ws, language)
    project = (ws.project / "Pulumi.yaml").read_text()
    assert "resources:" not in project and "size: {type: integer, default: 3}" in project
    assert (ws.project / "Pulumi.yaml.bak").read_text() == PROGRAM
    install(ws, language)
    check_unchanged(ws)
    ws.up()
    assert ws.outputs() == outputs
    assert "canary" not in ws.state_file.read_text()


STASH = """\
name: yard
runtime: yaml
resources:
  kept:
    type: pulumi:index:Stash
    properties: {input: {size: 3}}
outputs: {out: "${kept.output}"}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_resources_of_the_engine_itself_come_from_the_core_sdk(tmp_path, language):
    ws = yard(tmp_path, program=STASH)
    ws.up()
    convert(ws, language)
    install(ws, language)
    check_unchanged(ws)


@pytest.mark.parametrize("language", LANGUAGES)
def test_variables_that_use_each_other_twice_are_converted_at_once(tmp_path, language):
    doubled = [f'  v{i}: {{"fn::select": [0, ["${{v{i - 1}}}", "${{v{i - 1}}}"]]}}\n' for i in range(1, 41)]
    ws = yard(tmp_path, program="name: yard\nruntime: yaml\nvariables:\n  v0: a\n" + "".join(doubled)
              + 'outputs: {out: "${v40}"}\n')
    convert(ws, language)  # 2^40 walks would take days
    install(ws, language)
    ws.up()
    assert ws.outputs() == {"out": "a"}


# Every function, and values of every kind where they may stand.
FUNCTIONS = HEAD + """\
configuration:
  limit: {type: number, default: 2.5}
  flag: {default: true}
  names: {default: [x, y]}
  shape: {type: object, default: {depth: {of: [10, 20]}, "a b": 1}}
  hush: {type: string, secret: true, default: hidden word}
  value: {default: shadow}
variables:
  map: {a: 1, "b c": {d: [10, 20]}, big: 1234567.5, small: 0.00001}
  list: [a, b, c]
  none: null
  later: {id: "${first.id}", parts: ["${first.stamp}", plain]}
  answer: {"fn::things:greet": {greeting: Hi, name: "${value}"}}
  len: reserved
resources:
  first:
    type: things:Thing
    properties: {value: v, key: k, parts: [{partName: p, size: 3}, {partName: q, size: 1500000}]}
  lambda:
    type: things:Thing
    properties:
      value:
        json: {"fn::toJSON": {z: "<&>", "10": [1, 2.0, true, null, "${limit}"], "9": {x: "${first.stamp}", y: "é\\u2028\\t"}}}
        texts: ["${limit} ${flag} ${names}", "${map}", "${none}|${map.big}|${map.small}", "$${x} {0} \\"` \\\\ ${first.stamp}"]
        parts: "${first.parts[1].partName} ${first.parts[1].size}"
        shape: ["${shape.depth.of[1]}", "${shape}"]
        later: ["${later.id}", "${later.parts[0]}", "${later.parts[1]}", "${later}"]
        answers: ["${answer.text}", "${answer}", {"fn::invoke": {function: "things:greet", arguments: {greeting: Ho, name: "${first.id}"}}}]
        joins: [{"fn::join": ["-", [a, "${value}"]]}, {"fn::join": ["", ["${first.stamp}", b]]}, {"fn::join": [null, [a, b]]}]
        splits: [{"fn::split": [",", "a,b,"]}, {"fn::split": ["", "aé"]}, {"fn::split": ["/", "${first.stamp}"]}]
        selects: [{"fn::select": [1, "${list}"]}, {"fn::select": [0, ["${first.id}", x]]}]
        bases: [{"fn::toBase64": héllo}, {"fn::fromBase64": aMOpbGxv}, {"fn::toBase64": "${first.id}"}, {"fn::sha1": abc}]
        lengths: [{"fn::length": "${list}"}, {"fn::length": "${map}"}, {"fn::length": [1]}, {"fn::length": "${names}"}]
        singles: [{"fn::singleOrNone": [x]}, {"fn::singleOrNone": ["${first.id}"]}]
        files: [{"fn::readFile": note.txt}, {"fn::filebase64": note.txt}, {"fn::filebase64sha256": "./${pulumi.project}.txt"}]
        facts: [{"fn::pulumiResourceName": "${first}"}, {"fn::pulumiResourceType": "${first}"}]
        places: ["${pulumi.cwd}", "${pulumi.stack}", "${pulumi.organization}", "${pulumi.rootDirectory}", "${pulumi}"]
        secrets: [{"fn::secret": s}, "<${hush}>", {"fn::unsecret": "${hush}"}, {"fn::join": ["-", ["${hush}", {"fn::secret": b}]]}]
      word: ${hush}
    options:
      aliases: [{name: old, noParent: true}, {type: "things:index:Old"}, "urn:pulumi:dev::yard::things:index:Thing::older"]
      customTimeouts: {create: 5m}
      deleteBeforeReplace: true
      dependsOn: ["${first}"]
      replaceOnChanges: [key]
      deletedWith: ${first}
  assets:
    type: things:Thing
    properties:
      value:
        - {"fn::stringAsset": "${first.stamp}"}
        - {"fn::fileAsset": "./${first.key}.txt"}
        - {"fn::assetArchive": {a: {"fn::stringAsset": "${first.id}"}, b: {"fn::fileArchive": ./boxes}}}
  west: {type: "pulumi:providers:things", properties: {region: west}, options: {version: 1.0.0}}
  again: {type: "things:Thing", get: {id: "${first.id}"}}
outputs:
  pulumi: ${pulumi.stack}
  first: ${first.stamp}
  with-dash: ${again.value}
  secret: ${hush}
"""


def functions(folder) -> Workspace:
    ws = yard(folder, program=FUNCTIONS.replace("defaultProvider: true, ", ""))
    (ws.project / "yard.txt").write_bytes(b"some bytes\r\n")
    (ws.project / "note.txt").write_bytes("a nöte\r\n".encode())
    (ws.project / "k.txt").write_text("k")
    return ws


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_function_has_the_same_value(tmp_path, language):
    ws = functions(tmp_path)
    ws.up()
    before, outputs = ws.state().named("lambda"), ws.outputs()
    convert(ws, language)
    install(ws, language)
    check_unchanged(ws)
    ws.up()
    assert ws.state().named("lambda")["inputs"] == before["inputs"] and ws.outputs() == outputs


@pytest.mark.parametrize("language", LANGUAGES)
def test_resources_of_every_shape_change_nothing(tmp_path, language):
    """Runs the YAML code that `import` writes, as it is and then converted."""
    site = test_import_code.project(tmp_path, "yaml", shapes.world())
    file = shapes.import_file()
    # Texts alone: programs in YAML give a provider its other inputs as they are, SDKs as JSON. And the version of the SDK.
    given = shapes.PROVIDER_INPUTS
    file["resources"][0]["inputs"] = {"region": given["region"], "token": given["token"], "version": "1.0.0"}
    code = test_import_code.imported(site, "program.yaml", file=file)
    settings = json.loads((site.project / "Pulumi.yaml").read_text())
    (site.project / "Pulumi.yaml").write_text(yaml.safe_dump(settings) + code)
    check_unchanged(site)
    convert(site, language)
    install(site, language)
    check_unchanged(site)


def test_another_folder_gets_the_settings_and_files_and_the_old_one_stays(tmp_path):
    ws = yard(tmp_path, program=PROGRAM)
    before = {path: path.read_bytes() for path in ws.project.rglob("*") if path.is_file()}
    out = tmp_path / "new" / "project"
    run = convert(ws, "python", "--out", str(out), "--name", "garden")
    assert "Converting from yaml..." in run.stderr and "Converting to python..." in run.stderr
    assert {path: path.read_bytes() for path in ws.project.rglob("*") if path.is_file()} == before
    assert (out / "Pulumi.yaml").read_text().startswith("name: garden\n")
    for name in ("Pulumi.dev.yaml", "note.txt", "boxes/PulumiPlugin.yaml"):
        assert (out / name).read_text() == (ws.project / name).read_text()
    assert (out / "requirements.txt").read_text() == "pulumi>=3.0.0,<4.0.0\nsdks/things\nsdks/boxes\n"
    code = (out / "__main__.py").read_text()
    convert(ws, "python", "--out", str(out))
    assert (out / "__main__.py").read_text() == code and not (out / "__main__.py.bak").exists()


def test_a_setting_that_a_stack_keeps_secret_stays_secret(tmp_path):
    ws = yard(tmp_path, program=HEAD + "config:\n  plain: {type: string}\noutputs: {x: '${plain}'}\n")
    ws.secret("plain", "canary")
    convert(ws, "typescript")
    assert 'config.requireSecret("plain")' in (ws.project / "index.ts").read_text()


ALL_OF_PCL = HEAD + """\
configuration:
  size: {type: integer, default: 3}
  word: {type: string, secret: true}
variables:
  list: [a, "${size}", 2.5, true, null]
resources:
  a-b:
    type: things:Thing
    name: first one
    properties: {value: {"some key": "${size} $${x} %{y}"}, parts: [{partName: p}], word: "${word}"}
    options: {ignoreChanges: [word, "parts[0]"], protect: true}
  next:
    type: things:Thing
    properties: {value: {"fn::select": [0, "${list}"]}, key: "<${a-b.parts[0].partName}>"}
outputs:
  x: {"fn::join": [",", ["${next.stamp}", {"fn::things:greet": {greeting: a, name: b}}]]}
"""


def test_the_plugin_of_another_language_writes_the_project(tmp_path):
    ws = yard(tmp_path, program=ALL_OF_PCL)
    refused = convert(ws, "cobol", ok=False)
    assert "by the plugin pulumi-language-cobol, which is not on PATH" in refused.stderr
    with_cobol(ws)
    out = tmp_path / "new"
    made = convert(ws, "cobol", "--out", str(out), "--name", "garden", "--strict")
    assert "warning: mind the gap" in made.stderr
    project = json.loads((out / "Pulumi.yaml").read_text())
    assert project == {"name": "garden", "runtime": "cobol", "plugins": project["plugins"]}
    convert(ws, "pcl", "--out", str(tmp_path / "pcl"))
    code = (tmp_path / "pcl" / "main.pp").read_text()
    assert (out / "main.cob").read_text() == code + "* strict: True\n"
    assert code == """\
config size "int" {
    default = 3
}
config word "string" {
}

resource a_b "things:index:Thing" {
    __logicalName = "first one"
    value = { "some key" = "${size} $${x} %%{y}" }
    parts = [{ partName = "p" }]
    word = secret(word)
    options {
        protect = true
        ignoreChanges = [word, parts[0]]
    }
}

list = ["a", size, 2.5, true, null]

resource next "things:index:Thing" {
    value = element(list, 0)
    key = "<${a_b.parts[0].partName}>"
}

output "x" {
    value = join(",", [next.stamp, invoke("things:index:greet", { greeting = "a", name = "b" })])
}
"""


REFUSED = [
    ("resources: {a: {type: 'things:Thing', properties: '${m}'}}\nvariables: {m: {value: 1}}\n",
     "properties that an expression makes are not converted"),
    ("resources: {a: {type: 'things:Thing'}}\noutputs: {x: '${a}'}\n", "the whole resource 'a' as a value is not converted"),
    ("outputs: {x: {'${pulumi.stack}': 1}}\n", "a key that is computed is not converted"),
    ("outputs: {x: '${nothing}'}\n", 'resource, variable, or config value "nothing" not found'),
    ("outputs: {x: {'fn::things:none': {}}}\n", 'unable to find function "things:none"'),
    ("resources: {a: {type: 'things:None'}}\n", 'unable to find resource type "things:None"'),
    ("pulumi: {requiredVersion: '${pulumi.stack}'}\n", "a computed required version cannot be converted"),
    ("components: {A: {}}\n", "the component A is not converted"),
]


@pytest.mark.parametrize("program, message", REFUSED, ids=[m[:30] for _, m in REFUSED])
def test_an_expression_without_a_counterpart_is_refused_by_name(tmp_path, program, message):
    ws = yard(tmp_path, program=HEAD + program)
    run = convert(ws, "python", ok=False)
    assert message in run.stderr and "conversion failed" in run.stderr
    assert not (ws.project / "__main__.py").exists() and (ws.project / "Pulumi.yaml").read_text() == HEAD + program


def test_wrong_uses_are_told(tmp_path):
    ws = yard(tmp_path, program=HEAD + "outputs: {x: '${aws:region}'}\n")
    assert "converter plugins, such as one for 'terraform', are not run" in convert(
        ws, "python", "--from", "terraform", ok=False).stderr
    assert "is not a valid project name" in convert(ws, "python", "--name", "a b", ok=False).stderr
    strict = convert(ws, "python", "--strict", ok=False)
    assert "the setting 'aws:region' is taken to be a text" in strict.stderr
    convert(ws, "python")
    assert 'pulumi.Config("aws").require("region")' in (ws.project / "__main__.py").read_text()
    again = convert(ws, "python", ok=False)
    assert "is written in 'python', and --from yaml reads programs in YAML only" in again.stderr
