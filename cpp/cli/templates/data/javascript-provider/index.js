"use strict";

const { TextFile } = require("./textFile");

const note = new TextFile("note", {
    path: "note.txt",
    content: "Change me, and run `kingpost up` again.\n",
});

exports.path = note.path;
