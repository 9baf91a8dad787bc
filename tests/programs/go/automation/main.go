// SPDX-License-Identifier: Apache-2.0
// A program of the Automation API for Go: the life of a stack, and what it saw of it as JSON on standard output.
// The provider `things` is in the process of the test that runs this.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/debug"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/opthistory"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optimport"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optremove"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrename"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type thing struct {
	pulumi.CustomResourceState
	Stamp pulumi.StringOutput `pulumi:"stamp"`
}

var seen = map[string]any{}

func program(ctx *pulumi.Context) error {
	for _, name := range []string{"first", "second"} {
		value := pulumi.String(config.Get(ctx, "value"))
		if err := ctx.RegisterResource("things:index:Thing", name, pulumi.Map{"value": value}, &thing{}); err != nil {
			return err
		}
	}
	ctx.Export("hidden", pulumi.ToSecret("s3cr3t"))
	return nil
}

func urn(name string) string { return "urn:pulumi:dev::site::things:index:Thing::" + name }

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		told, _ := json.Marshal(seen)
		fmt.Fprintf(os.Stderr, "%s\n%+v\n", told, err)
		os.Exit(1)
	}
}

// heard collects what a stream of events tells; call it when the operation is over.
func heard() (chan events.EngineEvent, func() []string) {
	stream := make(chan events.EngineEvent)
	done := make(chan []string)
	go func() {
		steps := []string{}
		for event := range stream {
			if event.ResourcePreEvent == nil {
				continue
			}
			step := event.ResourcePreEvent.Metadata
			if step.Op != "same" && step.Op != "refresh" && step.Type == "things:index:Thing" {
				steps = append(steps, fmt.Sprintf("%s %s", step.Op, step.URN[len(urn("")):]))
			}
		}
		sort.Strings(steps)
		done <- steps
	}()
	return stream, func() []string { return <-done }
}

func stacks(ctx context.Context, workDir auto.LocalWorkspaceOption) auto.Stack {
	_, err := auto.SelectStackInlineSource(ctx, "dev", "site", program, workDir)
	seen["absent"] = auto.IsSelectStack404Error(err)
	stack := must(auto.NewStackInlineSource(ctx, "dev", "site", program, workDir))
	_, err = auto.NewStackInlineSource(ctx, "dev", "site", program, workDir)
	seen["twice"] = auto.IsCreateStack409Error(err)
	must(auto.UpsertStackInlineSource(ctx, "dev", "site", program, workDir))
	workspace := stack.Workspace()
	seen["version"] = workspace.PulumiVersion()
	seen["user"] = must(workspace.WhoAmIDetails(ctx)).URL
	seen["listed"] = len(must(workspace.ListStacks(ctx)))
	seen["plugins"] = len(must(workspace.ListPlugins(ctx)))
	check(workspace.Install(ctx, &auto.InstallOptions{NoPlugins: true, NoDependencies: true, Reinstall: true}))
	_, err = stack.ListEnvironments(ctx)
	seen["environments"] = err != nil
	return stack
}

func configuration(ctx context.Context, stack auto.Stack) {
	path := &auto.ConfigOptions{Path: true}
	check(stack.SetConfig(ctx, "value", auto.ConfigValue{Value: "-one"}))
	check(stack.SetConfigWithOptions(ctx, "deep.list[0]", auto.ConfigValue{Value: "s3cr3t", Secret: true}, path))
	check(stack.SetAllConfig(ctx, auto.ConfigMap{"a": {Value: "1"}, "other:b": {Value: "zwei=2", Secret: true}}))
	check(stack.SetAllConfigJson(ctx, `{"site:c":{"value":"3","secret":false}}`, nil))
	seen["config"] = must(stack.GetAllConfig(ctx))
	seen["one"] = must(stack.GetConfigWithOptions(ctx, "deep.list[0]", path)).Value
	check(stack.RemoveConfig(ctx, "a"))
	check(stack.RemoveAllConfig(ctx, []string{"other:b", "c"}))
	check(stack.SetTag(ctx, "owner", "me"))
	seen["tag"] = must(stack.GetTag(ctx, "owner"))
	check(stack.RemoveTag(ctx, "owner"))
}

func operations(ctx context.Context, stack auto.Stack, folder string) {
	plan := filepath.Join(folder, "plan")
	logging := debug.LoggingOptions{LogToStdErr: true, FlowToPlugins: true, Debug: true}
	stream, steps := heard()
	preview := must(stack.Preview(ctx, optpreview.Message("look"), optpreview.EventStreams(stream), optpreview.Plan(plan),
		optpreview.ImportFile(filepath.Join(folder, "import.json")), optpreview.Diff(), optpreview.UserAgent("tests"),
		optpreview.DebugLogging(logging)))
	seen["preview"], seen["previewed"] = preview.ChangeSummary, steps()

	var shown bytes.Buffer
	stream, steps = heard()
	up := must(stack.Up(ctx, optup.Message("a \"quoted\" message"), optup.EventStreams(stream), optup.Plan(plan),
		optup.ProgressStreams(&shown), optup.Parallel(2), optup.Color("never"), optup.SuppressProgress()))
	seen["up"] = map[string]any{"steps": steps(), "shown": shown.String() == up.StdOut, "hidden": up.Outputs["hidden"].Secret,
		"value": up.Outputs["hidden"].Value, "message": up.Summary.Message, "changes": up.Summary.ResourceChanges}
	stream, steps = heard()
	must(stack.Up(ctx, optup.Replace([]string{urn("first")}), optup.Target([]string{urn("first")}), optup.TargetDependents(),
		optup.EventStreams(stream), optup.ContinueOnError(), optup.Refresh()))
	seen["replaced"] = steps()
	must(stack.Up(ctx, optup.ExpectNoChanges(), optup.Exclude([]string{urn("second")}), optup.ExcludeDependents()))
	must(stack.RefreshConfig(ctx))
	seen["refreshed"] = must(stack.Refresh(ctx, optrefresh.RunProgram(true), optrefresh.ClearPendingCreates())).Summary.Result
	seen["refreshPreview"] = must(stack.PreviewRefresh(ctx, optrefresh.Target([]string{urn("first")}))).ChangeSummary

	check(stack.Import(ctx, must(stack.Export(ctx))))
	imported := must(stack.ImportResources(ctx, optimport.Protect(false), optimport.GenerateCode(false),
		optimport.Resources([]*optimport.ImportResource{{Type: "things:index:Thing", Name: "found", ID: "found-1"}})))
	seen["imported"] = imported.Summary.Kind
	seen["concurrent"] = lockedOut(ctx, stack)

	passphrase := "another passphrase"
	check(stack.ChangeSecretsProvider(ctx, "passphrase", &auto.ChangeSecretsProviderOptions{NewPassphrase: &passphrase}))
	check(os.Setenv("PULUMI_CONFIG_PASSPHRASE", passphrase))
	seen["deep"] = must(stack.GetConfig(ctx, "deep")).Value

	seen["destroyPreview"] = must(stack.PreviewDestroy(ctx)).ChangeSummary
	seen["history"] = len(must(stack.History(ctx, 2, 1, opthistory.ShowSecrets(true))))
	// This version of the SDK then asks for the history under the old name; the stack is renamed all the same.
	_, _ = stack.Rename(ctx, optrename.StackName("renamed"))
	renamed := must(auto.SelectStack(ctx, "renamed", stack.Workspace()))
	must(renamed.Destroy(ctx, optdestroy.Refresh(), optdestroy.ContinueOnError()))
	check(stack.Workspace().RemoveStack(ctx, "renamed", optremove.Force()))
	seen["left"] = len(must(stack.Workspace().ListStacks(ctx)))
}

// lockedOut says if a refresh is refused while an update is under way.
func lockedOut(ctx context.Context, stack auto.Stack) bool {
	begun, goOn, over := make(chan bool), make(chan bool), make(chan error)
	stack.Workspace().SetProgram(func(ctx *pulumi.Context) error {
		close(begun)
		<-goOn
		return errors.New("it was only to take time")
	})
	go func() {
		_, err := stack.Up(ctx)
		over <- err
	}()
	select {
	case <-begun:
	case <-time.After(time.Minute):
		check(errors.New("the program has not begun"))
	}
	_, err := stack.Refresh(ctx)
	close(goOn)
	seen["failing"] = (<-over) != nil
	stack.Workspace().SetProgram(program)
	return auto.IsConcurrentUpdateError(err)
}

func main() {
	ctx, folder := context.Background(), os.Args[1]
	stack := stacks(ctx, auto.WorkDir(filepath.Join(folder, "project")))
	configuration(ctx, stack)
	operations(ctx, stack, folder)
	told := must(json.Marshal(seen))
	fmt.Println(string(told))
}
