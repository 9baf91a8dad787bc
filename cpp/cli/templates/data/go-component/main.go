package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		greeting, err := NewGreeting(ctx, "world", &GreetingArgs{Subject: pulumi.String("world")})
		if err != nil {
			return err
		}
		ctx.Export("greeting", greeting.Text)
		return nil
	})
}
