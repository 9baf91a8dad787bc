"""A provider in Python: it makes, changes and deletes text files."""

import os

import pulumi
from pulumi import dynamic


class TextFileProvider(dynamic.ResourceProvider):
    """Creates, changes and deletes the file of a resource."""

    def create(self, props):
        path = os.path.abspath(props["path"])
        with open(path, "x", encoding="utf-8") as file:  # a file that is not ours is not overwritten
            file.write(props["content"])
        return dynamic.CreateResult(id_=path, outs=props)

    def diff(self, id_, olds, news):
        return dynamic.DiffResult(
            changes=olds["path"] != news["path"] or olds["content"] != news["content"],
            replaces=["path"] if olds["path"] != news["path"] else [],
        )

    def update(self, id_, olds, news):
        with open(id_, "w", encoding="utf-8") as file:
            file.write(news["content"])
        return dynamic.UpdateResult(outs=news)

    def read(self, id_, props):
        if not os.path.exists(id_):
            return dynamic.ReadResult(id_=None, outs={})  # it is gone
        with open(id_, encoding="utf-8") as file:
            return dynamic.ReadResult(id_=id_, outs={**props, "content": file.read()})

    def delete(self, id_, props):
        if os.path.exists(id_):
            os.remove(id_)


class TextFile(dynamic.Resource):
    """A text file on this machine."""

    path: pulumi.Output[str]
    content: pulumi.Output[str]

    def __init__(self, name, path: pulumi.Input[str], content: pulumi.Input[str], opts=None):
        # The old file is deleted first, because the new one may have its path.
        opts = pulumi.ResourceOptions.merge(pulumi.ResourceOptions(delete_before_replace=True), opts)
        super().__init__(TextFileProvider(), name, {"path": path, "content": content}, opts)
