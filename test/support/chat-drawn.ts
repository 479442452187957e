import type { Browser, Frame } from "playwright-core";
import { expect } from "vitest";
import type { Era } from "./chat.ts";
import { chatHost } from "./chat-host.ts";
import { waitingInChat } from "./chat-room.ts";

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

/** The forms that a page has sent. */
export const formsOf = ({ calls }: { calls: readonly { arguments?: Record<string, unknown> }[] }) =>
  calls.map((call) => (call.arguments?.form ?? {}) as Record<string, string>);

/** Until the page says that it stands before its person: a click before that goes nowhere. */
export const stands = (calls: Parameters<typeof formsOf>[0]["calls"]) =>
  expect.poll(() => formsOf({ calls }).some(({ display }) => display !== undefined)).toBe(true);

/** Lets the page look around itself for as long as it takes to arm a yes, and longer. */
export const LOOKED_MS = 2_500;
