import { createMockBackend } from "../../mock-backend/main.ts";
import type { Negotiation } from "../../src/backend/contract.ts";
import { negotiationSchema } from "../../src/backend/contract.ts";
import { phaseOf } from "../../src/negotiation/backend-states.ts";
import { fingerprint, Pollers } from "../../src/negotiation/polling.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { platformWith } from "../../test/support/platform.ts";

const FEED_DELAY_MS = 30;

export interface WatchFigures {
  requests: number;
  seconds: number;
  changes: number;
  medianDelayMs: number;
  worstDelayMs: number;
}

type Poll = (
  get: () => Promise<Negotiation>,
  onChange: (n: Negotiation) => void,
  clock: ManualClock,
  feed: { onNews: () => void },
) => Promise<void>;

const adaptive: Poll = async (get, onChange, clock) => {
  const pollers = new Pollers(platformWith(clock), { get });
  await pollers.wait("n", { until: (n) => phaseOf(n.state) === "over", budgetMs: 120_000, onChange });
};

const wokenByFeed: Poll = async (get, onChange, clock, feed) => {
  const pollers = new Pollers(platformWith(clock), { get });
  feed.onNews = () => pollers.hint("n");
  await pollers.wait("n", { until: (n) => phaseOf(n.state) === "over", budgetMs: 120_000, onChange });
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

/** One negotiation of about 20 s, watched. Time is the mock's own, so that the figures are exact. */
async function measure(poll: Poll): Promise<WatchFigures> {
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
    if (truth.has(key)) return;
    truth.set(key, clock.now());
    // The feed is opened with the person's pause, and may announce what the next read does not show yet.
    if (phaseOf(current()?.state ?? "created") !== "before") clock.after(FEED_DELAY_MS, () => feed.onNews());
  };
  const feed = { onNews: () => {} };
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
    feed,
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

/** The adaptive poller beside a fixed poll of 3 s. */
export const measureWatching = async () => ({
  wokenByFeed: await measure(wokenByFeed),
  adaptive: await measure(adaptive),
  fixed: await measure(fixed),
});
