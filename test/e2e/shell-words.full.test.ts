import { describe, expect, it } from "vitest";
import { runningMock, submits } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { recordedInHome } from "../support/home-facts.ts";
import { demand, joined } from "./bad-backend-support.ts";
import { expectFailure } from "./failure.ts";

/** Commands are printed with ids that a backend chose; a person copies them, and a model with a shell runs them. */

const IDS = ["neg_$(id)", "neg_`touch\tRAN`", "neg;id", "neg|id", "neg&id", "neg'x", 'neg"x', "neg<x", "neg*x"];
const MORE = ["--yes", "-y", "neg_{1,2}", "neg!x", "~root", "=ls", "neg_\u3164x", "neg_\u200Bx", "neg_\u0301\uFE0F"];

describe("the id of a negotiation", () => {
  it("that a shell would take for something else: the answer counts as malformed, and nothing shows it", async () => {
    const world = await joined();
    const env = { TOWOW_HOME: world.home, TOWOW_BACKEND_URL: world.mock.url };
    for (const [i, id] of [...IDS, ...MORE].entries()) {
      const body = JSON.stringify({ negotiation_id: id, state: "created", demand_raw: "x" });
      world.mock.faults.add({ route: "submit", kind: "status", status: 201, body });
      const lost = await demand(world, { intent: `A designer for the ward ${i}` });
      expectFailure(lost, "tool.backend.timeout.submit_outcome_unknown");
      expect(JSON.stringify(lost.result), id).not.toContain(JSON.stringify(id).slice(1, -1));
    }
    expect(submits(world.mock)).toHaveLength(IDS.length + MORE.length);
    const { stdout } = await cli(["list"], { env });
    expect(stdout).not.toMatch(/neg|--yes|~root/);
  });

  it("that a call names: refused before anything is asked", async () => {
    const world = await joined();
    const before = world.mock.journal.length;
    for (const negotiation_id of [...IDS, ...MORE])
      expectFailure(await world.session.call("towow_status", { negotiation_id }), "tool.input.invalid.id_malformed");
    const source = await world.session.call("towow_status", { negotiation_id: "neg_协商.1:b@c-d" });
    expectFailure(source, "tool.negotiation.not_found.unknown_negotiation");
    expect(world.mock.journal.length).toBe(before + 1);
  });

  it("that an older version wrote down: commands have it in quotes", async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
    const [evil = ""] = IDS;
    await recordedInHome(env.TOWOW_HOME, { origin: mock.url, id: evil });
    const { findings } = JSON.parse((await cli(["doctor", "--json"], { env })).stdout);
    const { fix } = findings.find(({ check }: { check: string }) => check === "pauses");
    expect(fix).toBe(`towow-mcp confirm '${evil}'`);
  });
});
