import { randomBytes } from "node:crypto";
import type { Browser, Frame } from "playwright-core";
import { expect } from "vitest";
import { DRAWS_FORMS, type Era, hostOf } from "./chat.ts";
import { type CallOfPage, chatHost } from "./chat-host.ts";
import { DEMAND, waitingInChat } from "./chat-room.ts";
import { createWorld } from "./world.ts";

/** The page in the chat, as a host draws it: what tests of it look at. */

/** A yes that can be pressed now. */
export const ARMED = "button[value^=broadcast]:enabled:not([aria-disabled])";
export const armed = (page: Frame) => expect.poll(() => page.locator(ARMED).count()).toBe(1);

type Asks = Parameters<typeof waitingInChat>[2];
export type HostOptions = Partial<Parameters<typeof chatHost>[1]>;

/** A question in a conversation, with the host that draws it. */
export async function drawn(
  browser: Browser,
  { config, era, asks, ...options }: HostOptions & { config?: Record<string, unknown>; era?: Era; asks?: Asks } = {},
) {
  const { world, call, result: waits, ticket } = await waitingInChat(era, config, asks);
  const host = await chatHost(browser, { call, ...options });
  const result = (another: object = waits) => host.result(another);
  return { ...host, result, waits, ticket, call, world, mock: world.mock, clock: world.clock };
}

/** A question in a conversation whose host draws the page in the place of a form, while the call waits. */
export async function drawnAsForm(
  browser: Browser,
  { config = {}, era = "modern", asks = DEMAND, ...options }: Parameters<typeof drawn>[1] = {},
) {
  const world = await createWorld();
  const process = await world.process({ chat: { stateKey: randomBytes(32) }, config });
  const client = await hostOf(process, era, DRAWS_FORMS);
  const call = ({ name, arguments: args = {}, _meta = {} }: CallOfPage) =>
    client.callTool({ name, arguments: args, _meta });
  const host = await chatHost(browser, { call: (params) => world.clock.run(call(params)), ...options });
  const answers: unknown[] = [];
  let isAsked = false;
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    isAsked = true;
    const answer = await host.form(params);
    answers.push(answer);
    return answer as never;
  });
  const result = call(asks(world));
  await world.clock.until(() => isAsked);
  /** The call's own result, once the page has answered. */
  const ended = () => world.clock.run(result);
  return { ...host, ended, answers, world, mock: world.mock, clock: world.clock };
}

/** The forms that a page has sent. */
export const formsOf = ({ calls }: { calls: readonly { arguments?: Record<string, unknown> }[] }) =>
  calls.map((call) => (call.arguments?.form ?? {}) as Record<string, string>);

/** Until the page says that it stands before its person: a click before that goes nowhere. */
export const stands = (calls: Parameters<typeof formsOf>[0]["calls"]) =>
  expect.poll(() => formsOf({ calls }).some(({ display }) => display !== undefined)).toBe(true);

/** Lets the page look around itself for as long as it takes to arm a yes, and longer. */
export const LOOKED_MS = 2_500;
