// Records what a live backend answers: a proxy on loopback, for `TOWOW_BACKEND_URL`. What it writes is clean already;
// checks/promote.ts makes fixtures of it.
// Run: npm run record -- --of <backend url> --to <folder> [--port <port>]
import { parseArgs } from "node:util";
import { recordingProxy } from "./recordings/proxy.ts";

const { values } = parseArgs({
  options: { of: { type: "string" }, to: { type: "string" }, port: { type: "string", default: "0" } },
});
if (values.of === undefined || values.to === undefined) throw new Error("--of <backend url> --to <folder>");
const { url } = await recordingProxy({ of: values.of, to: values.to, port: Number(values.port) });
process.stdout.write(`TOWOW_BACKEND_URL=${url}\n`);
