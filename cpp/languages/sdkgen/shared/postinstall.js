// SPDX-License-Identifier: Apache-2.0
// Compiles a local SDK where it is installed. The types of other packages in the project may need another compiler than
// ours. The SDK's own one comes first: bun has the programs of packages behind all else on PATH.

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const description = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const types = Object.keys({ ...description.dependencies, ...description.devDependencies })
    .filter((name) => name.startsWith("@types/"))
    .map((name) => name.slice("@types/".length));

function compiler() {
    try {
        return [process.execPath, require.resolve("typescript/bin/tsc")];
    } catch {
        return ["tsc"];
    }
}

try {
    const [program, ...flags] = compiler();
    if (types.length > 0) {
        flags.push("--types", types.join(","));
    }
    execFileSync(program, flags, { cwd: root, shell: program === "tsc" && process.platform === "win32" });
} catch (error) {
    console.error("Failed to run 'tsc'", `${error.stdout ?? ""}${error.stderr ?? error}`);
    process.exit(1);
}
fs.copyFileSync(path.join(root, "package.json"), path.join(root, "bin", "package.json"));
