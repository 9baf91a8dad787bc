// SPDX-License-Identifier: Apache-2.0
package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// A chain a, b, c, d. 1: made. 2: the key of a changes: what takes its stamp as a key is replaced too, in the order
// create-replacement before delete. 3: a is deleted first, and its dependents before it.
func replacement(d *deployment) error {
	keyed := func(name string, key pulumi.StringInput, opts ...pulumi.ResourceOption) *thing {
		return d.thing(name, pulumi.Map{"value": pulumi.String(name), "key": key}, opts...)
	}
	key := pulumi.String(map[int]string{1: "one", 2: "two", 3: "three"}[d.step])
	a := keyed("a", key, pulumi.DeleteBeforeReplace(d.step == 3))
	b := keyed("b", a.Stamp)
	c := d.thing("c", pulumi.Map{"value": b.Stamp})
	keyed("d", c.Stamp)
	d.thing("e", value("e"), pulumi.DependsOn([]pulumi.Resource{a}))
	return nil
}

// ignoreChanges, replaceOnChanges, protect, retainOnDelete, deletedWith, additionalSecretOutputs, nested values.
func options(d *deployment) error {
	changing := func(text string) pulumi.Map {
		tags := pulumi.StringArray{pulumi.String("red"), pulumi.Sprintf("step %d", d.step)}
		spec := pulumi.Map{"size": pulumi.Int(d.step), "tags": tags}
		return pulumi.Map{"value": pulumi.String(text), "spec": spec}
	}
	d.thing("ignoring", changing(fmt.Sprintf("step %d", d.step)), pulumi.IgnoreChanges([]string{"value"}))
	d.thing("deep", changing("same"), pulumi.IgnoreChanges([]string{"spec.tags[1]", "spec.size"}))
	d.thing("replacing", changing("same"), pulumi.ReplaceOnChanges([]string{"spec"}))
	d.thing("protected", value("same"), pulumi.Protect(d.step < 3))
	if d.step < 3 {
		keeper := d.thing("keeper", value("same"), pulumi.RetainOnDelete(true))
		d.thing("leaf", value("same"), pulumi.DeletedWith(keeper))
	}
	secretive := d.thing("secretive", value("same"), pulumi.AdditionalSecretOutputs([]string{"stamp"}),
		pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m", Delete: "1h"}))
	d.Export("stamp", secretive.Stamp)
	return nil
}

// 1: two things, one on the other. 2: the first fails to update. 3: a value that Check refuses. 4: all well again. 5: the
// program itself fails.
func failing(d *deployment) error {
	texts := []string{"", "one", "two", "invalid", "four", "four"}
	apart := d.thing("apart", value(fmt.Sprintf("step %d", d.step)))
	fail := ""
	if d.step == 2 {
		fail = "update"
	}
	first := d.thing("first", pulumi.Map{"value": pulumi.String(texts[d.step]), "fail": pulumi.String(fail)},
		pulumi.DependsOn([]pulumi.Resource{apart}))
	second := texts[d.step]
	if d.step == 3 {
		second = "three"
	}
	d.thing("second", value(second), pulumi.DependsOn([]pulumi.Resource{first}))
	if d.step == 5 {
		return errors.New("the program cannot go on")
	}
	return nil
}

// 1: a value that the pack of tests/programs/policies blocks. 2: it passes. 3: too many things.
func policed(d *deployment) error {
	brief := d.thing("brief", value("no"))
	text := "allowed"
	if d.step == 1 {
		text = "forbidden"
	}
	d.thing("judged", value(text), pulumi.DependsOn([]pulumi.Resource{brief}))
	if d.step == 3 {
		d.plain("third")
		d.plain("fourth")
	}
	return nil
}
