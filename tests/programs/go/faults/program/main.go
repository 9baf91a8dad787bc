// SPDX-License-Identifier: Apache-2.0
// Five rows of four things, each of which depends on the one before it. What the program is told of goes into the file
// FAULTS_TOLD, a line for each, before anything else happens; FAULTS_VALUE is what the things hold.
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const rows, columns = 5, 4

type thing struct {
	pulumi.CustomResourceState
}

func tell(told *os.File, id pulumi.ID) pulumi.ID {
	// One write of a whole line: several things may be told of at once.
	if _, err := told.WriteString(string(id) + "\n"); err != nil {
		panic(err)
	}
	return id
}

func register(ctx *pulumi.Context) error {
	told, err := os.OpenFile(os.Getenv("FAULTS_TOLD"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	value := pulumi.String(os.Getenv("FAULTS_VALUE"))
	for row := 0; row < rows; row++ {
		var before []pulumi.Resource
		for column := 0; column < columns; column++ {
			next := &thing{}
			name := fmt.Sprintf("thing-%d-%d", row, column)
			props := pulumi.Map{"value": value}
			if err := ctx.RegisterResource("things:index:Thing", name, props, next, pulumi.DependsOn(before)); err != nil {
				return err
			}
			if !ctx.DryRun() {
				next.ID().ApplyT(func(id pulumi.ID) pulumi.ID { return tell(told, id) })
			}
			before = []pulumi.Resource{next}
		}
	}
	return nil
}

func main() { pulumi.Run(register) }
