import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { withoutLongLines } from "../../src/mcp/stdio.ts";
import { temporaryHome } from "../support/home.ts";

test("lines arrive as they were sent, however they were cut up; only the long ones are left out", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", '"', "ö"), maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 })), async (lines, sizes) => {
      let dropped = 0;
      const sent = new PassThrough();
      const arrived = text(withoutLongLines(sent, () => dropped++, 12));
      let rest = Buffer.from(lines.map((each) => `${each}\n`).join(""));
      for (const size of sizes) {
        sent.write(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
      sent.end(rest);
      const kept = lines.filter((each) => Buffer.byteLength(each) <= 12);
      expect(await arrived).toBe(kept.map((each) => `${each}\n`).join(""));
      expect(dropped).toBe(lines.length - kept.length);
    }),
  );
});

/** Found by the fuzzer: twelve megabytes in one line ended the server, and left what waited for a decision unguarded. */
test("a line that is longer than any buffer does not end the server", async () => {
  const cli = new URL("../../dist/cli.js", import.meta.url).pathname;
  const child = spawn(process.execPath, [cli], {
    env: { PATH: process.env.PATH ?? "", TOWOW_HOME: await temporaryHome() },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${"x".repeat(12 << 20)}\n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  expect(JSON.parse(String((await answers.next()).value))).toMatchObject({ jsonrpc: "2.0", id: 1 });
  child.stdin.end();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});
