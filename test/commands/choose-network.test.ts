import { expect, it } from "vitest";
import { chooseNetwork, networkOf } from "../../src/commands/network/choose.ts";
import type { Prompts } from "../../src/commands/prompts.ts";
import { networkTexts } from "../../src/text/network.ts";

/** A person who chooses another address and types this one; what is said of it is undefined where it is taken. */
async function typed(text: string, file: Readonly<Record<string, unknown>>) {
  let said: string | undefined;
  const prompts = {
    select: async () => "other",
    text: async ({ validate }: Parameters<Prompts["text"]>[0]) => {
      said = (validate as (value: string) => string | undefined)(text);
      return said === undefined ? text : Symbol("left");
    },
  } as unknown as Prompts;
  return { address: await chooseNetwork(prompts, undefined, networkTexts("en"), file), said };
}

it("the question takes the addresses that the argument takes: plain http as far as the home allows it", async () => {
  const http = "http://towow.example";
  expect(await typed(http, {})).toEqual({
    address: undefined,
    said: expect.stringContaining("Type https://… or sandbox"),
  });
  expect(await typed(http, { allow_http: true })).toEqual({ address: http, said: undefined });
});

it("what is no address is refused in plain words, and not repeated: it may hold a secret", async () => {
  for (const text of ["foo", "https://me:s3cret@towow.example"]) {
    expect(await typed(text, {})).toEqual({ address: undefined, said: expect.not.stringContaining(text) });
    expect(() => networkOf(text, {})).toThrow(
      expect.objectContaining({ code: "tool.config.invalid.network", params: {} }),
    );
  }
});
