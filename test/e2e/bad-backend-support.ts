import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { type RunningMock, runningMock } from "../support/backend.ts";
import { legacyClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";

/** Whatever a backend, a proxy or a home does: told by its own code, and nothing is submitted or confirmed twice. */

const PROFILE = { skills: ["TypeScript", "Python", "Go"], bio: "Engineer who builds small, reliable services." };
/** A demand to submit. */
export const INTENT = "I need a product designer for a hospital queue pilot";
/** A fault that does not pass. */
export const ALWAYS = { times: Number.POSITIVE_INFINITY };

/** A backend, a client before it, and its home. */
export interface World {
  mock: RunningMock;
  session: Session;
  home: string;
}
/** What says which question is decided. */
export type Paused = { negotiation_id: string; confirmation_id: string };

async function start(): Promise<World> {
  const mock = await runningMock();
  const home = await temporaryHome();
  const session = await legacyClient({ env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } });
  return { mock, session, home };
}

/** A quick backend, and a client of somebody who is in its scene. */
export async function joined(): Promise<World> {
  const world = await start();
  const { result } = await join(world.session, world.mock.sceneId);
  expect(result.status).toBe("ok");
  return world;
}

/** Registers in a scene. */
export const join = (session: Session, scene: string) =>
  sendProfile(session.call, "towow_join", { scene, display_name: "Lin", profile_data: PROFILE });
/** Submits the demand. */
export const demand = ({ session }: World, more: Record<string, unknown> = {}) =>
  session.call("towow_demand", { intent: INTENT, ...more });

/** A demand of theirs whose text waits for a decision, and the call that decides. */
export async function paused(): Promise<World & { params: Paused }> {
  const world = await joined();
  const { result } = await demand(world);
  expect(result.data).toMatchObject({ state: "formulated", decision: null });
  return { ...world, params: result.data.resume_with.params };
}

/** A server that answers everything alike, on an ephemeral loopback port. */
export async function serving(answer: RequestListener): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A session against any address, with an id and a token of its own, so that the first request is the tool's. */
export const against = async (url: string, env: Record<string, string> = {}): Promise<Session> =>
  legacyClient({
    env: {
      TOWOW_HOME: await temporaryHome(),
      TOWOW_BACKEND_URL: url,
      TOWOW_USER_ID: "u1",
      TOWOW_API_TOKEN: "t1",
      ...env,
    },
  });
