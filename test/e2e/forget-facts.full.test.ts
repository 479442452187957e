import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { attemptsId, factName } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { historyFilesOf } from "../support/home-facts.ts";

const ORIGIN = "https://network.example";
const HOUR_MS = 3_600_000;
const OWNER = { instance: "gone", pid: 2 ** 22 };

/** A home with one negotiation that has ended, and with others as they are given. */
async function lived({ open = false, attempt = false } = {}) {
  const home = await temporaryHome();
  await writeFile(
    join(home, "config.json"),
    JSON.stringify({ backend_url: ORIGIN, user_id: "u-1", api_token: "t-1" }),
    {
      mode: 0o600,
    },
  );
  let ids = 0;
  const facts = createFactFiles({ dir: join(home, "history"), newId: () => `${++ids}`, now: Date.now });
  const submitted = (at: number) => ({
    at,
    user_id: "u-1",
    deadline_at: at + 2 * HOUR_MS,
    on_unconfirmed: "cancel",
    owner: OWNER,
  });
  const ended = { origin: ORIGIN, id: "neg_1" };
  await facts.create(ended, factName.submitted, submitted(Date.now() - 9 * HOUR_MS), "open");
  await facts.create(ended, factName.outcome(0), { at: Date.now() - 8 * HOUR_MS, kind: "moved" }, "close");
  if (open) {
    const key = { origin: ORIGIN, id: "neg_open" };
    await facts.create(key, factName.submitted, submitted(Date.now() - HOUR_MS), "open");
  }
  if (attempt)
    await facts.create({ origin: ORIGIN, id: attemptsId("0".repeat(64)) }, "attempt.1", {
      at: Date.now() - 1_000,
      owner: OWNER,
    });
  await mkdir(join(home, "history"), { recursive: true });
  await writeFile(join(home, "history", "notes.txt"), "mine");
  const env = { TOWOW_HOME: home };
  return { home, env, run: (...args: string[]) => cli(args, { env }), left: () => Object.keys(historyFilesOf(home)) };
}

it.each([[[]], [["--all"]], [["--identity"]]])("not while a pause is open, which it names: %j", async (scope) => {
  const { run, left } = await lived({ open: true });
  const before = left();
  const refused = await run("forget", "--yes", ...scope);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("neg_open") });
  expect(left()).toEqual(before);
});

it("--force does, but under strict only at a terminal", async () => {
  const { run, env, left } = await lived({ open: true });
  const strict = { ...env, TOWOW_CONFIRMATION_POLICY: "strict" };
  const refused = await cli(["forget", "--yes", "--force"], { env: strict });
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("run this in a terminal") });
  expect((await run("forget", "--yes", "--force")).status).toBe(0);
  expect(left()).toEqual(["notes.txt"]);
});

it("what is kept of an endpoint's users goes too, and not while a pause of theirs is open", async () => {
  const { home, run } = await lived();
  const facts = (user: string) =>
    createFactFiles({ dir: join(home, "users", user.repeat(64)), newId: nanoid, now: Date.now });
  const at = Date.now() - HOUR_MS;
  const submitted = { at, user_id: "u-2", deadline_at: at + 2 * HOUR_MS, on_unconfirmed: "cancel", owner: OWNER };
  const key = { origin: ORIGIN, id: "neg_theirs" };
  await facts("a").create(key, factName.submitted, submitted, "open");
  await facts("b").create({ ...key, id: "neg_over" }, factName.outcome(0), { at, kind: "moved" });
  await writeFile(join(home, "users", "a".repeat(64), "notes.txt"), "mine");
  expect(await run("forget", "--yes")).toMatchObject({ status: 1, stderr: expect.stringContaining("neg_theirs") });
  const erased = await run("forget", "--yes", "--force");
  expect(erased.stdout).toContain("3 negotiations");
  expect(await readdir(join(home, "users"), { recursive: true })).toEqual([
    "a".repeat(64),
    `${"a".repeat(64)}/notes.txt`,
  ]);
});

it("not while a submit's answer is open", async () => {
  const { run } = await lived({ attempt: true });
  expect((await run("forget", "--yes")).status).toBe(1);
});
