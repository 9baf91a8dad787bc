# SPDX-License-Identifier: Apache-2.0
"""Services, messages, fields and enums, each a line of text: those of proto/, and those of an SDK."""

from __future__ import annotations

import ast
import codecs
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from google.protobuf import descriptor_pb2

from .followed import REPOSITORY
from .rows import Row

PROTO_DIR = REPOSITORY / "proto"

# Files that only the conformance tests of language hosts use: no deployment ever speaks them.
UNUSED_PACKAGES = {"pulumirpc.testing"}

_RAW_DESCRIPTOR = re.compile(r'_rawDesc = "" \+\n((?:\t".*"(?: \+)?\n)+)')
_GO_LITERAL = re.compile(r'^\t"(.*)"(?: \+)?$', re.MULTILINE)

_FieldProto = descriptor_pb2.FieldDescriptorProto


def _spelled(enum, number) -> str:
    return enum.Name(number).split("_", 1)[1].lower()


def _json_name(field) -> str:
    """The JSON name; a descriptor leaves out the one that protoc would derive."""
    head, *rest = field.name.split("_")
    return field.json_name or head + "".join(word[:1].upper() + word[1:] for word in rest)


def _field_line(scope: str, message, field) -> str:
    words = [_spelled(_FieldProto.Label, field.label), _spelled(_FieldProto.Type, field.type), field.type_name]
    if field.proto3_optional:
        words.append("with presence")
    elif field.HasField("oneof_index"):
        words.append(f"in oneof {message.oneof_decl[field.oneof_index].name}")
    if field.options.HasField("packed"):
        words.append(f"packed={field.options.packed}")
    words.append(f"json={_json_name(field)}")
    return f"field {scope}.{field.name} = {field.number}: {' '.join(word for word in words if word)}"


def _enum_lines(scope: str, enum) -> Iterator[str]:
    name = f"{scope}.{enum.name}"
    yield f"enum {name}"
    for value in enum.value:
        yield f"enum value {name}.{value.name} = {value.number}"


def _message_lines(scope: str, message) -> Iterator[str]:
    name = f"{scope}.{message.name}"
    yield f"{'map entry' if message.options.map_entry else 'message'} {name}"
    for field in message.field:
        yield _field_line(name, message, field)
    for reserved in message.reserved_range:
        yield f"reserved {name} {reserved.start} to {reserved.end - 1}"
    for nested in message.nested_type:
        yield from _message_lines(name, nested)
    for enum in message.enum_type:
        yield from _enum_lines(name, enum)


def _service_lines(scope: str, service) -> Iterator[str]:
    name = f"{scope}.{service.name}"
    yield f"service {name}"
    for method in service.method:
        takes = ("stream " if method.client_streaming else "") + method.input_type
        gives = ("stream " if method.server_streaming else "") + method.output_type
        yield f"method {name}.{method.name}({takes}) returns ({gives})"


def describe(file: descriptor_pb2.FileDescriptorProto) -> list[str]:
    """All that matters on the wire and to a program's names, a line each."""
    assert file.syntax == "proto3", file.name
    lines: list[str] = []
    for service in file.service:
        lines += _service_lines(file.package, service)
    for message in file.message_type:
        lines += _message_lines(file.package, message)
    for enum in file.enum_type:
        lines += _enum_lines(file.package, enum)
    return lines


def our_files(folder: Path = PROTO_DIR) -> list[descriptor_pb2.FileDescriptorProto]:
    """The descriptors of proto/, by protoc."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.proto"))
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["protoc", f"-I{folder}", "--include_imports", f"--descriptor_set_out={out.name}", *names], check=True)
        return list(descriptor_pb2.FileDescriptorSet.FromString(Path(out.name).read_bytes()).file)


def sdk_files(sdk: Path) -> list[descriptor_pb2.FileDescriptorProto]:
    """The descriptors that the modules of an unpacked SDK hold, read from their text: nothing is imported."""
    files = []
    for path in sorted((sdk / "pulumi" / "runtime" / "proto").rglob("*_pb2.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "AddSerializedFile":
                files.append(descriptor_pb2.FileDescriptorProto.FromString(ast.literal_eval(node.args[0])))
    return [file for file in files if file.package not in UNUSED_PACKAGES]


def go_files(module: Path) -> list[descriptor_pb2.FileDescriptorProto]:
    """The descriptors that the Go SDK's generated files hold. It is released with the engine; the other SDKs follow."""
    files = []
    for path in sorted((module / "proto" / "go").rglob("*.pb.go")):
        found = _RAW_DESCRIPTOR.search(path.read_text())
        if found is None:
            continue  # of services alone
        literals = "".join(_GO_LITERAL.findall(found[1])).encode()
        files.append(descriptor_pb2.FileDescriptorProto.FromString(codecs.escape_decode(literals)[0]))
    return [file for file in files if file.package not in UNUSED_PACKAGES]


def lines_of(files: Iterable[descriptor_pb2.FileDescriptorProto], packages: set[str] | None = None) -> set[str]:
    return {line for file in files if packages is None or file.package in packages for line in describe(file)}


def rows(old: Iterable, new: Iterable, ours: Iterable) -> list[Row]:
    """The additions and removals of the newer SDK, and whether proto/ has them; last the names that proto/ lacks
    although the older one had them."""
    before, after = lines_of(old), lines_of(new)
    here = lines_of(ours)
    told = [Row("protocol", "new", line, "has" if line in here else "lacks") for line in sorted(after - before)]
    told += [Row("protocol", "gone", line) for line in sorted(before - after)]
    return told + [Row("protocol", "not new", line, "lacks") for line in sorted((after & before) - here)]
