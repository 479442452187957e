import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** No key and no token in what is tracked, nor in what ever was. */

const ROOT = new URL("../../", import.meta.url);
const SECRETS: Record<string, RegExp> = {
  "private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*(?:\\n|[+ ])*[A-Za-z0-9+/=]{20,}/g,
  bearer: /\bBearer [A-Za-z0-9._~+/-]{20,}/g,
  "web token": /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+/g,
  GitHub: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/g,
  npm: /\bnpm_[A-Za-z0-9]{36}\b/g,
  AWS: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  Google: /\bAIza[\w-]{35}\b/g,
  Slack: /\bxox[abprs]-[\w-]{10,}/g,
  model: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}/g,
};
/** Made up for the tests of the sanitiser, of logs and of placeholders; each is here by its whole text, so that no real one can hide behind it. */
const MADE_UP = new Set([
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZ2VudF8xIiwiaWF0IjoxfQ.c2lnbmF0dXJlLWhlcmU",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  "ghp_0123456789abcdefABCDEF0123456789abcd",
  "AKIAIOSFODNN7EXAMPLE",
  "sk-ant-api03-Ab12Cd34Ef56Gh78",
  "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl",
  "sk-live-0123456789abcdef0123",
  "Bearer towow_Vq0tXh3mJ8nYc1LwR5sKdPfZ", // of the printed page that shows a new token
]);

const git = (...args: string[]) =>
  spawnSync("git", ["-C", ROOT.pathname, ...args], { encoding: "utf8", maxBuffer: 1 << 29 });

function secretsIn(text: string): string[] {
  return Object.entries(SECRETS).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !MADE_UP.has(found))
      .map(([found]) => `${kind}: ${found.slice(0, 24)}…`),
  );
}

it("finds what it looks for", () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----";
  expect(secretsIn(`${key}\nMIIEowIBAAKCAQEA0Z3VS5JJcds3`)).toHaveLength(1);
  expect(secretsIn(`Authorization: Bearer ${"a1".repeat(20)}`)).toHaveLength(1);
  expect(secretsIn(`x = "ghp_${"0".repeat(36)}"`)).toHaveLength(1);
});

// An unpacked archive has neither a list of files nor a history.
const isRepository = git("rev-parse", "--git-dir").status === 0;

it.runIf(isRepository)("in no tracked file", () => {
  const files = git("ls-files", "-z").stdout.split("\0").filter(Boolean);
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    secretsIn(readFileSync(new URL(file, ROOT), "utf8")).map((it) => `${file}: ${it}`),
  );
  expect(found).toEqual([]);
});

it.runIf(isRepository)("in no change that led here", () => {
  const { stdout, status } = git("log", "-p", "--no-color", "--no-ext-diff", "--unified=0", "HEAD");
  expect(status).toBe(0);
  expect(secretsIn(stdout)).toEqual([]);
});
