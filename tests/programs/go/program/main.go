// SPDX-License-Identifier: Apache-2.0
// A Go program with the Go SDK: keys of the Go provider beside it, one made from the other, and a secret output.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type key struct {
	pulumi.CustomResourceState
	Fingerprint pulumi.StringOutput `pulumi:"fingerprint"`
	Secret      pulumi.StringOutput `pulumi:"secret"`
}

func newKey(ctx *pulumi.Context, name string, bits pulumi.IntInput, label pulumi.StringInput,
	opts ...pulumi.ResourceOption) (*key, error) {
	out := &key{}
	props := pulumi.Map{"bits": bits, "label": label}
	err := ctx.RegisterResource("vault:index:Key", name, props, out, opts...)
	return out, err
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		bits := config.GetInt(ctx, "bits")
		if bits == 0 {
			bits = 128
		}
		first, err := newKey(ctx, "first", pulumi.Int(bits), pulumi.String("one"))
		if err != nil {
			return err
		}
		label := pulumi.Sprintf("after %s", first.Fingerprint)
		second, err := newKey(ctx, "second", pulumi.Int(64), label, pulumi.DependsOn([]pulumi.Resource{first}))
		if err != nil {
			return err
		}
		ctx.Export("fingerprint", second.Fingerprint)
		ctx.Export("secret", first.Secret)
		return nil
	})
}
