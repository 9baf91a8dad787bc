#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The public names and signatures of a generated SDK, one a line, so that two generators can be compared.

usage: sdk_signatures.py python FOLDER
       sdk_signatures.py typescript FOLDER    of declarations: what `tsc --declaration` made of the SDK

Python is read, not imported; comments, docstrings and bodies do not count. Types are spelled in one way: nothing is
optional twice.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

IGNORED = {"_utilities.py", "setup.py"}
IGNORED_DECLARATIONS = {"utilities.d.ts"}


def annotation(node: ast.expr | None) -> str:
    if node is None:
        return ""
    text = ast.unparse(node)
    while "Optional[Optional[" in text:
        text = re.sub(r"Optional\[Optional\[(.*)\]\]", r"Optional[\1]", text, count=1)
    return text


def decorators(node: ast.FunctionDef | ast.ClassDef) -> str:
    return " ".join("@" + ast.unparse(one) for one in node.decorator_list)


def parameters(function: ast.FunctionDef) -> str:
    arguments = function.args
    defaults: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    texts = []
    for argument, default in zip(arguments.args, defaults, strict=True):
        texts.append(f"{argument.arg}: {annotation(argument.annotation)}" + (f" = {ast.unparse(default)}" if default else ""))
    if arguments.vararg:
        texts.append("*" + arguments.vararg.arg)
    elif arguments.kwonlyargs:
        texts.append("*")
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        texts.append(f"{argument.arg}: {annotation(argument.annotation)}" + (f" = {ast.unparse(value)}" if value else ""))
    if arguments.kwarg:
        texts.append("**" + arguments.kwarg.arg)
    return ", ".join(texts)


def of_function(function: ast.FunctionDef) -> str:
    return f"{decorators(function)} def {function.name}({parameters(function)}) -> {annotation(function.returns)}".strip()


def of_class(node: ast.ClassDef, prefix: str) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"{prefix}: {decorators(node)} class {node.name}({bases})"
    inside = f"{prefix}: {node.name}"
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            if "__key_warning" not in member.name:
                yield f"{inside}: {of_function(member)}"
        elif isinstance(member, ast.ClassDef):
            yield from of_class(member, inside)
        elif isinstance(member, ast.AnnAssign):
            yield f"{inside}: {ast.unparse(member.target)}: {annotation(member.annotation)}"
        elif isinstance(member, ast.Assign):
            yield f"{inside}: {ast.unparse(member)}"


def of_python(folder: Path) -> Iterator[str]:
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        if path.name in IGNORED:
            continue
        name = path.relative_to(folder).as_posix()
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield from of_class(node, name)
            elif isinstance(node, ast.FunctionDef):
                yield f"{name}: {of_function(node)}"
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                for entry in ast.literal_eval(node.value):
                    yield f"{name}: exports {entry}"
            elif isinstance(node, ast.AnnAssign):
                yield f"{name}: {ast.unparse(node.target)}: {annotation(node.annotation)}"
            elif isinstance(node, ast.ImportFrom) and path.name == "__init__.py" and node.names[0].name == "*":
                yield f"{name}: exports all of {'.' * node.level}{node.module or ''}"


def of_typescript(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.d.ts")):
        name = path.relative_to(folder).as_posix()
        if name in IGNORED_DECLARATIONS or "node_modules" in name:
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        text = re.sub(r"^\s*//.*$", "", text, flags=re.M)
        where: list[str] = []
        for line in (one.strip() for one in text.splitlines()):
            if not line:
                continue
            if line.startswith("}"):
                if where:
                    where.pop()
                continue
            yield f"{name}: {' '.join(where)} {line}".replace("  ", " ")
            if line.endswith("{"):
                where.append(re.sub(r"^(export|declare|public|default|\s)+|\{$", "", line).split(" extends")[0].strip())


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in ("python", "typescript"):
        sys.exit(__doc__)
    folder = Path(sys.argv[2])
    lines = of_python(folder) if sys.argv[1] == "python" else of_typescript(folder)
    for line in sorted(set(lines)):
        print(line)


if __name__ == "__main__":
    main()
