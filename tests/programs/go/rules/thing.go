// SPDX-License-Identifier: Apache-2.0
package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// A thing is a file of the test provider; see tests/programs/things.
type thing struct {
	pulumi.CustomResourceState
	Stamp pulumi.StringOutput `pulumi:"stamp"`
	Value pulumi.StringOutput `pulumi:"value"`
}

func (d *deployment) thing(name string, props pulumi.Map, opts ...pulumi.ResourceOption) *thing {
	made := &thing{}
	d.keep(d.RegisterResource("things:index:Thing", name, props, made, opts...))
	return made
}

// A thing that says nothing in particular.
func (d *deployment) plain(name string, opts ...pulumi.ResourceOption) *thing {
	return d.thing(name, value("plain"), opts...)
}

func value(text string) pulumi.Map {
	return pulumi.Map{"value": pulumi.String(text)}
}

// A box is a component with nothing but children.
type box struct {
	pulumi.ResourceState
}

func (d *deployment) box(name string, opts ...pulumi.ResourceOption) *box {
	made := &box{}
	d.keep(d.RegisterComponentResource("boxes:index:Box", name, made, opts...))
	d.keep(d.RegisterResourceOutputs(made, pulumi.Map{}))
	return made
}
