// SPDX-License-Identifier: Apache-2.0
// A program of the Automation API for Node.js: the life of a stack, and what it saw of it as JSON on standard output.
// The provider `things` is in the process of the test that runs this.
"use strict";

const pulumi = require("@pulumi/pulumi");
const auto = require("@pulumi/pulumi/automation");

class Thing extends pulumi.CustomResource {
    constructor(name, value = "plain") {
        super("things:index:Thing", name, { value, stamp: undefined });
    }
}

const seen = {};
const urn = (name) => `urn:pulumi:dev::site::things:index:Thing::${name}`;

// The name of the class of the error that `call` ends with.
async function failure(call) {
    try {
        await call();
        return "none";
    } catch (error) {
        return error.name;
    }
}

async function program() {
    const config = new pulumi.Config();
    new Thing("first", config.get("value"));
    new Thing("second");
    return { value: config.get("value"), hidden: pulumi.secret("s3cr3t") };
}

async function stacks(where) {
    const { LocalWorkspace } = auto;
    const dev = { stackName: "dev", projectName: "site", program };
    seen.absent = await failure(() => LocalWorkspace.selectStack(dev, where));
    const stack = await LocalWorkspace.createStack(dev, where);
    seen.twice = await failure(() => LocalWorkspace.createStack(dev, where));
    await LocalWorkspace.createOrSelectStack(dev, where);
    seen.version = stack.workspace.pulumiVersion;
    seen.me = await stack.workspace.whoAmI();
    seen.organization = await stack.orgGetDefault().catch((error) => error.name);
    seen.listed = (await stack.workspace.listStacks({ all: true })).map((s) => [s.name, s.current]);
    seen.selected = (await stack.workspace.stack()).name;
    seen.plugins = await stack.workspace.listPlugins();
    await stack.workspace.install({ noPlugins: true, noDependencies: true, reinstall: true, useLanguageVersionTools: true });
    seen.environments = await failure(() => stack.listEnvironments());
    return stack;
}

async function configuration(stack) {
    await stack.setConfig("value", { value: "-one" });
    await stack.setConfig("deep.list[0]", { value: "s3cr3t", secret: true }, true);
    await stack.setAllConfig({ a: { value: "1" }, "other:b": { value: "zwei=2", secret: true } });
    await stack.setAllConfigJson(JSON.stringify({ "site:c": { value: "3", secret: false } }));
    seen.config = await stack.getAllConfig();
    seen.one = await stack.getConfig("deep.list[0]", true);
    await stack.removeConfig("a");
    await stack.removeAllConfig(["other:b", "c"]);
    seen.left = Object.keys(await stack.getAllConfig());
    await stack.setTag("owner", "me");
    seen.tags = [await stack.getTag("owner"), await stack.listTags()];
    await stack.removeTag("owner");
}

async function operations(stack, folder) {
    const events = [];
    const onEvent = (event) => events.push(event);
    let shown = "";
    const onOutput = (text) => (shown += text);
    const begun = () =>
        events.splice(0).flatMap((e) => (e.resourcePreEvent ? [e.resourcePreEvent.metadata] : []))
            .filter((m) => !["same", "refresh"].includes(m.op) && m.type === "things:index:Thing")
            .map((m) => `${m.op} ${m.urn.split("::").pop()}`).sort();

    const listing = `${folder}/import.json`;
    seen.preview = (await stack.preview({ message: "look", onEvent, plan: `${folder}/plan`, importFile: listing, diff: true,
                                          userAgent: "tests" })).changeSummary;
    seen.importable = JSON.parse(require("fs").readFileSync(listing)).resources.map((r) => r.name);
    seen.previewed = begun();
    const up = await stack.up({
        message: "begin", onEvent, onOutput, parallel: 2, color: "never", userAgent: "tests", plan: `${folder}/plan`,
        logFlow: true, logVerbosity: 1, logToStdErr: true, debug: true, suppressProgress: true, showSecrets: true });
    seen.up = { steps: begun(), outputs: up.outputs, shown: up.stdout.includes("Updating (dev)") && shown.trim() === up.stdout.trim(),
                summary: [up.summary.kind, up.summary.result, up.summary.message, up.summary.resourceChanges,
                          up.summary.environment["exec.kind"], up.summary.endTime instanceof Date] };
    await stack.setConfig("value", { value: "two" });
    await stack.up({ target: [urn("second")], onEvent, continueOnError: true });
    seen.targeted = begun();
    await stack.up({ exclude: [urn("second")], replace: [urn("first")], onEvent });
    seen.replaced = begun();
    seen.unchanged = (await stack.up({ expectNoChanges: true, refresh: true })).summary.result;
    await stack.refreshConfig();
    seen.refreshed = (await stack.refresh({ onEvent, runProgram: true, clearPendingCreates: true })).summary.result;
    seen.refreshPreview = (await stack.previewRefresh({ target: [urn("first")] })).changeSummary;

    const state = await stack.exportStack();
    await stack.importStack(state);
    seen.rows = state.deployment.resources.length;
    const imported = await stack.import({ generateCode: false, protect: false, resources: [
        { type: "things:index:Thing", name: "found", id: "found-1" }] });
    seen.imported = imported.summary.kind;
    seen.failing = await failure(() => stack.up({ program: async () => { throw new pulumi.RunError("no"); } }));

    let tell, goOn;
    const begin = new Promise((done) => (tell = done));
    const held = new Promise((done) => (goOn = done));
    const locked = stack.up({ program: () => { tell(); return held; } }).catch((error) => error.name);
    await begin;
    seen.concurrent = await failure(() => stack.refresh());
    goOn();
    seen.waited = typeof (await locked) === "object";

    events.splice(0);
    seen.destroyPreview = (await stack.previewDestroy({ onEvent })).changeSummary;
    seen.history = (await stack.history(2, 1)).length;
    await stack.rename({ stackName: "renamed" });
    await stack.destroy({ onEvent, excludeProtected: true, refresh: true, continueOnError: true, remove: true });
    seen.left_over = (await stack.workspace.listStacks()).length;
}

async function main() {
    const folder = process.argv[2];
    const stack = await stacks({ workDir: `${folder}/project` });
    await configuration(stack);
    await operations(stack, folder);
    process.stdout.write(JSON.stringify(seen) + "\n");
}

main().catch((error) => {
    process.stderr.write(`${JSON.stringify(seen)}\n${error.stack}\n`);
    process.exit(1);
});
