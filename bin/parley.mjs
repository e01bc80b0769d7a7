#!/usr/bin/env node
import { launch } from "../scripts/lib/launch.mjs";

await launch(process.argv.slice(2));
