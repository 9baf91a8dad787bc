"use strict";

const pulumi = require("@pulumi/pulumi");

// A component: resources that belong together, made and shown as one.
class Greeting extends pulumi.ComponentResource {
    constructor(name, args, opts) {
        super("greetings:index:Greeting", name, {}, opts);
        // Resources made here with { parent: this } are parts of this one.
        this.text = pulumi.interpolate`Hello, ${args.subject}!`;
        this.registerOutputs({ text: this.text });
    }
}

exports.Greeting = Greeting;
