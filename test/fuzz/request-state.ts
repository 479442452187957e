import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { anyText, mutatedBytes } from "./material.ts";
import { target } from "./target.ts";

const STATE = { about: { kind: "formulation", negotiation_id: "neg_1", confirmation_id: "question" }, surface: "form" };
const NOBODY = {} as ServerContext;

/** What a client brings back between the rounds of a question: ours, or refused. */
export const requestState = target({
  name: "request state",
  batch: 500,
  input: fc.record({
    seal: fc.nat(1_000),
    bend: fc.oneof(
      fc.func(fc.constant(0)).map(() => undefined),
      mutatedBytes(fc.constant(Buffer.from("<state>"))).map((bytes) => bytes.toString("latin1")),
      anyText,
    ),
    cut: fc.nat(400),
    join: fc.nat(400),
  }),
  open() {
    const codec = createRequestStateCodec<unknown>({ key: new Uint8Array(32).fill(7), ttlSeconds: 60 });
    return {
      async check({ seal, bend, cut, join }) {
        const mine = await codec.mint({ ...STATE, seal });
        const other = await codec.mint({ ...STATE, seal: seal + 1, surface: "page" });
        const given = [
          bend?.replace("<state>", mine) ?? mine,
          mine.slice(0, cut) + other.slice(join),
          `${mine.slice(0, cut)}${bend ?? "A"}${mine.slice(cut)}`,
        ];
        for (const state of given) {
          const read = await codec.verify(state, NOBODY).catch((error: unknown) => {
            if (!/^(malformed|mac|expired|bind)$/.test(error instanceof Error ? error.message : "")) throw error;
          });
          const ours = [
            { ...STATE, seal },
            { ...STATE, seal: seal + 1, surface: "page" },
          ].map((it) => JSON.stringify(it));
          if (read !== undefined && !ours.includes(JSON.stringify(read))) throw new Error(`forged: ${state}`);
        }
      },
    };
  },
});
