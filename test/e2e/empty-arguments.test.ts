import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { givenArguments } from "../../src/tools/validate.ts";
import { submits } from "../support/backend.ts";
import { dialects, INTENT, join, pause, start } from "./bad-input-support.ts";

/** Many models fill in every argument that a schema names. */
const FILLED = { scene_id: "", negotiation_id: "", confirmation_id: "", decision: "", confirmed_text: "" };

describe.each(dialects)("%s", (_, connect, lang) => {
  it("a demand with every other argument empty is submitted, and decided on", async () => {
    const world = await start(connect, lang);
    await join(world);
    const asked = await world.session.call("towow_demand", { ...FILLED, intent: INTENT, allow_duplicate: false });
    expect(asked.result, asked.text).toMatchObject({ status: "ok", data: { state: "formulated" } });
    expect(submits(world.mock)).toHaveLength(1);
    const rejected = await world.session.call("towow_demand", {
      ...FILLED,
      intent: "",
      ...asked.result.data.resume_with.params,
      decision: "reject",
    });
    expect(rejected.result, rejected.text).toMatchObject({ status: "ok", data: { decision: "reject" } });
  });

  it("a look without words for anything is a look at the last one", async () => {
    const world = await start(connect, lang);
    await join(world);
    const { negotiation_id } = await pause(world);
    for (const empty of ["", null, [], {}]) {
      const { result, text } = await world.session.call("towow_status", { negotiation_id: empty, wait: empty });
      expect(result.data, text).toMatchObject({ negotiation_id });
    }
  });
});

it("what is empty of any kind is absent wherever an argument may be", () => {
  for (const tool of TOOLS) {
    const optional = Object.keys(tool.input.shape).filter(
      (name) => tool.input.shape[name]?.safeParse(undefined).success,
    );
    for (const empty of ["", null, [], {}, "[]", "{}"]) {
      const isText = (name: string) =>
        typeof empty === "string" && empty !== "" && !isListed(tool.inputSchema, name, empty);
      const filled = Object.fromEntries(optional.filter((name) => !isText(name)).map((name) => [name, empty]));
      expect(givenArguments(tool, filled), `${tool.name} ${JSON.stringify(empty)}`).toEqual({});
    }
  }
});

/** Whether a schema takes such JSON for an argument: a text that reads like JSON stays a text elsewhere. */
function isListed({ properties }: JsonSchema, name: string, json: string): boolean {
  const { type } = (properties as Record<string, { type?: string }>)[name] ?? {};
  return type === (json === "[]" ? "array" : "object");
}
