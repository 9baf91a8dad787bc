// SPDX-License-Identifier: Apache-2.0
// A provider in Go, with the Go SDK's protocol: `vault:index:Key` is random bytes that are made once and kept secret. A
// change of bits makes a new key, a change of the label is an update.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

type provider struct {
	pulumirpc.UnimplementedResourceProviderServer
}

var keep = plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true}

func read(s *structpb.Struct) (resource.PropertyMap, error) {
	return plugin.UnmarshalProperties(s, keep)
}

func write(m resource.PropertyMap) (*structpb.Struct, error) {
	return plugin.MarshalProperties(m, keep)
}

func (p *provider) Handshake(context.Context, *pulumirpc.ProviderHandshakeRequest) (
	*pulumirpc.ProviderHandshakeResponse, error) {
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (p *provider) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
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
	props, err := read(r.News)
	if err != nil {
		return nil, err
	}
	if bits := props["bits"]; bits.IsNumber() && int(bits.NumberValue())%8 != 0 {
		failure := &pulumirpc.CheckFailure{Property: "bits", Reason: "must be a multiple of eight"}
		return &pulumirpc.CheckResponse{Inputs: r.News, Failures: []*pulumirpc.CheckFailure{failure}}, nil
	}
	return &pulumirpc.CheckResponse{Inputs: r.News}, nil
}

func (p *provider) Diff(_ context.Context, r *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	olds, err := read(r.OldInputs)
	if err != nil {
		return nil, err
	}
	news, err := read(r.News)
	if err != nil {
		return nil, err
	}
	answer := &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}
	for _, name := range []resource.PropertyKey{"bits", "label"} {
		if !olds[name].DeepEquals(news[name]) {
			answer.Changes = pulumirpc.DiffResponse_DIFF_SOME
			answer.Diffs = append(answer.Diffs, string(name))
			if name == "bits" {
				answer.Replaces = append(answer.Replaces, string(name))
			}
		}
	}
	return answer, nil
}

func (p *provider) Create(_ context.Context, r *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	props, err := read(r.Properties)
	if err != nil {
		return nil, err
	}
	id := ""
	if r.Preview {
		unknown := resource.MakeComputed(resource.NewProperty(""))
		props["fingerprint"], props["secret"] = unknown, resource.MakeSecret(unknown)
	} else {
		secret := make([]byte, int(props["bits"].NumberValue())/8)
		if _, err := rand.Read(secret); err != nil {
			return nil, err
		}
		sum := sha256.Sum256(secret)
		id = hex.EncodeToString(sum[:8])
		props["fingerprint"] = resource.NewProperty(id)
		props["secret"] = resource.MakeSecret(resource.NewProperty(hex.EncodeToString(secret)))
	}
	out, err := write(props)
	return &pulumirpc.CreateResponse{Id: id, Properties: out}, err
}

func (p *provider) Update(_ context.Context, r *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	olds, err := read(r.Olds)
	if err != nil {
		return nil, err
	}
	props, err := read(r.News)
	if err != nil {
		return nil, err
	}
	props["fingerprint"], props["secret"] = olds["fingerprint"], olds["secret"]
	out, err := write(props)
	return &pulumirpc.UpdateResponse{Properties: out}, err
}

func (p *provider) Read(_ context.Context, r *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	return &pulumirpc.ReadResponse{Id: r.Id, Inputs: r.Inputs, Properties: r.Properties}, nil
}

func (p *provider) Delete(context.Context, *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (p *provider) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func main() {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterResourceProviderServer(server, &provider{})
			return nil
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(handle.Port)
	if err := <-handle.Done; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
