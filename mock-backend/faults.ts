/** Faults on demand, by route. */
export const FAULT_ROUTES = [
  "submit",
  "confirm",
  "action",
  "get",
  "scenes.create",
  "scenes.list",
  "agents.register",
  "agents.list",
  "token",
] as const;
export type FaultRoute = (typeof FAULT_ROUTES)[number];

export const FAULT_KINDS = [
  "status",
  "delay",
  "drop_before",
  "drop_after",
  "cut_body",
  "wrong_shape",
  "html",
  "empty",
  "plain_500_after",
  "others_answer",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  route: FaultRoute;
  /**
   * `status`: answers `status` (default 503) and does nothing. `html`: a proxy's page (default 200), nothing done.
   * `delay`: only late. `drop_before`: the connection is closed, nothing done.
   * The others do the work first: `drop_after` closes without an answer, `cut_body` announces the whole body,
   * sends half and closes, `wrong_shape` and `empty` keep the status (unless `status` is given) and spoil the body,
   * `plain_500_after` answers 500 in plain text and closes, `others_answer` answers with another negotiation.
   */
  kind: FaultKind;
  status?: number;
  headers?: Record<string, string>;
  /** The body of `status` and `html`, instead of the usual one. */
  body?: string;
  /** Milliseconds on the mock's clock; works with every kind. */
  delayMs?: number;
  /** Whether the delay comes before the work (default) or between the work and its answer. */
  delayWhen?: "before" | "after";
  /** Of `cut_body`: how many bytes are sent instead of half. */
  cutAt?: number;
  /** The other negotiation; default: the newest that is not this one. */
  other?: string;
  /** How many requests it meets: 1 unless given, Infinity allowed. */
  times?: number;
  /** How many requests pass untouched first. */
  skip?: number;
}

interface Pending {
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** The faults that wait for their request; several for one route meet it in the order of their adding. */
export class FaultBoard {
  #pending: Pending[] = [];

  add(fault: Fault): void {
    this.#pending.push({ fault, skip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#pending = [];
  }

  /** The fault that meets this request, which uses one of its times up. */
  take(route: FaultRoute | undefined): Fault | undefined {
    const next = this.#pending.find((pending) => pending.fault.route === route);
    if (next === undefined) return undefined;
    if (next.skip > 0) {
      next.skip -= 1;
      return undefined;
    }
    next.left -= 1;
    if (next.left <= 0) this.#pending = this.#pending.filter((pending) => pending !== next);
    return next.fault;
  }

  list(): Fault[] {
    return this.#pending.map(({ fault, left }) => ({ ...fault, times: left }));
  }
}

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n";

/** The answer of a fault that stands in for the backend, or undefined when the backend acts. */
export function standIn(fault: Fault): Response | undefined {
  const { kind, body, headers = {} } = fault;
  if (kind === "html")
    return new Response(body ?? PAGE, {
      status: fault.status ?? 200,
      headers: { "content-type": "text/html; charset=utf-8", ...headers },
    });
  if (kind !== "status") return undefined;
  const status = fault.status ?? 503;
  if (status === 500)
    return new Response(body ?? "Internal Server Error", {
      status,
      headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    });
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : (body ?? JSON.stringify({ detail: `mock fault ${status}` })), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The negotiation that the backend would show under this id, or the newest that is not the given one. */
export type OtherNegotiation = (fault: Pick<Fault, "other">, own: string) => object | undefined;

/** An answer that shows another negotiation; it stays as it is where there is no other one. */
export async function mixedUp(fault: Fault, response: Response, otherOf: OtherNegotiation): Promise<Response> {
  if (!response.ok) return response;
  const { negotiation_id } = (await response.clone().json()) as { negotiation_id: string };
  const other = otherOf(fault, negotiation_id);
  if (other === undefined) return response;
  const { status, headers } = response;
  return new Response(JSON.stringify(other), { status, headers });
}

export const isMixUp = ({ kind }: Fault): boolean => kind === "others_answer";

/** What is left of the backend's answer after a fault that works on it. */
export function spoiled(fault: Fault, response: Response): Response {
  const status = fault.status ?? response.status;
  const json = { "content-type": "application/json", ...fault.headers };
  switch (fault.kind) {
    case "wrong_shape":
      return new Response(fault.body ?? '{"unexpected":["shape",1,null]}', { status, headers: json });
    case "empty":
      return new Response(null, { status, headers: json });
    case "plain_500_after":
      return new Response("Internal Server Error", {
        status: 500,
        headers: { "content-type": "text/plain; charset=utf-8", ...fault.headers },
      });
    default:
      return response;
  }
}
