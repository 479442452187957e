import type { MockBackend } from "../../mock-backend/main.ts";
import { falsehoodsIn } from "../../test/faults/claims.ts";
import type { Server } from "./server.ts";

interface About {
  mock: MockBackend;
  id: string;
  violate: (kind: string, detail: string) => void;
}

/** What the last server says of it in the end, beside what the backend did. */
export async function judgeTelling(server: Server, { mock, id, violate }: About): Promise<void> {
  const from = Date.now();
  const result = await server.call("towow_status", { negotiation_id: id });
  const negotiation = mock.negotiations().find((one) => one.negotiation_id === id)!;
  if (result?.data == null) return;
  const { data, summary: text, status, warnings, error } = result;
  const about = { id, tool: "towow_status", pid: 0, from, at: Date.now(), failed: error !== null };
  const cancelSent = () => mock.journal.some((e) => e.path.endsWith(`${id}/action`));
  const truth = { negotiation, decisions: [], endedBefore: () => false, cancelSent };
  for (const name of falsehoodsIn({ ...about, data, text, status, warnings }, truth)) violate(name, text);
}
