// SPDX-License-Identifier: Apache-2.0
// The programs of tests/programs/rules once more, with the Go SDK: same resources, same steps. Runs the one that the
// configuration names, at the step that it names: `rules:program`, `rules:step`.
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

var programs = map[string]func(d *deployment) error{
	"aliases": aliases, "failing": failing, "hooks": hooks, "importing": importing, "options": options,
	"policed": policed, "reading": reading, "remote": remote, "replacement": replacement, "transforms": transforms,
	"versions": versions,
}

// A deployment is what a program works with: the context, the step, and the first error that a registration gave.
type deployment struct {
	*pulumi.Context
	step int
	err  error
}

func (d *deployment) keep(err error) {
	if d.err == nil {
		d.err = err
	}
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		name := config.Require(ctx, "program")
		program, ok := programs[name]
		if !ok {
			return fmt.Errorf("there is no program %q", name)
		}
		d := &deployment{Context: ctx, step: config.RequireInt(ctx, "step")}
		if err := program(d); err != nil {
			return err
		}
		return d.err
	})
}
