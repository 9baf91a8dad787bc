module ${PROJECT}

go 1.21

require github.com/pulumi/pulumi/sdk/v3 v3.274.1
