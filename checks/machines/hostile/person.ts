import { Client } from "@modelcontextprotocol/client";
import { NEGOTIATIONS } from "./bodies.ts";
import { attackPage, noPosts, type PagePosts } from "./page-attack.ts";

export interface Counts {
  calls: number;
  /** By the code of the error, or `ok`. */
  outcomes: Map<string, number>;
  posts: PagePosts;
  slowestMs: number;
}

export const noCounts = (): Counts => ({ calls: 0, outcomes: new Map(), posts: noPosts(), slowestMs: 0 });

interface Result {
  data: { negotiation_id?: string } | null;
  error: { code: string } | null;
}

export const ERAS = ["2025", "2026"] as const;

/**
 * A client whose person is asked on pages alone, which it attacks and leaves undecided. `counts` gives where that is to
 * be counted now.
 */
export function personsClient(era: (typeof ERAS)[number], counts: () => Counts): Client {
  const client = new Client(
    { name: "hostile", version: "1" },
    {
      capabilities: { elicitation: { url: {} } },
      ...(era === "2026" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    },
  );
  let round = 0;
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode === "url") await attackPage(params.url, round++, counts().posts);
    return { action: "cancel" };
  });
  return client;
}

/** One session that asks about everything, in rotation, until the time is up. `offset` keeps two from going in step. */
export async function askOn(client: Client, counts: Counts, until: number, offset: number): Promise<void> {
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const from = performance.now();
    const value = await work;
    counts.calls += 1;
    counts.slowestMs = Math.max(counts.slowestMs, performance.now() - from);
    return value;
  };
  const note = (outcome: string) => counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + 1);
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> => {
    // On a machine that is busy enough a connection ends by itself before it is used again: that is counted, no more.
    const answer = await timed(client.callTool({ name, arguments: args }, { timeout: 120_000 })).catch(() => undefined);
    if (answer === undefined) {
      note("no answer");
      return { data: null, error: null };
    }
    const result = answer.structuredContent as unknown as Result;
    note(result.error?.code ?? "ok");
    return result;
  };
  const read = (uri: string) =>
    timed(
      client.readResource({ uri }).then(
        () => note("read"),
        () => note("not read"),
      ),
    );

  for (let round = offset; performance.now() < until; round++) {
    const id = `neg_${round % NEGOTIATIONS.length}`;
    await call(round % 2 ? "towow_status" : "towow_get_negotiation", { negotiation_id: id });
    await read(`towow://negotiations/${id}/plan?page=${1 + (round % 150)}`);
    await read(`towow://negotiations/${id}/offers/agent_${round % 16}`);
    await call(round % 2 ? "towow_list_scenes" : "towow_list_agents", {
      fresh: true,
      ...(round % 2 === 0 && { scene_id: "s" }),
    });
    if (round % 3 === 0) await call("towow_join", { scene: "hospital", raw_content: "A designer." });
    const pause = await call("towow_demand", { intent: `Somebody for ${round} of ${Math.random()}`, scene_id: "s" });
    const open = pause.data?.negotiation_id;
    if (open !== undefined) await call("towow_demand", { negotiation_id: open, decision: "reject" });
  }
}
