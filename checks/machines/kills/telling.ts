import type { MockBackend } from "../../../mock-backend/main.ts";
import { type Decision, falsehoodsIn } from "../../../test/faults/claims.ts";
import type { Server } from "./server.ts";

interface About {
  mock: MockBackend;
  id: string;
  /** The texts that somebody has said yes to. */
  agreed: readonly string[];
  deadlineS: number;
  violate: (kind: string, detail: string) => void;
}

/** What the last server says of it in the end, beside what the backend did. */
export async function judgeTelling(server: Server, { mock, id, agreed, deadlineS, violate }: About): Promise<void> {
  const from = Date.now();
  const result = await server.call("towow_status", { negotiation_id: id });
  const negotiation = mock.negotiations().find((one) => one.negotiation_id === id)!;
  if (result?.data == null) return;
  const { data, summary: text, status, warnings, error } = result;
  const about = { id, tool: "towow_status", pid: 0, from, at: Date.now(), failed: error !== null };
  const madeAt = mock.journal.find(({ made }) => made === id)?.at ?? 0;
  const decisions = agreed.map((text): Decision => ({ id, kind: "edit", text, at: 0, pid: 0, took: undefined }));
  const truth = { negotiation, decisions, deadlineAt: madeAt + deadlineS * 1_000, endedBefore: () => false };
  for (const name of falsehoodsIn({ ...about, data, text, status, warnings }, truth)) violate(name, text);
}
