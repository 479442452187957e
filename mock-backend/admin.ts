import { json } from "./app.ts";
import type { Engine } from "./engine.ts";
import { FAULT_KINDS, FAULT_ROUTES, type Fault, type FaultBoard } from "./faults.ts";
import type { JournalEntry } from "./journal.ts";
import { Refused } from "./refused.ts";
import type { Standstill } from "./standstill.ts";
import type { Tokens } from "./tokens.ts";

export interface AdminOptions {
  faults: FaultBoard;
  journal: JournalEntry[];
  tokens: Tokens;
  engine: Engine;
  negotiations: () => unknown[];
  standstill: Standstill;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a request is for the mock's own controls and not for the API. */
export function isAdmin(request: Request): boolean {
  return new URL(request.url).pathname.startsWith("/mock/");
}

/**
 * The controls of a mock that runs alone:
 * `POST|DELETE|GET /mock/faults`, `GET /mock/journal`, `GET /mock/negotiations`,
 * `POST /mock/negotiations/{id}` (changes a record), `POST /mock/negotiations/{id}/confirm` (`{text}`: somebody else
 * confirms), `POST /mock/standstill` (`{ms, requestsAfterMs}`), `POST /mock/tokens/expire`.
 * They answer loopback hosts only, and no web page: a page in a browser must not steer the mock.
 */
export async function administer(request: Request, options: AdminOptions): Promise<Response> {
  const { pathname, hostname } = new URL(request.url);
  if (!LOOPBACK.test(hostname) || request.headers.has("origin")) return json({ detail: "Forbidden" }, 403);
  const call = `${request.method} ${pathname}`;
  try {
    switch (call) {
      case "GET /mock/journal":
        return json({ journal: options.journal });
      case "GET /mock/negotiations":
        return json({ negotiations: options.negotiations() });
      case "GET /mock/faults":
        return json({ faults: options.faults.list() });
      case "POST /mock/faults":
        options.faults.add(readFault(await request.json()));
        return json({ faults: options.faults.list() }, 201);
      case "DELETE /mock/faults":
        options.faults.clear();
        return json({ faults: [] });
      case "POST /mock/tokens/expire":
        options.tokens.expireAll();
        return json({});
    }
    if (call === "POST /mock/standstill") {
      const { ms, requestsAfterMs } = (await request.json()) as { ms?: unknown; requestsAfterMs?: number };
      if (typeof ms !== "number" || ms < 0) throw new Error("ms must be a number of milliseconds");
      options.standstill.begin(ms, requestsAfterMs);
      return json({});
    }
    const other = /^POST \/mock\/negotiations\/(neg_\w+)\/confirm$/.exec(call)?.[1];
    if (other !== undefined) {
      const { text = null } = (await request.json()) as { text?: string | null };
      options.engine.confirm(other, text, "other");
      return json({});
    }
    const id = /^POST \/mock\/negotiations\/(neg_\w+)$/.exec(call)?.[1];
    if (id === undefined) return json({ detail: "Not Found" }, 404);
    options.engine.patch(id, (await request.json()) as object);
    return json({});
  } catch (error) {
    return json({ detail: (error as Error).message }, error instanceof Refused ? error.status : 400);
  }
}

/** A fault from JSON, where `times: "always"` stands for Infinity. */
function readFault(body: unknown): Fault {
  const fault = body as Omit<Fault, "times"> & { times?: number | "always" };
  if (!FAULT_ROUTES.includes(fault?.route)) throw new Error(`route must be one of ${FAULT_ROUTES.join(", ")}`);
  if (!FAULT_KINDS.includes(fault.kind)) throw new Error(`kind must be one of ${FAULT_KINDS.join(", ")}`);
  const { times = 1, ...rest } = fault;
  return { ...rest, times: times === "always" ? Number.POSITIVE_INFINITY : times };
}
