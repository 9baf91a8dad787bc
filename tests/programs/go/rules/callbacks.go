// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// 1: a stack transform rewrites every thing, a transform of a box what is in it. 2: the same program again, other text.
func transforms(d *deployment) error {
	const kind = "things:index:Thing"
	everything := func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		if args.Type != kind {
			return nil
		}
		args.Props["owner"] = pulumi.String(fmt.Sprintf("team %d", d.step))
		return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	}
	inside := func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		if args.Type != kind {
			return nil
		}
		args.Props["value"] = pulumi.Sprintf("boxed %s", args.Props["value"])
		return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	}
	if err := d.RegisterResourceTransform(everything); err != nil {
		return err
	}
	holder := d.box("box", pulumi.Transforms([]pulumi.ResourceTransform{inside}))
	d.Export("boxed", d.thing("inner", value("text"), pulumi.Parent(holder)).Value)
	d.Export("plain", d.thing("outer", value("text")).Value)
	return nil
}

func note(line string) error {
	file, err := os.OpenFile("hooks.log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintln(file, line)
	return err
}

func textOf(props resource.PropertyMap) string {
	if text, ok := props["value"]; ok && text.IsString() {
		return text.StringValue()
	}
	return "None"
}

// 1: created with hooks. 2: updated. 3: deleted, which needs its hooks to be known still. 4: an error hook retries a
// create.
func hooks(d *deployment) error {
	on := func(moment string) []*pulumi.ResourceHook {
		hook, err := d.RegisterResourceHook(moment, func(args *pulumi.ResourceHookArgs) error {
			return note(fmt.Sprintf("%s %s %s>%s", moment, args.Name, textOf(args.OldInputs), textOf(args.NewInputs)))
		}, nil)
		d.keep(err)
		return []*pulumi.ResourceHook{hook}
	}
	all := &pulumi.ResourceHookBinding{
		BeforeCreate: on("before_create"), AfterCreate: on("after_create"), BeforeUpdate: on("before_update"),
		AfterUpdate: on("after_update"), BeforeDelete: on("before_delete"), AfterDelete: on("after_delete"),
	}
	if d.step != 3 {
		d.thing("hooked", value(fmt.Sprintf("step %d", min(d.step, 2))), pulumi.ResourceHooks(all))
	}
	if d.step >= 4 {
		again, err := d.RegisterErrorHook("again", retryTwice)
		d.keep(err)
		binding := &pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{again}}
		d.thing("flaky", value("try"), pulumi.ResourceHooks(binding))
	}
	return nil
}

func retryTwice(args *pulumi.ErrorHookArgs) (bool, error) {
	if err := note(fmt.Sprintf("on_error %s %s %d", args.Name, args.FailedOperation, len(args.Errors))); err != nil {
		return false, err
	}
	if len(args.Errors) == 2 {
		if err := os.WriteFile(filepath.Join("things", "flaky-"+args.Name), nil, 0o644); err != nil {
			return false, err
		}
	}
	return len(args.Errors) < 4, nil
}

// A shelf is a remote component of tests/programs/shelves.
type shelf struct {
	pulumi.ResourceState
	Stamps  pulumi.StringArrayOutput `pulumi:"stamps"`
	Keyword pulumi.StringOutput      `pulumi:"keyword"`
}

// A remote component with a secret, an option that reaches its children, and outputs that flow on.
func remote(d *deployment) error {
	source := d.thing("source", value(fmt.Sprintf("label %d", d.step)))
	made := &shelf{}
	props := pulumi.Map{"label": source.Stamp, "keyword": pulumi.ToSecret(pulumi.String("hush"))}
	d.keep(d.RegisterRemoteComponentResource("shelves:index:Shelf", "shelf", props, made,
		pulumi.DependsOn([]pulumi.Resource{source})))
	last := made.Stamps.ApplyT(func(stamps []string) string { return stamps[len(stamps)-1] }).(pulumi.StringOutput)
	d.thing("after", pulumi.Map{"value": last})
	d.Export("stamps", made.Stamps)
	d.Export("keyword", made.Keyword)
	return nil
}
