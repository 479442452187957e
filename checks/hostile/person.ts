import type { Client } from "@modelcontextprotocol/client";
import { edit, NEGOTIATIONS } from "./bodies.ts";

export interface Counts {
  calls: number;
  /** By the code of the error, or `ok`. */
  outcomes: Map<string, number>;
  posts: number;
  slowestMs: number;
}

interface Result {
  summary: string;
  data: { resume_with?: { params: Record<string, unknown> } } | null;
  error: { code: string } | null;
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
      return { summary: "", data: null, error: null };
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
    const [page] = /http:\/\/127\.0\.0\.1:\d+\/\S*approve\/[\w-]+/.exec(pause.summary) ?? [];
    if (page !== undefined) counts.posts += await timed(attackPage(page, round).catch(() => 1));
    const params = pause.data?.resume_with?.params;
    if (params !== undefined) await call("towow_demand", { ...params, decision: "reject" });
  }
}

/**
 * Opens an approval page and posts edits to it; gives how many were answered. What is larger than a form may be is
 * refused, and its connection closed, while it is still being sent: that rejects.
 */
async function attackPage(url: string, round: number): Promise<number> {
  const opened = await fetch(url);
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await opened.text();
  let answered = 0;
  // Opens the editor, types, and ends the edit, which shows it with its difference.
  for (const form of [{ do: "edit" }, { do: "", "f.text": edit(round) }, { do: "edit", "f.text": edit(round + 1) }]) {
    const response = await fetch(`${url}/act`, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { cookie },
    });
    await response.text();
    answered += 1;
  }
  return answered;
}
