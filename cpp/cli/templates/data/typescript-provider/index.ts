import { TextFile } from "./textFile";

const note = new TextFile("note", {
    path: "note.txt",
    content: "Change me, and run `kingpost up` again.\n",
});

export const path = note.path;
