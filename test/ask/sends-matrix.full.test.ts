import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SEND_SURFACES } from "../../docs/generate/confirmation.ts";
import { cancels, requests } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, PROFILE, type Process, type ProcessOptions, type World } from "../support/world.ts";
import {
  answeringPage,
  type ByPage,
  CONDITIONS,
  type Given,
  isAboutPage,
  isPage,
  POLICIES,
  pageOf,
  tableOf,
  taintedWhere,
  type Verdict,
} from "./matrix-support.ts";
import { ACCEPT } from "./pause-support.ts";

/**
 * Who may have anything else done (agent layer §3): a profile sent, a scene created, what is broadcast stopped, a demand
 * withdrawn; by every surface, policy and state of taint, driven through a client. The table in `docs/confirmation.md`
 * is this one.
 */
const { cancel: _, ...SURFACES } = SEND_SURFACES; // `commands/cancel` drives that one
type Surface = keyof typeof SURFACES;

interface Deed {
  tool: string;
  args: (at: { sceneId: string; id: string }) => Record<string, unknown>;
  isDone: (world: World) => boolean;
  /** It is about a negotiation: undecided, or on its way to the agents. */
  about?: "waiting" | "moving";
}

/** Slow enough that what was accepted is still on its way at the end. */
const SLOW_MS = 20_000;
const PATIENT = { wait_budget_s: 3_600, confirm_deadline_s: 3_000 };
const registered = (world: World) => requests(world.mock, "POST", /\/agents$/).length > 0;
const stopped = ({ mock }: World) => cancels(mock).length > 0;
const profile = { display_name: "Lin", profile_data: PROFILE };
/** More than one form shows. */
const LONG = { ...PROFILE, experience: "Ten years of work, told at length. ".repeat(10) };

const DEEDS = {
  join: { tool: "towow_join", args: ({ sceneId }) => ({ scene: sceneId, ...profile }), isDone: registered },
  register: {
    tool: "towow_register_agent",
    args: ({ sceneId }) => ({ scene_id: sceneId, ...profile }),
    isDone: registered,
  },
  scene: {
    tool: "towow_create_scene",
    args: () => ({ name: "A", description: "B" }),
    isDone: ({ mock }) => requests(mock, "POST", /\/scenes$/).length > 0,
  },
  cancel: {
    tool: "towow_demand",
    args: ({ id }) => ({ negotiation_id: id, decision: "cancel" }),
    isDone: stopped,
    about: "moving",
  },
  action: {
    tool: "towow_action",
    args: ({ id }) => ({ negotiation_id: id, action: "cancel" }),
    isDone: stopped,
    about: "moving",
  },
  withdraw: {
    tool: "towow_demand",
    args: ({ id }) => ({ negotiation_id: id, decision: "reject" }),
    isDone: stopped,
    about: "waiting",
  },
} satisfies Record<string, Deed>;
type DeedName = keyof typeof DEEDS;

interface Cell extends Given {
  deed: DeedName;
  surface: Surface;
}

/** Another home or backend can do what it likes for itself; it is asked what it can do to a negotiation of this one. */
const isAboutOthers = (surface: Surface): boolean => surface === "other" || surface === "origin";
/** What asks nobody has no page. */
const applies = ({ deed, surface }: Pick<Cell, "deed" | "surface">): boolean => {
  const { about }: Deed = DEEDS[deed];
  if (isAboutOthers(surface)) return about !== undefined;
  if (surface === "parts" || surface === "hash") return deed === "join" || deed === "register";
  return about !== "waiting" || !(isPage(surface) || isAboutPage(surface) || surface === "form");
};

const optionsOf = (world: World, surface: Surface, config: Record<string, unknown>): ProcessOptions => {
  const options: ProcessOptions = { flags: { mode: "developer" }, config };
  if (isPage(surface)) return { ...options, elicitation: { url: {} }, answer: () => ({ action: "cancel" }) as const };
  if (isAboutPage(surface)) return { ...options, ...answeringPage(world, surface) };
  switch (surface) {
    case "form":
    case "parts":
      return { ...options, answer: () => ACCEPT };
    case "hash":
      return { ...options, answer: () => ({ action: "cancel" }) };
    case "command":
      return { ...options, fromCommandLine: true, browser: "none" };
    case "terminal":
      return { ...options, fromCommandLine: true, atTerminal: async () => true };
    case "other":
      return { ...options, stranger: "other" };
    case "origin":
      return { ...options, config: { ...config, backend_url: "http://127.0.0.1:10" } };
    default:
      return options;
  }
};

/** A negotiation of this home, undecided or accepted a moment ago, with nothing of others in it yet. */
async function submitted(world: World, about: "waiting" | "moving"): Promise<string> {
  const p = await world.process({ flags: { mode: "developer" }, config: PATIENT });
  const { data } = (await p.call("towow_demand", { intent: "A designer" })).result;
  if (about === "moving") await p.call("towow_demand", { ...data.resume_with.params, decision: "accept" });
  return data.negotiation_id as string;
}

async function driven({ deed, surface, policy, tainted }: Cell): Promise<Verdict> {
  const { tool, args, isDone, about }: Deed = DEEDS[deed];
  const world = await createWorld({ stepMs: SLOW_MS, confirmTimeoutMs: 3_000_000, formulationTimeoutMs: 3_000_000 });
  const id = about === undefined ? "" : await submitted(world, about);
  await taintedWhere(tainted, world);
  const p = await world.process(optionsOf(world, surface, { ...PATIENT, confirmation_policy: policy }));
  const long = (surface === "parts" || surface === "hash") && { profile_data: LONG };
  const given = { ...args({ sceneId: world.sceneId, id }), ...long };
  if (surface === "hash") await p.call(tool, { ...given, profile_hash: await hashOf(world, tool, given) });
  const { result } = await sendProfile(p.call, tool, given);
  const why = result.error?.code ?? (result.warnings[0] || result.status);
  if (isDone(world) || !isPage(surface)) return { accepted: isDone(world), why };
  const status = await atPage(world, p, surface);
  await sendProfile(p.call, tool, given);
  return { accepted: isDone(world), why: status };
}

/** As a client without forms is given it. */
async function hashOf(world: World, tool: string, given: object): Promise<string> {
  const p = await world.process({ flags: { mode: "developer" } });
  const { result } = await p.call(tool, { ...given });
  return result.data?.profile_hash ?? "0123456789abcdef"; // none is given after text of others
}

/** Comes to the page that the call has made, and says yes there. Gives what the page answered. */
async function atPage(world: World, p: Process, surface: ByPage): Promise<string> {
  const [request] = p.sends;
  if (request === undefined) return "no page";
  const { path, ask } = await pageOf(world, p, surface, (pages) => pages.openPermission(request));
  await ask(path);
  return String((await ask(path, { decision: "accept" })).status);
}

/** What must be. A withdrawal is free; a scene is no secret; under `strict` only the page and the terminal count. */
function expected({ deed, surface, policy, tainted }: Cell): boolean {
  if (isAboutOthers(surface)) return false;
  if (deed === "withdraw") return true;
  // Nothing is asked about a scene before text of others has been read.
  if (deed === "scene" && !tainted) return true;
  switch (surface) {
    case "window":
    case "known":
    case "signed":
    case "terminal":
      return true;
    case "form":
    case "parts":
    case "elicited":
      return policy === "auto";
    case "argument":
    case "second":
    case "command":
      return policy === "auto" && !tainted;
    default:
      return false;
  }
}

const CELLS: Cell[] = (Object.keys(DEEDS) as DeedName[]).flatMap((deed) =>
  (Object.keys(SURFACES) as Surface[])
    .filter((surface) => applies({ deed, surface }))
    .flatMap((surface) => CONDITIONS.map((given) => ({ deed, surface, ...given }))),
);

describe("who has it done", () => {
  const verdicts: [Cell, Verdict][] = [];

  it.each(CELLS.map((cell) => [Object.values(cell).join(" · "), cell] as const))("%s", async (_, cell) => {
    const verdict = await driven(cell);
    expect(verdict.accepted, verdict.why).toBe(expected(cell));
    verdicts.push([cell, verdict]);
  });

  it("each is answered as the snapshot says", async () => {
    const rows = verdicts.map(([{ deed, surface, ...given }, verdict]) => {
      return { row: [deed, SURFACES[surface]], given, verdict };
    });
    await expect(tableOf(rows)).toMatchFileSnapshot("snapshots/who-has-it-done.txt");
  });
});

it("the table in the docs is this one", () => {
  const written = readFileSync(new URL("../../docs/confirmation.md", import.meta.url), "utf8");
  const wordOf = (deed: DeedName, surface: Surface): string => {
    if (!applies({ deed, surface })) return "–";
    const can = (given: Given) => expected({ deed, surface, ...given });
    const where = POLICIES.flatMap((policy) => {
      const both = [false, true].map((tainted) => can({ policy, tainted }));
      return both[0] ? [both[1] ? policy : `${policy}, before`] : [];
    });
    return (
      { "auto,strict": "yes", "auto, before,strict, before": "before", "": "no" }[where.join()] ?? where.join("; ")
    );
  };
  for (const surface of Object.keys(SURFACES) as Surface[]) {
    const cells = (["join", "scene", "cancel", "withdraw"] as const).map((deed) => wordOf(deed, surface));
    expect(written).toContain(`| ${[SURFACES[surface], ...cells].join(" | ")} |`);
  }
});
