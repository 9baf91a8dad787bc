// SPDX-License-Identifier: Apache-2.0
// The program of tests/programs/migrations, as far as it goes without being killed.
const pulumi = require("@pulumi/pulumi");

const version = Number(process.env.VERSION);

class Thing extends pulumi.CustomResource {
  constructor(name, inputs, opts) {
    super("things:index:Thing", name, {stamp: undefined, ...inputs}, opts);
  }
}

function rename({oldState}) {
  const successors = {};
  for (const state of oldState) {
    if (!state.urn.endsWith("::old")) continue;
    const urn = state.urn;
    state.urn = successors[urn] = urn.replace(/old$/, "new");
  }
  return Object.keys(successors).length ? {newState: oldState, successors} : undefined;
}

class Site extends pulumi.ComponentResource {
  constructor(name) {
    super("migrations:index:Site", name, {}, version > 1 ? {stateMigrations: [rename]} : {});
    this.thing = new Thing(version > 1 ? "new" : "old", {value: "x", word: pulumi.secret("hidden")}, {parent: this});
  }
}

class Holder extends pulumi.ComponentResource {
  constructor(thing) {
    super("migrations:index:Holder", "holder");
    this.registerOutputs({thing, sealed: pulumi.secret(thing)});
  }
}

const site = new Site("site");
new Holder(site.thing);
new Thing("user", {value: site.thing}, {dependsOn: [site.thing]});
if (version > 1) new Thing("late", {value: "x"}, {dependsOn: [site]});
