# SPDX-License-Identifier: Apache-2.0
"""./dev reference sees what has changed, and nothing else. No registry is asked here."""

import stat
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

sys.path.insert(0, str(Path(__file__).parents[1]))
from reference import __main__ as program
from reference import accelerated_functions, commands, followed, lifecycle_tests, protocols, registries, schema_members
from reference.rows import Row, changes, table

HELP = """usage: pulumi [command]

Available Commands:
  up          Deploys
  logs        Manages logs

Flags:
      --version   the version

Global Flags:
      --color string   colours
"""
HELP_OF_UP = "Deploys\n\nFlags:\n  -y, --yes      without questions\n      --{more}   more\n  -h, --help   help\n"


def sdk(folder: Path, *messages: str, field: str = "id", number: int = 1, package: str = "pulumirpc") -> Path:
    """A package with one module of descriptors, as protoc writes it."""
    file = descriptor_pb2.FileDescriptorProto(name="pulumi/resource.proto", package=package, syntax="proto3")
    for message in messages:
        made = file.message_type.add(name=message)
        made.field.add(name=field, number=number, type=descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
                       label=descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL)
    target = folder / "pulumi" / "runtime" / "proto"
    target.mkdir(parents=True)
    (target / "resource_pb2.py").write_text(
        "raise SystemExit('nothing of it is run')\n"
        f"DESCRIPTOR = _descriptor_pool.Default().AddSerializedFile({file.SerializeToString()!r})\n")
    return folder


@pytest.fixture
def two(tmp_path):
    """The descriptors of an older and a newer SDK."""
    return (protocols.sdk_files(sdk(tmp_path / "old", "Read")),
            protocols.sdk_files(sdk(tmp_path / "new", "Read", "ExistsRequest")))


def test_a_message_that_proto_lacks_is_told(two):
    old, new = two
    found = protocols.rows(old, new, old)
    assert [(row.change, row.here) for row in found] == [("new", "lacks")] * 2
    assert "message pulumirpc.ExistsRequest" in {row.what for row in found}
    assert {row.here for row in protocols.rows(old, new, new)} == {"has"}


def test_old_messages_that_proto_lacks_are_reported(two):
    old, new = two
    assert {row.change for row in protocols.rows(new, new, old)} == {"not new"}
    assert protocols.rows(new, new, new) == []


def test_removed_and_renumbered_fields_are_reported(tmp_path, two):
    old, new = two
    assert {row.change for row in protocols.rows(new, old, new)} == {"gone"}
    other = protocols.sdk_files(sdk(tmp_path / "other", "Read", number=7))
    assert [(row.change, row.here) for row in protocols.rows(old, other, old)] == [("new", "lacks"), ("gone", "")]


def test_descriptors_of_go_are_those_of_python(tmp_path, two):
    _, new = two
    for number, file in enumerate(new):
        lines = [file.SerializeToString()[begin:begin + 7] for begin in range(0, file.ByteSize(), 7)]
        text = " +\n".join('\t"' + "".join(f"\\x{byte:02x}" if byte < 97 else chr(byte) for byte in line) + '"' for line in lines)
        generated = tmp_path / "proto" / "go" / f"{number}.pb.go"
        generated.parent.mkdir(parents=True, exist_ok=True)
        generated.write_text(f'package x\n\nconst file_x_rawDesc = "" +\n{text}\n\nvar (\n\tx = "y"\n)\n')
        generated.with_name("x_grpc.pb.go").write_text("package x\n")
    assert protocols.go_files(tmp_path) == new


def test_messages_of_conformance_tests_alone_do_not_count(tmp_path):
    assert protocols.sdk_files(sdk(tmp_path, "Read", package="pulumirpc.testing")) == []


@pytest.mark.parametrize("lacks, code", [(True, 1), (False, 0)])
def test_the_verb_fails_where_proto_lacks_something(tmp_path, monkeypatch, capsys, lacks, code):
    folders = {"1.0.0": sdk(tmp_path / "old", "Read"), "1.1.0": sdk(tmp_path / "new", "Read", "Exists")}
    for version, folder in folders.items():
        (folder / f"pulumi-{version}.dist-info").mkdir()

    def missing(*_):
        raise registries.NotAtHand("no such thing here")
    monkeypatch.setattr(registries, "python_sdk", lambda version, _: folders[version])
    monkeypatch.setattr(registries, "go_sdk", missing)
    monkeypatch.setattr(registries, "engine_source", missing)
    monkeypatch.setattr(registries, "node_sdk", missing)
    monkeypatch.setattr(protocols, "our_files", lambda: protocols.sdk_files(folders["1.0.0" if lacks else "1.1.0"]))
    monkeypatch.setattr(accelerated_functions, "python_rows", lambda *_: [])
    monkeypatch.delenv("KINGPOST_PEER", raising=False)
    monkeypatch.setattr(sys, "argv", ["reference", "1.1.0", "--since", "1.0.0"])
    assert program.main() == code
    said = capsys.readouterr().out
    assert f"| protocol | new | message pulumirpc.Exists | {'lacks' if lacks else 'has'} |" in said
    assert ("proto/ lacks 2 of the lines above" in said) == lacks
    assert "| accelerators | not looked at | no such thing here |" in said


def test_without_a_registry_there_is_nothing_to_do(monkeypatch, capsys):
    def missing(*_):
        raise registries.NotAtHand("`pip download` ended with 1: no network")
    monkeypatch.setattr(registries, "python_sdk", missing)
    monkeypatch.setattr(sys, "argv", ["reference", "1.1.0"])
    assert program.main() == 77
    assert "no network" in capsys.readouterr().out


def fake_command(path: Path, more: str) -> str:
    """A command that has `up` with a flag of that name, and `logs`."""
    helps = {"": HELP, "up": HELP_OF_UP.format(more=more), "logs": "Manages logs\n"}
    path.write_text(f"#!{sys.executable}\nimport sys\nprint({helps!r}.get(' '.join(sys.argv[1:-1]), ''), end='')\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_new_flags_and_other_texts_of_commands_are_told(tmp_path):
    old = commands.commands_of(fake_command(tmp_path / "old", "targets"))
    assert old.keys() == {"", "up", "logs"} and old["up"][0] == {"yes", "targets"} and old[""][0] == {"version"}
    assert commands.recorded(commands.written("1", old)) == old
    new = commands.commands_of(fake_command(tmp_path / "new", "aims"))
    ours = fake_command(tmp_path / "ours", "aims")
    assert commands.rows(old, new, ours) == [Row("flags", "new", "`up --aims`", "has"), Row("flags", "gone", "`up --targets`")]
    assert commands.rows(old, old, ours) == []
    other = old | {"logs": (set(), "another hash")}
    assert commands.rows(old, other, ours) == [Row("commands", "other help", "`logs`")]
    added = old | {"logs share": (set(), "a hash")}
    assert commands.rows(old, added, ours) == [Row("commands", "new", "`logs share`", "lacks")]


def test_the_record_is_of_the_version_that_is_followed():
    text = commands.RECORD.read_text()
    assert text.startswith(f"# Commands of the reference v{followed.engine_version()}:")
    assert "stack export" in commands.recorded(text)


def test_tests_that_are_new_and_those_that_are_others_are_told(tmp_path):
    def source(name: str, text: str) -> Path:
        folder = tmp_path / name / "engine" / "lifecycletest"
        folder.mkdir(parents=True)
        (folder / "alias_test.go").write_text("package lifecycletest\n\n" + text)
        return tmp_path / name
    kept, changed = "func TestKept(t *testing.T) {\n\tx()\n}\n", "func TestChanged(t *testing.T) {\n\tx(1)\n}\n"
    old = source("old", kept + "\n" + changed)
    new = source("new", changed.replace("1", "2") + "\n" + kept + "\nfunc TestNew(t *testing.T) {\n}\n")
    assert [(row.change, row.what) for row in lifecycle_tests.rows(old, new)] == [
        ("new", "alias_test.go TestNew"), ("changed", "alias_test.go TestChanged")]


def test_members_of_schemas_are_found_at_every_depth(tmp_path):
    def source(name: str, members: str) -> Path:
        folder = tmp_path / name / "codegen" / "schema"
        folder.mkdir(parents=True)
        (folder / "pulumi.json").write_text(
            '{"properties": {"meta": {"type": "object", "properties": {%s}}}, '
            '"$defs": {"resourceSpec": {"allOf": [{"properties": {"isComponent": {"type": "boolean"}}}]}}}' % members)
        return tmp_path / name
    old, new = source("old", '"format": {"type": "string"}'), source("new", '"format": {"type": "number"}, "pack": {}')
    assert set(schema_members.members(old)) == {"package.meta", "package.meta.format", "resourceSpec.isComponent"}
    assert [(row.change, row.what) for row in schema_members.rows(old, new)] == [
        ("new", "package.meta.pack"), ("changed", "package.meta.format")]


def test_functions_that_the_accelerators_do_not_know_are_told(tmp_path):
    installed = Path(sys.modules["google.protobuf"].__file__).parents[2]
    assert accelerated_functions.python_rows(installed, "installed") == []
    (tmp_path / "pulumi").mkdir()
    (tmp_path / "pulumi" / "__init__.py").write_text("")
    found = accelerated_functions.python_rows(tmp_path, "9.9.9")
    assert found and {row.here for row in found} == {"off"} and "Python 9.9.9" in found[0].what


def test_versions_are_compared_as_numbers():
    assert followed.parsed("v3.274.1") > followed.parsed("3.260.0") > followed.parsed("3.99.9-alpha.1")


def test_a_table_tells_each_row_and_keeps_its_columns():
    assert table([Row("protocol", "new", "a | b", "has")]).splitlines()[2] == "| protocol | new | a \\| b | has |"
    assert changes("x", {"a": "1", "b": "1"}, {"b": "2", "c": "1"}, {"c"}) == [
        Row("x", "new", "c", "has"), Row("x", "gone", "a"), Row("x", "changed", "b")]
