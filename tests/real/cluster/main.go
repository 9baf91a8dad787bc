// SPDX-License-Identifier: Apache-2.0

// A Kubernetes control plane for tests: etcd, the API server and the controllers, without nodes.
//
//	cluster etcd FOLDER PORT          keeps the objects in FOLDER, and serves clients at PORT
//	cluster apiserver FLAG...         kube-apiserver
//	cluster controllers FLAG...       kube-controller-manager
package main

import (
	"fmt"
	"net/url"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: cluster etcd FOLDER PORT | cluster apiserver FLAG... | cluster controllers FLAG...")
		os.Exit(2)
	}
	part := os.Args[1]
	os.Args = append([]string{part}, os.Args[2:]...)
	switch part {
	case "etcd":
		if err := serveEtcd(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "apiserver":
		run(apiserver.NewAPIServerCommand())
	case "controllers":
		run(controllers.NewControllerManagerCommand())
	default:
		fmt.Fprintf(os.Stderr, "there is no part %q: etcd, apiserver, controllers\n", part)
		os.Exit(2)
	}
}

func run(command *cobra.Command) { os.Exit(cli.Run(command)) }

func serveEtcd(folder, port string) error {
	config := embed.NewConfig()
	config.Dir = folder
	config.LogLevel = "error"
	config.UnsafeNoFsync = true // the objects need not outlive a test
	clients := url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
	peers := url.URL{Scheme: "unix", Host: "localhost:" + port}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	return <-etcd.Err()
}
