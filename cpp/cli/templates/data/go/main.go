package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Make resources here. What is exported is shown after each update, and by `kingpost stack output`.
		ctx.Export("stack", pulumi.String(ctx.Stack()))
		return nil
	})
}
