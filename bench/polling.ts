// Requests and delay of the adaptive watcher beside a fixed poll of 3 s, over one negotiation of about 20 s.
// Run: npm run bench:polling. Time is the mock's own, so the figures are exact and the run takes a second.

import { createMockBackend } from "../mock-backend/main.ts";
import type { Negotiation } from "../src/backend/contract.ts";
import { negotiationSchema } from "../src/backend/contract.ts";
import { fingerprint, phaseOf } from "../src/negotiation/backend-states.ts";
import { Pollers, Watcher } from "../src/negotiation/polling/watcher.ts";
import { ManualClock } from "../test/support/manual-clock.ts";

interface Figures {
  requests: number;
  seconds: number;
  changes: number;
  medianDelayMs: number;
  worstDelayMs: number;
}

type Poll = (get: () => Promise<Negotiation>, onChange: (n: Negotiation) => void, clock: ManualClock) => Promise<void>;

const adaptive: Poll = async (get, onChange, clock) => {
  const pollers = new Pollers({ clock, random: () => 0.5 });
  const watcher = new Watcher({ pollers, get });
  await watcher.wait("n", { until: (n) => phaseOf(n.state) === "over", budgetMs: 120_000, onChange });
};

const fixed: Poll = async (get, onChange, clock) => {
  for (let last = ""; ; ) {
    const seen = await get();
    if (fingerprint(seen) !== last) onChange(seen);
    last = fingerprint(seen);
    if (phaseOf(seen.state) === "over") return;
    await clock.sleep(3_000);
  }
};

async function measure(poll: Poll): Promise<Figures> {
  const clock = new ManualClock();
  const mock = createMockBackend({ clock, seed: 11, stepMs: 1_900, auth: false });
  const json = async (method: string, path: string, body?: unknown) => {
    const init =
      body === undefined
        ? { method }
        : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await mock.fetch(new Request(`http://127.0.0.1/v1/api/${path}`, init));
    return negotiationSchema.parse(await response.json());
  };
  const scene_id = mock.scenes()[0]?.scene_id;
  const { negotiation_id: id } = await json("POST", "negotiations/submit", {
    scene_id,
    user_id: "u",
    intent: "A designer",
  });
  const startedAt = clock.now();
  const current = () => mock.negotiations()[0];

  // What really changed and when, looked at every 10 ms of the mock's time.
  const truth = new Map<string, number>();
  const told = new Map<string, number>();
  const keyOf = (n: Negotiation) => fingerprint(n);
  let confirmed = false;
  const watchTruth = () => {
    const key = keyOf(negotiationSchema.parse(current()));
    if (!truth.has(key)) truth.set(key, clock.now());
  };
  let requests = 0;
  const get = async () => {
    requests += 1;
    return json("GET", `negotiations/${id}`);
  };
  const polling = poll(
    get,
    (n) => {
      if (!told.has(keyOf(n))) told.set(keyOf(n), clock.now());
      if (n.state !== "formulated" || confirmed) return;
      confirmed = true; // a person who says yes at once, so that only the polling counts
      void json("POST", `negotiations/${id}/confirm`, {});
    },
    clock,
  );
  let over = false;
  polling.then(() => {
    over = true;
  });
  while (!over) {
    watchTruth();
    await clock.advance(10);
  }
  const delays = [...told]
    .filter(([key]) => truth.has(key))
    .map(([key, at]) => at - (truth.get(key) ?? at))
    .sort((a, b) => a - b);
  await mock.close();
  return {
    requests,
    seconds: (clock.now() - startedAt) / 1000,
    changes: delays.length,
    medianDelayMs: delays[Math.floor(delays.length / 2)] ?? 0,
    worstDelayMs: delays.at(-1) ?? 0,
  };
}

console.log("poll        requests  seconds  changes told  median delay ms  worst delay ms");
for (const [name, poll] of [
  ["adaptive", adaptive],
  ["fixed 3 s", fixed],
] as const) {
  const f = await measure(poll);
  console.log(
    [
      name.padEnd(11),
      String(f.requests).padStart(8),
      f.seconds.toFixed(1).padStart(8),
      String(f.changes).padStart(13),
      String(f.medianDelayMs).padStart(16),
      String(f.worstDelayMs).padStart(15),
    ].join(" "),
  );
}
