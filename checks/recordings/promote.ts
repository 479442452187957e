import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { type Check, counted, options } from "../harness.ts";
import { withPromoted } from "./recording.ts";

const FIXTURES = new URL("../../test/wire.json", import.meta.url);

const promote: Check = async (args) => {
  const { from, write } = options(args, { from: "", write: false });
  if (from === "") return { ok: false, line: "--from <folder> [--write]" };
  const files = (await readdir(from)).filter((file) => file.endsWith(".json")).sort(byCodeUnits);
  const recordings = await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(from, file), "utf8"))));
  const promoted = withPromoted(await readFile(FIXTURES, "utf8"), recordings);
  if (write) await writeFile(FIXTURES, promoted);
  return { ok: true, line: `${counted(files.length, "recording")} ${write ? "promoted" : "would be promoted"}` };
};
export default promote;
