// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// 1: a box holds a thing. 2: both have new names. 3: the thing moves to the stack. 4: it moves below another box.
func aliases(d *deployment) error {
	was := func(name string) pulumi.ResourceOption {
		return pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(name)}})
	}
	switch d.step {
	case 1:
		d.plain("thing", pulumi.Parent(d.box("box")))
	case 2:
		d.plain("item", pulumi.Parent(d.box("crate", was("box"))), was("thing"))
	case 3:
		crate := d.box("crate")
		d.plain("item", pulumi.Aliases([]pulumi.Alias{{Parent: crate}}))
	default:
		d.box("crate")
		shelf := d.box("shelf")
		root := pulumi.URN(fmt.Sprintf("urn:pulumi:%s::%s::pulumi:pulumi:Stack::%[2]s-%[1]s", d.Stack(), d.Project()))
		d.plain("item", pulumi.Parent(shelf), pulumi.Aliases([]pulumi.Alias{{ParentURN: root}}))
	}
	return nil
}

// 1: a thing that exists already is imported with the values it has. 2: the option stays. 3: it goes. 4: another value.
func importing(d *deployment) error {
	var opts []pulumi.ResourceOption
	if d.step < 3 {
		opts = append(opts, pulumi.Import(pulumi.ID("found-1")))
	}
	text := "found"
	if d.step == 4 {
		text = "changed"
	}
	d.thing("adopted", value(text), opts...)
	d.plain("ordinary")
	return nil
}

// 1: a thing made elsewhere is read. 2: the program manages it. 3: it is gone from the program. Plus an invoke.
func reading(d *deployment) error {
	var greeting struct {
		Text string `pulumi:"text"`
	}
	args := map[string]string{"greeting": "Hello", "name": "you"}
	if err := d.Invoke("things:index:greet", &args, &greeting); err != nil {
		return err
	}
	d.Export("greeting", pulumi.String(greeting.Text))
	switch d.step {
	case 1:
		found := &thing{}
		d.keep(d.ReadResource("things:index:Thing", "found", pulumi.ID("found-1"), nil, found))
		d.Export("stamp", found.Stamp)
	case 2:
		d.thing("found", value("managed"))
	}
	d.plain("other")
	return nil
}

type things struct {
	pulumi.ProviderResourceState
}

// 1: things 1.0.0 by the version option. 2: things 2.0.0. 3: an explicit provider. 4: that provider with another region,
// which replaces it and all that it made.
func versions(d *deployment) error {
	if d.step <= 2 {
		d.plain("thing", pulumi.Version(fmt.Sprintf("%d.0.0", d.step)))
		return nil
	}
	region := map[int]string{3: "north", 4: "south"}[d.step]
	mine := &things{}
	props := pulumi.Map{"region": pulumi.String(region)}
	d.keep(d.RegisterResource("pulumi:providers:things", "mine", props, mine, pulumi.Version("2.0.0")))
	d.plain("thing", pulumi.Version("2.0.0"))
	d.plain("regional", pulumi.Provider(mine))
	return nil
}
