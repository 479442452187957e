import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const GENERATOR = fileURLToPath(new URL("../../docs/generate.ts", import.meta.url));

it("docs/generate.ts --check says nothing and ends well where every page is up to date", async () => {
  const check = promisify(execFile)(process.execPath, [GENERATOR, "--check"]);
  await expect(check).resolves.toMatchObject({ stderr: "" });
});
