// Makes fixtures of recordings: each is verified (a known route, the shape that it gives, nothing personal, nothing
// secret) and only then copied into test/wire. One that fails stops all of them.
// Run: npm run promote -- <folder> --verify looks and copies nothing; --to test/wire copies.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { problemsOf } from "./recordings/recording.ts";

const { values, positionals } = parseArgs({
  options: { verify: { type: "boolean", default: false }, to: { type: "string" } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("promote <folder> --verify | --to <folder>");
const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
const recordings = await Promise.all(
  files.map(async (file) => ({ file, value: JSON.parse(await readFile(join(folder, file), "utf8")) as unknown })),
);
const refused = recordings.flatMap(({ file, value }) => problemsOf(value).map((problem) => `${file}: ${problem}`));
if (refused.length > 0) {
  process.stderr.write(`${refused.join("\n")}\n`);
  process.exitCode = 1;
} else if (!values.verify && values.to !== undefined) {
  for (const { file, value } of recordings)
    await writeFile(join(values.to, file), `${JSON.stringify(value, null, 2)}\n`, { flag: "wx" });
}
process.stdout.write(`${JSON.stringify({ recordings: files.length, refused: refused.length })}\n`);
