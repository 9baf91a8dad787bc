// SPDX-License-Identifier: Apache-2.0
// Uses all that the SDK of the package `shapes` has, and checks what it reads back.
import * as pulumi from "@pulumi/pulumi";
import * as shapes from "@pulumi/shapes";
import { isDeepStrictEqual } from "node:util";

const checks: Record<string, pulumi.Output<boolean>> = {};

function check(name: string, output: pulumi.Input<any>, expected: any): void {
    checks[name] = pulumi.output(output).apply((value) => {
        if (!isDeepStrictEqual(value, expected)) {
            throw new Error(`${name}: ${JSON.stringify(value)} is not ${JSON.stringify(expected)}`);
        }
        return true;
    });
}

const provider = new shapes.Provider("own", { region: "north", token: "hidden word", retries: 3, endpoint: { host: "h" } });
const empty = new shapes.Empty("empty", {}, { provider });
check("there", shapes.Empty.exists(empty.id, { provider }), true);
check("notThere", shapes.Empty.exists("nobody", { provider }), false);
const scalars = new shapes.Scalars("scalars", { text: "t", flag: true, count: 2, ratio: 0.5, anything: { a: [1] } });
check("arn", scalars.arn, "made up");
check("flag", scalars.flag, true);
const lists = new shapes.Lists("lists", { texts: ["a"], matrix: [[1, 2], [3]], byName: { camelCase: "x" } });
check("byName", lists.byName, { camelCase: "x" });
const rule: shapes.types.input.nested.RuleArgs = { name: "r", ports: [1], endpoints: [{ host: "e" }] };
const nested = new shapes.Nested("nested", { rule, rules: [rule], byZone: { zone: rule }, rootThing: { value: "v" } });
check("port", nested.rule.apply((r) => r.ports), [1]);
const tree = new shapes.Recursive("recursive", { tree: { label: "a", left: { label: "b" }, children: [{ label: "c" }] } });
check("tree", tree.tree.apply((t) => t?.left?.label), "b");
const secrets = new shapes.Secrets("secrets", { password: "hidden word", keys: { k: "hidden too" } });
const picked = new shapes.Enums("enums", {
    kind: shapes.enums.Kind.VeryFancy,
    level: shapes.enums.Level.High,
    ratio: shapes.enums.Ratio.Half,
    color: shapes.Color.DarkBlue,
    kinds: [shapes.enums.Kind.Asterisk, "plain"],
    open: "other",
});
check("kind", picked.kind, "very-fancy");
check("level", picked.level, 10);
const unions = new shapes.Unions("unions", { textOrNumber: 3, pet: { petType: "cat", lives: 9 }, pets: [{ petType: "dog" }] });
check("pet", unions.pet.apply((pet) => pet?.petType), "cat");
const words = new shapes.Keywords("keywords", { from: "a", class: "b", import: true, default: 1, new: "f", publicIPs: ["1"] });
check("from", words.from, "a");
check("size", new shapes.Defaults("defaults", { nested: {} }).size, 4);
check("nestedSize", new shapes.Defaults("more-defaults", { nested: {} }).nested.apply((n) => n?.size), 7);
check("version", new shapes.Constants("constants", { apiVersion: "v1" }).apiVersion, "v1");
new shapes.Assets("assets", {
    source: new pulumi.asset.StringAsset("s"),
    archive: new pulumi.asset.AssetArchive({ a: new pulumi.asset.StringAsset("b") }),
});
const inner = new shapes.deep.er.Inner("inner", { thing: { value: "x" }, color: shapes.Color.Red, kind: "plain", peer: scalars });
const refs = new shapes.Refs("refs", { scalars, others: [scalars], deep: inner });
check("ref", refs.scalars.apply((s) => s!.arn), "made up");
new shapes.Plain("plain", { text: "p", texts: ["q"], rule: { name: "r" } });
new shapes.Deprecated("deprecated", { old: "o", fresh: "f" });
new shapes.Renamed("renamed", { name: "n" });
new shapes.Replacing("replacing", { zone: "z", nested: { hidden: "seen" } });
check("found", shapes.LookedUp.get("looked-up", "an-id", { name: "n" }).size, 3);
const methods = new shapes.Methods("methods", { prefix: "p" });
check("described", methods.describe({ style: "ink" }).text, "in ink");
check("counted", methods.countAll({ filter: { name: "n", values: ["a", "b"] } }).total, 2);
methods.reset();
check("child", new shapes.Component("component", { title: "T", rule: { name: "r" } }).child.apply((c) => c!.text), "T");
new shapes.deep.er.HTTPServer("server", { tlsConfig: { host: "h" }, maxIOPS: 3 });
new shapes.my_mod.Dashed("dashed", { value: "d" });
check("address", new shapes.OutputsOnly("outputs-only").address, "made up");
new shapes.InputsOnly("inputs-only", { seed: "s" });
new shapes.RequiredAll("required", { name: "n", rule: { name: "r" }, texts: [] });
new shapes.Urgent("urgent", { type: "t", parent: "p", name: "n" });
check("total", new shapes.Numbers("numbers", { ints: [1], floats: { f: 0.5 } }).total, 1.5);
new shapes.Docs("docs", { text: "d" });

const shape = shapes.functions.getShape({ name: "s", filters: [{ name: "f", values: ["v"] }] });
check("shape", shape.then((answer) => [answer.sizeInBytes, answer.found![0].sizeInBytes]), [2.5, 1]);
const later = shapes.functions.getShapeOutput({ name: scalars.arn, filters: [{ name: "f", values: [] }] });
check("later", later.apply((answer) => [answer.name, answer.found![0].name]), ["made up", "f"]);
check("all", shapes.functions.getAll().then((answer) => answer.names), ["a", "b"]);
check("text", shapes.functions.getText({ name: "x" }), "text of x");
check("ordered", shapes.functions.getOrderedOutput("b", 1).result, "b 1");
check("nothing", shapes.functions.getNothing({ note: "n" }).then(() => 1), 1);
check("region", shapes.config.region, "south");
check("retries", shapes.config.retries, 3);

export = { ...checks, password: secrets.password, answered: later.password };
