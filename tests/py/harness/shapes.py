# SPDX-License-Identifier: Apache-2.0
"""Resources of every shape that a program may have to declare: what the package `shapes` says of them, and their inputs.

Each shape is a type of its own. `Shape.inputs` is what the provider reads; {"$secret": V} in it is a secret.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TEXT, INT, NUMBER, BOOL = ({"type": t} for t in ("string", "integer", "number", "boolean"))
ANY, ASSET, ARCHIVE = ({"$ref": f"pulumi.json#/{t}"} for t in ("Any", "Asset", "Archive"))
SIGNATURE = "4dabf18193072939515e22adb298388d"
ASSET_SIGNATURE = "c44067f5952c0a294b673a41bacd8c17"
ARCHIVE_SIGNATURE = "0def7320c3a5731c473e5ecbe6d01bc7"


def listed(item: dict) -> dict:
    return {"type": "array", "items": item}


def mapped(item: dict) -> dict:
    return {"type": "object", "additionalProperties": item}


def named(token: str) -> dict:
    return {"$ref": f"#/types/{token}"}


def secret(value) -> dict:
    return {"$secret": value}


def text_asset(text: str) -> dict:
    return {SIGNATURE: ASSET_SIGNATURE, "text": text}


def file_asset(path: str) -> dict:
    return {SIGNATURE: ASSET_SIGNATURE, "path": path}


def asset_archive(**assets: dict) -> dict:
    return {SIGNATURE: ARCHIVE_SIGNATURE, "assets": assets}


@dataclass
class Shape:
    type: str
    inputs: dict
    schema: dict  # of the inputs: name -> type
    name: str = ""
    outputs: dict = field(default_factory=dict)
    id: str = ""
    entry: dict = field(default_factory=dict)  # more of the import file

    def __post_init__(self):
        self.name = self.name or self.type.rsplit(":", 1)[1]
        self.id = self.id or f"{self.name}-id"


TYPES = {
    "shapes:index:Rule": {"type": "object", "required": ["fromPort"], "properties": {
        "fromPort": INT, "cidrBlocks": listed(TEXT), "publicIPs": listed(TEXT), "from": TEXT,
        "tagSet": mapped(TEXT), "inner": named("shapes:index:Inner")}},
    "shapes:index:Inner": {"type": "object", "properties": {
        "deepValue": NUMBER, "again": named("shapes:index:Inner"), "sealedKey": {"type": "string", "secret": True}}},
    "shapes:index:Cat": {"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "const": "cat"}, "lifeCount": INT}},
    "shapes:index:Dog": {"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "const": "dog"}, "barkVolume": INT}},
    "shapes:index:Size": {"type": "string", "enum": [{"value": "small"}, {"value": "large"}]},
}

AWKWARD = ["yes", "null", "~", "1.0", "-1", "1e3", "0x1F", "2020-01-01", "- a", "a: b", "a #c", "# c", " lead", "trail ",
           "", "{a}", "[b]", "@x", "%y", "*z", "&w", "!t", "|", ">", "'", "\"", "\\", "a\\n", "$", "$$", "${x}", "$${y}",
           "#{z}", "`tick`", "%{if}", "=", "<<", "true ", "=1", ".5", "key:", "a\tb", "Off", "NaN", ".inf"]
LINES = "first\n  second \"quoted\" and '''more'''\n\n\tfourth \\ with ${interpolation} and `ticks`\n"
UNICODE = "größe 東京 🚀 עברית e\u0301 a\u2028b\u2029c \ufeff \u0085 \x01\x1b[0m\x7f \r\n end\U0001f469\u200d\U0001f4bb"

SHAPES = [
    Shape("shapes:index:Text", {"text": "plain"}, {"text": TEXT}),
    Shape("shapes:index:Empty", {}, {"text": TEXT}),
    Shape("shapes:index:Numbers",
          {"whole": 3, "part": 2.5, "below": -7, "none": 0, "most": 9007199254740991, "large": 1e21, "small": 1e-7},
          {"whole": INT, "part": NUMBER, "below": INT, "none": INT, "most": INT, "large": NUMBER, "small": NUMBER}),
    Shape("shapes:index:Bools", {"good": True, "bad": False}, {"good": BOOL, "bad": BOOL}),
    Shape("shapes:index:Texts", {"items": ["a", "b", "a"]}, {"items": listed(TEXT)}),
    Shape("shapes:index:Nothing", {"items": [], "tags": {}}, {"items": listed(TEXT), "tags": mapped(TEXT)}),
    Shape("shapes:index:Keys", {"tags": {"a.b": "1", "with space": "2", "größe": "3", "${x}": "4", "class": "5", "1st": "6",
                                         "fooBar": "7", "foo_bar": "8", "yes": "9", "a:b": "10", "": "11"}},
          {"tags": mapped(TEXT)}),
    Shape("shapes:index:Nested",
          {"rule": {"fromPort": 80, "cidrBlocks": ["10.0.0.0/8"], "publicIPs": ["1.2.3.4"], "from": "here",
                    "tagSet": {"keepThis": "asIs"}, "inner": {"deepValue": 1.5, "again": {"deepValue": 2}}}},
          {"rule": named("shapes:index:Rule")}),
    Shape("shapes:index:Objects", {"rules": [{"fromPort": 1}, {"fromPort": 2, "cidrBlocks": []}, {"fromPort": 3}]},
          {"rules": listed(named("shapes:index:Rule"))}),
    Shape("shapes:index:ObjectMap", {"rules": {"webServer": {"fromPort": 80}, "db-server": {"fromPort": 5432}}},
          {"rules": mapped(named("shapes:index:Rule"))}),
    Shape("shapes:index:Lists", {"rows": [[1, 2], [], [3]]}, {"rows": listed(listed(INT))}),
    Shape("shapes:index:Anything", {"document": {"Version": "2012", "Statement": [{"notAction": ["*"], "n": 1.5}], "on": True}},
          {"document": ANY}),
    Shape("shapes:index:Secret", {"password": secret("hidden word")}, {"password": TEXT}),
    Shape("shapes:index:DeclaredSecret", {"apiToken": "hidden token"}, {"apiToken": {"type": "string", "secret": True}}),
    Shape("shapes:index:NestedSecret", {"rule": {"fromPort": 1, "inner": {"sealedKey": "hidden key"}},
                                        "list": ["open", secret("hidden item")], "tags": {"a": secret("hidden tag")}},
          {"rule": named("shapes:index:Rule"), "list": listed(TEXT), "tags": mapped(TEXT)}),
    Shape("shapes:index:SecretKinds", {"count": secret(42), "ratio": secret(0.25), "really": secret(True),
                                       "rule": secret({"fromPort": 7}), "items": secret(["hidden one", "hidden two"]),
                                       "lines": secret("hidden\nlines \"and\" ${more}\n")},
          {"count": INT, "ratio": NUMBER, "really": BOOL, "rule": named("shapes:index:Rule"), "items": listed(TEXT),
           "lines": TEXT}),
    Shape("shapes:index:Keywords", {"from": "1", "import": "2", "class": "3", "lambda": "4", "opts": "5", "resourceName": "6",
                                    "default": "7", "function": "8", "delete": "9", "None": "10", "print": "11",
                                    "let": "12", "name": "13", "type": "14", "args": "15"},
          dict.fromkeys(("from", "import", "class", "lambda", "opts", "resourceName", "default", "function", "delete", "None", "print", "let", "name", "type", "args"), TEXT)),
    Shape("shapes:index:Lines", {"script": LINES, "tail": "no\nend", "quote": 'a\n"""', "lead": "\n x\n", "many": "a\nb\n\n"},
          dict.fromkeys(("script", "tail", "quote", "lead", "many"), TEXT)),
    Shape("shapes:index:Unicode", {"text": UNICODE, "lines": UNICODE + "\n" + UNICODE}, {"text": TEXT, "lines": TEXT}),
    Shape("shapes:index:Awkward", {"items": AWKWARD}, {"items": listed(TEXT)}),
    Shape("shapes:index:Assets", {"text": text_asset("line\n\"two\""), "file": file_asset("./file.txt"),
                                  "bundle": asset_archive(a=text_asset("inside"), b=file_asset("./file.txt"))},
          {"text": ASSET, "file": ASSET, "bundle": ARCHIVE}),
    Shape("shapes:index:Unions", {"port": 80, "name": "http", "pet": {"kind": "dog", "barkVolume": 3},
                                  "pets": [{"kind": "cat", "lifeCount": 9}, {"kind": "dog"}]},
          {"port": {"oneOf": [TEXT, INT]}, "name": {"oneOf": [INT, TEXT]},
           "pet": {"oneOf": [named("shapes:index:Cat"), named("shapes:index:Dog")]},
           "pets": listed({"oneOf": [named("shapes:index:Cat"), named("shapes:index:Dog")]})}),
    Shape("shapes:index:Enum", {"size": "large"}, {"size": named("shapes:index:Size")}),
    Shape("shapes:index:Bridged", {"text": "x", "__defaults": ["size"], "rule": {"fromPort": 1, "__defaults": []}},
          {"text": TEXT, "rule": named("shapes:index:Rule")}),
    Shape("shapes:net/vpc:Vpc", {"cidrBlock": "10.0.0.0/16"}, {"cidrBlock": TEXT}, name="main", id="vpc-1",
          outputs={"arn": "arn:vpc-1", "name": "main"}),
    Shape("shapes:net/subnet:Subnet", {"vpcId": "vpc-1", "vpcArns": ["arn:vpc-1"], "tags": {"vpc": "vpc-1"}},
          {"vpcId": TEXT, "vpcArns": listed(TEXT), "tags": mapped(TEXT)}, name="subnet"),
    Shape("shapes:s3/bucket:Bucket", {"bucket": "logs", "acl": "private"}, {"bucket": TEXT, "acl": TEXT}, name="logs", id="logs"),
    Shape("shapes:s3/bucketPolicy:BucketPolicy", {"bucket": "logs", "policy": "{\"Statement\":[]}"},
          {"bucket": TEXT, "policy": TEXT}, name="logs", id="logs", entry={"name": "logsPolicy", "logicalName": "logs"}),
    Shape("shapes:index:Function", {"module": "x"}, {"module": TEXT}, name="class"),
    Shape("shapes:index:Text", {"text": "dashes"}, {"text": TEXT}, name="a-b"),
    Shape("shapes:index:Text", {"text": "underscores"}, {"text": TEXT}, name="a_b"),
    Shape("shapes:index:Text", {"text": "1"}, {"text": TEXT}, name="1st www.example.com/größe \"x\""),
    Shape("shapes:index:Text", {"text": "日"}, {"text": TEXT}, name="日本"),
    Shape("shapes:index:Text", {"text": "child"}, {"text": TEXT}, name="child", entry={"parent": "main"}),
    Shape("shapes:index:Text", {"text": "far"}, {"text": TEXT}, name="far", entry={"provider": "elsewhere"}),
]

PROVIDER = {"region": TEXT, "retries": INT, "verbose": BOOL, "zones": listed(TEXT), "token": {"type": "string", "secret": True}}
PROVIDER_INPUTS = {"region": "north", "retries": "3", "verbose": "true", "zones": "[\"a\",\"b\"]", "token": "hidden provider"}


def schema() -> dict:
    resources: dict[str, dict] = {}
    for shape in SHAPES:
        outputs = shape.schema | dict.fromkeys(shape.outputs, TEXT)
        known = resources.setdefault(shape.type, {"inputProperties": {}, "properties": {}})
        known["inputProperties"] |= shape.schema
        known["properties"] |= outputs
    return {"name": "shapes", "version": "1.0.0", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}, "types": TYPES,
            "resources": resources, "provider": {"inputProperties": PROVIDER}}


def world() -> dict:
    """The record of the provider: shapes.json."""
    things: dict[str, dict] = {}
    for shape in SHAPES:
        things.setdefault(shape.type, {})[shape.id] = {"inputs": shape.inputs, "outputs": shape.outputs}
    return {"schema": schema(), "things": things}


def import_file(shapes: list[Shape] = SHAPES) -> dict:
    entries: list[dict] = [{"type": "pulumi:providers:shapes", "name": "elsewhere", "inputs": PROVIDER_INPUTS}]
    entries += [{"type": s.type, "name": s.name, "id": s.id} | s.entry for s in shapes]
    return {"resources": entries}
