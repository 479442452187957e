import type { TowowError } from "../errors.ts";
import { type Body, isJson } from "./body.ts";
import { SENT_FIELDS } from "./contract.ts";
import {
  CutBody,
  Forbidden,
  NotJson,
  NotTowow,
  RateLimited,
  RejectedByBackend,
  RouteMissing,
  ServerError,
  TokenRejected,
  UnexpectedStatus,
  Unreachable,
  WrongShape,
} from "./errors.ts";
import type { Operation } from "./operation.ts";
import { baseOf } from "./route.ts";

/** The longest piece of the backend's own words that an error keeps. */
const DETAIL_LENGTH = 500;

export interface BackendAnswer {
  status: number;
  contentType: string;
  retryAfterSeconds: number | undefined;
  body: Body;
}

/** The typed value of a success, or throws the typed error that the answer stands for. Contract section 4. */
export function readAnswer<T>(operation: Operation<T>, answer: BackendAnswer): T {
  if (answer.status < 200 || answer.status > 299) throw rejection(operation, answer);
  const value = json(operation, answer);
  const parsed = operation.answer.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") || "body";
  throw new WrongShape({ operation: operation.name, field }, { detail: issue?.message, detailFrom: "program" });
}

function json(operation: Operation<unknown>, { status, contentType, body }: BackendAnswer): unknown {
  if (body.excess !== undefined)
    throw new WrongShape({ operation: operation.name, field: "body" }, { detail: body.excess, detailFrom: "program" });
  if (isJson(body)) return body.json;
  // A proxy that closes early without a length leaves JSON that merely stops.
  if (/^\s*[[{"]/.test(body.text)) {
    throw new CutBody({ operation: operation.name, stage: "body", reason: "incomplete_json" });
  }
  const params = { operation: operation.name, status, content_type: contentType };
  throw new NotJson(params, { detail: body.text.slice(0, DETAIL_LENGTH) });
}

function rejection(operation: Operation<unknown>, answer: BackendAnswer): TowowError {
  const { status, retryAfterSeconds } = answer;
  const detail = detailOf(answer.body).slice(0, DETAIL_LENGTH);
  const extra = {
    detail: detail || (isJson(answer.body) ? "" : answer.body.text.slice(0, DETAIL_LENGTH)) || undefined,
    retryAfterSeconds,
  };
  const params = { operation: operation.name, status };

  const own = operation.readRejection?.(status, detail);
  if (own !== undefined) return own;
  if (status === 401) return new TokenRejected({ operation: operation.name }, extra);
  if (status === 403) return new Forbidden({ operation: operation.name }, extra);
  if (status === 404 || status === 405)
    return isPage(answer.body)
      ? new NotTowow({ ...params, address: baseOf(operation.url) }, extra)
      : new RouteMissing(params, extra);
  // Only a proxy answers 407, so the backend has not seen the request.
  if (status === 407) {
    return new Unreachable({ operation: operation.name, origin: operation.url.origin, reason: "proxy_407" }, extra);
  }
  if (status === 429 || (status === 503 && retryAfterSeconds !== undefined)) return new RateLimited(params, extra);
  if (status >= 500) return new ServerError(params, extra);
  if (status === 400 || status === 413 || status === 422) {
    return new RejectedByBackend({ operation: operation.name, field: fieldsOf(answer.body, operation) }, extra);
  }
  return new UnexpectedStatus(params, extra);
}

/** Text that is no JSON, nor the beginning of it. */
const isPage = (body: Body): boolean => !isJson(body) && /^\s*[^\s[{"]/.test(body.text);

interface Fault {
  loc: unknown[];
  msg: string;
}

/** The entries of a 422, without the `input` that newer pydantic echoes: that may be a whole profile. */
function faultsOf(body: Body): Fault[] {
  const detail = isJson(body) && isRecord(body.json) ? body.json.detail : undefined;
  if (!Array.isArray(detail)) return [];
  return detail
    .filter(isRecord)
    .map(({ loc, msg }) => ({ loc: Array.isArray(loc) ? loc : [], msg: typeof msg === "string" ? msg : "" }));
}

/** `["body", "profile_data", "skills", 0]` → `profile_data.skills.0`. */
const fieldOf = ({ loc }: Fault): string => (loc[0] === "body" ? loc.slice(1) : loc).map(String).join(".") || "body";

/**
 * The fields as a sentence of ours names them: only what was sent has fields to refuse, and each other word, which would
 * stand there as ours, is the backend's own and stays in the detail.
 */
function fieldsOf(body: Body, operation: Pick<Operation<unknown>, "body">): string {
  const sent = keysIn(operation.body ?? {});
  const isOurs = (part: unknown) => Number.isInteger(part) || SENT_FIELDS.has(String(part)) || sent.has(String(part));
  const named = faultsOf(body).map(({ loc, msg }) =>
    fieldOf({ loc: loc.map((part, at) => (isOurs(part) || (at === 0 && part === "body") ? part : "…")), msg }),
  );
  return [...new Set(named)].slice(0, 8).join(", ") || "body";
}

/** The names of all fields in a body, those of a profile among them. */
const keysIn = (value: unknown): Set<string> =>
  new Set(
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, one]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(one)])
      : [],
  );

/** The backend's `detail` as one text; empty for what is not the backend's way of refusing. */
function detailOf(body: Body): string {
  if (!isJson(body)) return "";
  const faults = faultsOf(body);
  if (faults.length > 0) return faults.map((fault) => `${fieldOf(fault)}: ${fault.msg}`).join("; ");
  return isRecord(body.json) && typeof body.json.detail === "string" ? body.json.detail : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
