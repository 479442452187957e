import { expect } from "vitest";
import { type RunningMock, requests, runningMock } from "../support/backend.ts";
import { legacyClient, modernClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { expectFailure } from "./failure.ts";

/** Whatever a model sends: each mistake has its own code and a way on, and nothing of it reaches the backend. */

/** Somebody to register. */
export const PROFILE = {
  skills: ["TypeScript", "Python", "distributed systems"],
  bio: "Engineer who builds small, reliable services and likes to ship them.",
  experience: "Eight years of backend work.",
  capabilities: ["prototype in two weeks"],
};
/** A demand to submit. */
export const INTENT = "I need a product designer for a hospital queue pilot";

type Lang = "en" | "zh";
type Mode = "normal" | "developer";
/** One wrong call: what is wrong, the call, its code, and what is said about it. */
export type Case = [what: string, tool: string, args: Record<string, unknown>, code: string, says?: RegExp];

/** A backend, a client before it, and what that client should see. */
export interface World {
  mock: RunningMock;
  session: Session;
  lang: Lang;
  /** What `tools/list` names in this mode. */
  listed: string[];
}

/** Both generations of clients, each in a language. */
export const dialects = [
  ["2025 era, en", legacyClient, "en"],
  ["2026-07-28, zh", modernClient, "zh"],
] as const;

/** A quick backend and a client of this dialect, with an empty home. */
export async function start(
  connect: typeof legacyClient,
  lang: Lang,
  mode: Mode = "normal",
  options: Parameters<typeof runningMock>[0] = {},
): Promise<World> {
  const mock = await runningMock(options);
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: lang, TOWOW_MODE: mode };
  const session = await connect({ env });
  return { mock, session, lang, listed: await session.tools() };
}

/** Each of these calls is refused with its code, in the language of the world and with a way on. */
export async function expectRefusals(world: World, cases: Case[]) {
  for (const [what, tool, args, code, says] of cases) {
    const called = await sendProfile(world.session.call, tool, args);
    const { text, result } = called;
    expectFailure(called, code, world.listed, `${what}: ${text}`);
    expect(text, what).toContain("can_retry: ");
    const letters = result.error!.recovery_suggestion.replaceAll(/[^\p{L}]/gu, "");
    expect(/\p{Script=Han}/u.test(letters), what).toBe(world.lang === "zh");
    if (says) expect(text, what).toMatch(says);
  }
}

/** The requests that change something, but for a token's. */
export const writes = (mock: RunningMock) => requests(mock, "POST", /^(?!.*mcp-token)/);

/** Registers in a scene for the first time. */
export async function join({ session }: World, scene = "AI 创业合伙人") {
  const joined = await sendProfile(session.call, "towow_join", { scene, display_name: "Lin", profile_data: PROFILE });
  expect(joined.result).toMatchObject({ status: "ok", data: { already_joined: false } });
  return joined.result.data;
}

/** A demand whose text waits for a decision, and the call that decides. */
export async function pause({ session }: World, intent = INTENT) {
  const { result } = await session.call("towow_demand", { intent });
  expect(result.data).toMatchObject({ state: "formulated", decision: null });
  return result.data.resume_with.params as { negotiation_id: string; confirmation_id: string };
}
