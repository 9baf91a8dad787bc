"""The resources of this project."""

import pulumi
from text_file import TextFile

note = TextFile("note", path="note.txt", content="Change me, and run `kingpost up` again.\n")

pulumi.export("path", note.path)
