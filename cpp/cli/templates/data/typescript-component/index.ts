import { Greeting } from "./greeting";

const world = new Greeting("world", { subject: "world" });

export const greeting = world.text;
