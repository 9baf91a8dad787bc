// SPDX-License-Identifier: Apache-2.0
// One project of an estate, as its estate.json says: a thing made of what it reads of others. See tests/py/harness/estate.py.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type plan struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	Reads []string `json:"reads"`
	Key   string   `json:"key"`
}

type thing struct {
	pulumi.CustomResourceState
	Value pulumi.StringOutput `pulumi:"value"`
}

func register(ctx *pulumi.Context) error {
	text, err := os.ReadFile("estate.json")
	if err != nil {
		return err
	}
	var made plan
	if err := json.Unmarshal(text, &made); err != nil {
		return err
	}
	var values []any
	key := pulumi.ToSecret(pulumi.String(made.Key)).(pulumi.StringOutput)
	for at, other := range made.Reads {
		reference, err := pulumi.NewStackReference(ctx, "organization/"+other+"/prod", nil)
		if err != nil {
			return err
		}
		values = append(values, reference.GetStringOutput(pulumi.String("value")))
		if at == 0 {
			key = reference.GetStringOutput(pulumi.String("key"))
		}
	}
	value := pulumi.All(values...).ApplyT(func(known []any) string {
		parts := make([]string, len(known))
		for at, part := range known {
			parts[at] = part.(string)
		}
		return fmt.Sprintf("%s=%s(%s)", made.Name, made.Value, strings.Join(parts, " "))
	}).(pulumi.StringOutput)
	out := &thing{}
	if err := ctx.RegisterResource("things:index:Thing", made.Name, pulumi.Map{"value": value, "key": key}, out); err != nil {
		return err
	}
	ctx.Export("value", out.Value)
	ctx.Export("key", key)
	return nil
}

func main() { pulumi.Run(register) }
