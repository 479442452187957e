// Two replicas behind nginx with Redis, many users, and everything that can go away goes away once.
// Run: node checks/machines.ts replicas [--users 200 --needs 500 --seconds 120 --seed 1]

import { randomBytes } from "node:crypto";
import { createMockBackend } from "../../mock-backend/main.ts";
import { Dice } from "../../test/faults/sim.ts";
import { deploy } from "../../test/support/deployment.ts";
import { startRedis } from "../../test/support/redis.ts";
import { counted, type Found, options, sleep } from "../harness.ts";
import { judge, type Span } from "./replicas/judge.ts";
import { Person, type Plan } from "./replicas/person.ts";

const DEADLINE_S = 60;

export default async function replicas(args: string[]): Promise<Found> {
  const { users, needs, seconds, seed, verbose } = options(args, {
    users: 200,
    needs: 500,
    seconds: 120,
    seed: 1,
    verbose: false,
  });
  const startedAt = Date.now();
  const now = () => Date.now() - startedAt;
  const say = (line: string) => console.log(`${(now() / 1000).toFixed(1).padStart(6)} s  ${line}`);
  const dice = new Dice(seed);

  const redis = await startRedis({ durable: true });
  const mock = createMockBackend({ seed, stepMs: 400, confirmTimeoutMs: DEADLINE_S * 1000 });
  mock.engine.formulateWith((intent) => `Wanted: ${intent}`);
  const { url: backendUrl } = await mock.listen();
  const env = { TOWOW_CONFIRM_DEADLINE_S: `${DEADLINE_S}`, TOWOW_LOG_LEVEL: "warn", LANG: "en_US.UTF-8" };
  const deployment = await deploy({
    storeUrl: redis.url,
    backendUrl,
    nginx: true,
    env,
    args: ["--drain", "15", "--rate", "1000"],
  });
  const { a, b } = deployment.replicas;
  say("two replicas, nginx and redis are up");

  const people = await Promise.all(Array.from({ length: users }, (_, i) => newPerson(i)));
  const PLANS: Plan[] = ["accept", "accept", "accept", "accept", "edit", "edit", "reject", "reject", "none", "none"];
  for (let i = 0; i < needs; i++) {
    const person = people[i % users]!;
    person.needs.push({
      intent: `A designer, number ${i}, ${person.mark}`,
      plan: dice.pick(PLANS),
      startAt: now() + dice.int(0, seconds * 1000),
      answered: false,
      ids: new Map(),
      told: new Set(),
      submitUnknown: false,
      gaveUp: false,
      calledAt: [],
      broke: [],
    });
  }
  for (const person of people) person.needs.sort((x, y) => x.startAt - y.startAt);

  /** When something was away, in milliseconds since the start. */
  const disturbances: Span[] = [];
  const part = (share: number) => share * seconds * 1000;
  await Promise.all([...people.map((person) => person.run()), disturb()]);
  say("everybody has done what they wanted");
  await sleep(Math.max(0, lastSubmit() + (DEADLINE_S + 5) * 1000 - now()));
  say("every deadline has passed");
  await look();
  const outcome = judge(people, mock, { disturbances, startedAt });
  report();
  if (verbose) for (const { stderr } of [a, b]) console.log(stderr().slice(-20_000));
  await deployment.close();
  await mock.close();
  await redis.close();
  const found = outcome.violations.length;
  return {
    ok: found === 0,
    line: `${counted(users, "user")}, ${counted(needs, "need")}, ${counted(found, "violation")}`,
  };

  async function newPerson(i: number): Promise<Person> {
    const userId = `user-${i}`;
    const answer = await fetch(`${backendUrl}/v1/api/auth/mcp-token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user_id: userId }),
    });
    const { api_token: token } = (await answer.json()) as { api_token: string };
    return new Person({
      userId,
      token,
      mark: `mark-${randomBytes(6).toString("hex")}`,
      kind: (["2026", "2025", "plain"] as const)[i % 3]!,
      claimsId: i % 2 === 0,
      front: deployment.mcp,
      direct: [a.mcp, b.mcp],
      sceneId: mock.scenes()[0]!.scene_id,
      dice: new Dice(seed * 1000 + i),
      now,
    });
  }

  /** A killed and started again, b drained and started again, the store away: one after the other, in the middle. */
  async function disturb(): Promise<void> {
    const during = async (what: string, work: () => Promise<void>) => {
      say(what);
      const span = { from: now(), to: Number.POSITIVE_INFINITY };
      disturbances.push(span);
      await work();
      span.to = now();
      say(`${what}: over`);
    };
    await sleep(part(0.25));
    await during("a is killed with SIGKILL", async () => {
      await a.kill();
      await sleep(20_000);
      await a.start();
    });
    await sleep(part(0.12));
    await during("b is drained with SIGTERM", async () => {
      const code = await b.drain();
      if (code !== 0) say(`b ended with ${code}`);
      await sleep(3_000);
      await b.start();
    });
    await sleep(part(0.1));
    await during("redis is gone", async () => {
      await redis.stop();
      await sleep(4_000);
      await redis.start();
    });
  }

  function lastSubmit(): number {
    return Math.max(0, ...mock.journal.filter((e) => /submit$/.test(e.path)).map((e) => e.at - startedAt));
  }

  /** Everybody looks once more at everything of theirs. */
  async function look(): Promise<void> {
    await Promise.all(
      people.map(async (person) => {
        for (const need of person.needs)
          for (const id of need.ids.keys()) {
            const from = Date.now();
            const called = await person.look(id, deployment.mcp);
            if (called === undefined) continue;
            const { warnings, summary, data } = called.result;
            need.final = { id, warnings, state: data.state, summary, from, at: Date.now() };
          }
      }),
    );
  }

  function report(): void {
    const { counts, violations } = outcome;
    const durations = people.flatMap((person) => person.durations).sort((x, y) => x - y);
    const at = (share: number) => `${Math.round(durations[Math.floor((durations.length - 1) * share)] ?? 0)} ms`;
    const sum = (of: (person: Person) => Map<string, number>) => {
      const all = new Map<string, number>();
      for (const person of people) for (const [what, n] of of(person)) all.set(what, (all.get(what) ?? 0) + n);
      return [...all].sort(([, x], [, y]) => y - x);
    };
    const table = (title: string, rows: Iterable<[string, number | string]>) => {
      console.log(`\n| ${title} | |\n|---|---|`);
      for (const [what, n] of rows) console.log(`| ${what} | ${n} |`);
    };
    table("what was done", [
      ["users", users],
      ["needs", needs],
      ["calls", durations.length],
      ["bytes searched for others' marks", people.reduce((all, person) => all + person.bytes, 0)],
      ["call p50 / p95 / longest", `${at(0.5)} / ${at(0.95)} / ${at(1)}`],
      ["backend requests", mock.journal.length],
      ["seconds", Math.round(now() / 1000)],
    ]);
    table("what became of it", counts);
    table(
      "what broke in a user's hands, and was tried again",
      sum((person) => person.interruptions),
    );
    table(
      "warnings that users were given",
      sum((person) => person.warnings),
    );
    table("violations", [["all", violations.length]]);
    for (const violation of violations.slice(0, 40)) console.log(`VIOLATION ${violation}`);
  }
}
