import * as pulumi from "@pulumi/pulumi";

export interface GreetingArgs {
    subject: pulumi.Input<string>;
}

// A component: resources that belong together, made and shown as one.
export class Greeting extends pulumi.ComponentResource {
    readonly text: pulumi.Output<string>;

    constructor(name: string, args: GreetingArgs, opts?: pulumi.ComponentResourceOptions) {
        super("greetings:index:Greeting", name, {}, opts);
        // Resources made here with { parent: this } are parts of this one.
        this.text = pulumi.interpolate`Hello, ${args.subject}!`;
        this.registerOutputs({ text: this.text });
    }
}
