"use strict";

const { Greeting } = require("./greeting");

const world = new Greeting("world", { subject: "world" });

exports.greeting = world.text;
