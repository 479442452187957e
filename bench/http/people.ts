import { Agent, request } from "undici";
import { call, headers } from "./load.ts";

/** The engine's pause between two states, in milliseconds: to fill a backend with demands takes long as it is. */
export const STEP_MS = 20;
const MADE_AT_ONCE = 16;

/** Somebody who calls an endpoint with a token of their own. */
export interface Person {
  id: string;
  token: string;
}

export const agent = new Agent({ connections: 1_024 });

export async function newPerson(mockUrl: string, nth: number): Promise<Person> {
  const id = `user-${nth}`;
  const { body } = await request(`${mockUrl}/v1/api/auth/mcp-token`, {
    method: "POST",
    dispatcher: agent,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user_id: id, device_info: "bench" }),
  });
  const { api_token: token } = (await body.json()) as { api_token: string };
  return { id, token };
}

export interface Answer {
  status: number;
  /** It has a result, and one that is no error. */
  isWell: boolean;
  data: Record<string, unknown>;
}

export async function ask(url: string, { id, token }: Person, tool: string, args: object): Promise<Answer> {
  const { statusCode: status, body } = await request(url, {
    method: "POST",
    dispatcher: agent,
    headers: headers(tool, token, id),
    body: call(tool, args),
  });
  const { result } = (await body.json()) as { result?: { structuredContent?: { status: string; data: object } } };
  const { status: outcome, data = {} } = result?.structuredContent ?? {};
  return { status, isWell: status === 200 && result !== undefined && outcome !== "error", data: { ...data } };
}

/** Does `work` for each, several at once, and gives what came of it. */
export async function forAll<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const left = [...items];
  const done: R[] = [];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, worker));
  return done;
}
