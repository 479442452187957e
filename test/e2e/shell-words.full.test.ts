import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
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

const shell = (name: string) => ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find(existsSync);

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
    expect((await cli(["complete", "--", "confirm", ""], { env })).stdout).toBe("");
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

  it("that an older version wrote down: no completion offers it, and commands have it in quotes", async () => {
    const mock = await runningMock();
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
    const [evil = ""] = IDS;
    await recordedInHome(env.TOWOW_HOME, { origin: mock.url, id: evil });
    expect((await cli(["complete", "--", "confirm", ""], { env })).stdout).toBe("");
    const { findings } = JSON.parse((await cli(["doctor", "--json"], { env })).stdout);
    const { fix } = findings.find(({ check }: { check: string }) => check === "pauses");
    expect(fix).toBe(`towow-mcp confirm '${evil}'`);
  });
});

describe("completion", () => {
  const words = ["neg_$(touch RAN)", "a b", "*", "neg'x", "neg_1"];
  const offers = `towow-mcp() { printf '%s\\tmeaning\\n' "$OFFER_0" "$OFFER_1" "$OFFER_2" "$OFFER_3" "$OFFER_4"; }`;
  const offered = Object.fromEntries(words.map((word, i) => [`OFFER_${i}`, word]));

  it("bash inserts each as one word that means itself", async () => {
    const cwd = await temporaryHome();
    const script = (await cli(["completion", "bash"])).stdout;
    const run = `${script}\n${offers}\nCOMP_WORDS=(towow-mcp confirm ""); COMP_CWORD=2; _towow_mcp\n`;
    const use = `eval "set -- \${COMPREPLY[*]}"; printf '%s\\n' "$@"`;
    for (const first of ["", "set -f; "]) {
      const { stdout } = spawnSync("bash", ["-c", `${first}${run}${use}`], {
        encoding: "utf8",
        cwd,
        env: { PATH: process.env.PATH ?? "", ...offered },
      });
      expect(stdout.split("\n").slice(0, -1)).toEqual(words);
    }
    expect(existsSync(join(cwd, "RAN"))).toBe(false);
  });

  it.skipIf(shell("fish") === undefined)("so does fish", async () => {
    const cwd = await temporaryHome();
    const script = (await cli(["completion", "fish"])).stdout;
    const stub = `function towow-mcp; printf '%s\\tmeaning\\n' $OFFER_0 $OFFER_1 $OFFER_2 $OFFER_3 $OFFER_4; end`;
    const { stdout } = spawnSync(shell("fish")!, ["-c", `${script}\n${stub}\ncomplete -C 'towow-mcp confirm '`], {
      encoding: "utf8",
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: cwd, ...offered },
    });
    for (const word of words) expect(stdout).toContain(`${word}\tmeaning`);
    expect(existsSync(join(cwd, "RAN"))).toBe(false);
  });
});
