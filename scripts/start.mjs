import { launch } from "./lib/launch.mjs";

await launch(["serve", ...process.argv.slice(2)]);
