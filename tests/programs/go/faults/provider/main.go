// SPDX-License-Identifier: Apache-2.0
// A provider in Go whose things are files: `things:index:Thing` NAME-1, NAME-2, ... in the folder FAULTS_THINGS. What
// exists can be seen from outside whatever becomes of the command, and of this process. FAULTS_DELAY_MS makes a change
// take its time, and as long as the file FAULTS_HOLD exists it waits; changes of the thing FAULTS_REFUSE fail, and each
// change that was made, and each read, is a line of the file FAULTS_LOG.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

const schema = `{"name": "things", "version": "1.0.0", "resources": {"things:index:Thing": {
	"inputProperties": {"value": {"type": "string"}, "key": {"type": "string"}},
	"properties": {"value": {"type": "string"}, "key": {"type": "string"}}, "required": ["value"]}}}`

type provider struct {
	pulumirpc.UnimplementedResourceProviderServer
	folder string
	delay  time.Duration
	hold   string
	refuse string
	log    string
}

func (p *provider) path(id string) string { return filepath.Join(p.folder, id) }

// Writes a whole thing, or none: a half-written one would be a fault of ours.
func (p *provider) write(id string, props *structpb.Struct, exclusive bool) error {
	text, err := json.Marshal(props.AsMap())
	if err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if exclusive {
		flags |= os.O_EXCL
	}
	file, err := os.OpenFile(p.path(id), flags, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(text)
	return err
}

func nameIn(urn string) string { return urn[strings.LastIndex(urn, "::")+2:] }

// What every change does first.
func (p *provider) begin(urn string) error {
	time.Sleep(p.delay)
	for p.hold != "" {
		if _, err := os.Stat(p.hold); err != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if p.refuse != "" && nameIn(urn) == p.refuse {
		return fmt.Errorf("%s is refused", p.refuse)
	}
	return nil
}

// One write of a whole line: several providers share the file.
func (p *provider) note(change, id string) error {
	if p.log == "" {
		return nil
	}
	file, err := os.OpenFile(p.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(change + " " + id + "\n")
	return err
}

func (p *provider) Handshake(context.Context, *pulumirpc.ProviderHandshakeRequest) (
	*pulumirpc.ProviderHandshakeResponse, error) {
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (p *provider) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

func (p *provider) GetSchema(context.Context, *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	return &pulumirpc.GetSchemaResponse{Schema: schema}, nil
}

func (p *provider) CheckConfig(_ context.Context, r *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: r.News}, nil
}

func (p *provider) DiffConfig(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

func (p *provider) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	return &pulumirpc.ConfigureResponse{AcceptSecrets: true, SupportsPreview: true, AcceptResources: true}, nil
}

func (p *provider) Check(_ context.Context, r *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: r.News}, nil
}

func (p *provider) Diff(_ context.Context, r *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	if proto.Equal(r.OldInputs, r.News) {
		return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
	}
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_SOME}, nil
}

func (p *provider) Create(_ context.Context, r *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	if r.Preview {
		return &pulumirpc.CreateResponse{Properties: r.Properties}, nil
	}
	if err := p.begin(r.Urn); err != nil {
		return nil, err
	}
	name := nameIn(r.Urn)
	for number := 1; ; number++ {
		id := name + "-" + strconv.Itoa(number)
		err := p.write(id, r.Properties, true)
		if os.IsExist(err) {
			continue
		}
		if err == nil {
			err = p.note("create", id)
		}
		return &pulumirpc.CreateResponse{Id: id, Properties: r.Properties}, err
	}
}

func (p *provider) Update(_ context.Context, r *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	if r.Preview {
		return &pulumirpc.UpdateResponse{Properties: r.News}, nil
	}
	if err := p.begin(r.Urn); err != nil {
		return nil, err
	}
	if err := p.write(r.Id, r.News, false); err != nil {
		return nil, err
	}
	return &pulumirpc.UpdateResponse{Properties: r.News}, p.note("update", r.Id)
}

func (p *provider) Delete(_ context.Context, r *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	if err := p.begin(r.Urn); err != nil {
		return nil, err
	}
	if err := os.Remove(p.path(r.Id)); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return &emptypb.Empty{}, p.note("delete", r.Id)
}

func (p *provider) Read(_ context.Context, r *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	text, err := os.ReadFile(p.path(r.Id))
	if os.IsNotExist(err) {
		return &pulumirpc.ReadResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	props, err := structpb.NewStruct(values)
	if err == nil {
		err = p.note("read", r.Id)
	}
	return &pulumirpc.ReadResponse{Id: r.Id, Inputs: props, Properties: props}, err
}

func (p *provider) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func main() {
	milliseconds, _ := strconv.Atoi(os.Getenv("FAULTS_DELAY_MS"))
	server := grpc.NewServer()
	pulumirpc.RegisterResourceProviderServer(server, &provider{
		folder: os.Getenv("FAULTS_THINGS"), delay: time.Duration(milliseconds) * time.Millisecond,
		hold: os.Getenv("FAULTS_HOLD"), refuse: os.Getenv("FAULTS_REFUSE"), log: os.Getenv("FAULTS_LOG")})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(listener.Addr().(*net.TCPAddr).Port)
		err = server.Serve(listener)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
