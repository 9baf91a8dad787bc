package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// GreetingArgs is what a greeting is made of.
type GreetingArgs struct {
	Subject pulumi.StringInput
}

// Greeting is a component: resources that belong together, made and shown as one.
type Greeting struct {
	pulumi.ResourceState

	Text pulumi.StringOutput
}

// NewGreeting registers a greeting of that name. Resources made in here with pulumi.Parent(greeting) are parts of it.
func NewGreeting(
	ctx *pulumi.Context, name string, args *GreetingArgs, opts ...pulumi.ResourceOption,
) (*Greeting, error) {
	greeting := &Greeting{}
	if err := ctx.RegisterComponentResource("greetings:index:Greeting", name, greeting, opts...); err != nil {
		return nil, err
	}
	greeting.Text = pulumi.Sprintf("Hello, %s!", args.Subject)
	return greeting, ctx.RegisterResourceOutputs(greeting, pulumi.Map{"text": greeting.Text})
}
