import type { Client } from "@modelcontextprotocol/client";
import { call } from "./program.ts";

/** How long typical requests take, as figures: p50 and p95 in milliseconds, and the budget that they are held beside. */
export interface Pace {
  p50: number;
  p95: number;
  budgetMs: number;
}

const ROUNDS = 40;

export async function paceOf(client: Client, negotiation_id: string): Promise<Record<string, Pace>> {
  const timed = async (budgetMs: number, once: () => Promise<unknown>): Promise<Pace> => {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const from = performance.now();
      await once();
      times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => Number((times[Math.floor(share * (ROUNDS - 1))] ?? 0).toFixed(1));
    return { p50: at(0.5), p95: at(0.95), budgetMs };
  };
  return {
    "tools/list": await timed(50, () => client.listTools()),
    "resources/list": await timed(50, () => client.listResources()),
    "towow_status, unchanged": await timed(50, () => call(client, "towow_status", { negotiation_id })),
    "towow_status, whole": await timed(80, () => call(client, "towow_status", { negotiation_id, view: "full" })),
    towow_list_scenes: await timed(80, () => call(client, "towow_list_scenes", { fresh: true })),
    towow_compare: await timed(120, () => call(client, "towow_compare", { negotiation_ids: [negotiation_id] })),
    "towow://policy": await timed(50, () => client.readResource({ uri: "towow://policy" })),
  };
}
