import { expect } from "vitest";
import { createWorld, type Process, type World } from "../support/world.ts";

export const ACCEPT = { action: "accept" as const, content: { decision: "accept" } };

export const reading =
  (world: World, { client }: Process) =>
  async (uri: string) => {
    const { contents } = await world.clock.run(client.readResource({ uri }));
    const [first] = contents as { text: string; mimeType: string }[];
    return first ?? { text: "", mimeType: "" };
  };

export async function opened(lang: "zh" | "en" = "en", flags: Record<string, unknown> = {}) {
  const world = await createWorld();
  const p = await world.process({ config: { lang }, flags, answer: () => ACCEPT, feed: true });
  const read = reading(world, p);
  const json = async (uri: string) => JSON.parse((await read(uri)).text);
  return { world, p, read, json };
}

export async function finished(lang: "zh" | "en" = "en", flags: Record<string, unknown> = {}) {
  const all = await opened(lang, flags);
  const { result } = await all.p.call("towow_demand", { intent: "machine learning" });
  await all.p.call("towow_status", { wait: "done" });
  return { ...all, id: result.data.negotiation_id as string };
}

export const refused = (message: RegExp) => ({ code: -32602, message: expect.stringMatching(message) });
