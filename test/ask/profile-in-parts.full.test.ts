import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitsMessage, MIN_FORM, surfaceOf } from "../../src/ask/client-forms.ts";
import { inParts } from "../../src/ask/permission.ts";
import { showInvisible } from "../../src/safety/invisible.ts";
import { requests } from "../support/backend.ts";
import type { Answer, Form } from "../support/clients.ts";
import { workOf } from "../support/work.ts";
import { createWorld, type ProcessOptions, type World } from "../support/world.ts";

/** A profile of real length, in a client that shows forms and opens no page. */

const PROFILE = {
  skills: ["product design", "hospital queues", "figma"],
  bio: "Designer of calm hospital software, twelve years beside nurses, ready from May; call 13800138000.",
};
const ZH_PROFILE = {
  skills: ["产品设计", "医院排队系统", "现场访谈"],
  bio: "做了十二年医院软件的产品设计师，习惯先和护士坐两天再动笔；做过分诊台、叫号屏和自助机，最近在帮三家社区医院重排候诊动线，五月起有空，可以远程，也可以驻场，预算可以商量。",
};
const LONG = { ...PROFILE, experience: "Ten years\nof work, told at length. ".repeat(28) };
/** More than anybody reads in forms. */
const BOOK = { ...PROFILE, experience: "Ten years of work, told at length. ".repeat(120) };

const YES: Answer = { action: "accept", content: { decision: "accept" } };
const NO: Answer = { action: "accept", content: { decision: "reject" } };
const FORMS = { flags: { mode: "developer" } };
const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const read = (text: string) => text.replaceAll(/[\s·↵]/g, "");
const fieldOf = ({ requestedSchema: { properties } }: Form) => properties.decision as Record<string, string[]>;

const TOOLS = { towow_join: "scene", towow_register_agent: "scene_id" } as const;
const argsOf = (world: World, tool: keyof typeof TOOLS, profile_data: object) => ({
  [TOOLS[tool]]: world.sceneId,
  display_name: "Lin",
  profile_data,
});

async function asked(tool: keyof typeof TOOLS, profile: object, options: ProcessOptions) {
  const world = await createWorld();
  const p = await world.process({ ...FORMS, ...options });
  const args = argsOf(world, tool, profile);
  return { world, p, args, called: await p.call(tool, args) };
}

describe.each(["towow_join", "towow_register_agent"] as const)("%s", (tool) => {
  it.each([
    ["en", PROFILE],
    ["zh", ZH_PROFILE],
    ["en", LONG],
  ])("in %s: shown whole in forms, one after the other, and sent by the yes in the last", async (lang, profile) => {
    const { world, p, called } = await asked(tool, profile, { answer: () => YES, config: { lang } });
    expect(called.result.error).toBeNull();
    expect(registrations(world)).toHaveLength(1);
    expect(p.forms.length).toBeGreaterThan(1);
    const shown = read(p.forms.map(({ message }) => message).join(""));
    for (const value of Object.values(profile).flat()) expect(shown).toContain(read(value));
    expect(shown).toContain(read({ en: "You cannot delete it later.", zh: "发布后无法删除。" }[lang] ?? ""));
    if ("13800138000" in profile) expect(shown).toContain("phone");
    for (const [i, form] of p.forms.entries()) {
      expect(fitsMessage(form.message, MIN_FORM)).toBe(true);
      const isLast = i === p.forms.length - 1;
      const { title, enumNames } = fieldOf(form);
      expect(title).toContain(String(p.forms.length));
      expect(enumNames?.[0]).toBe(
        {
          en: isLast ? "Send it to 127.0.0.1:9" : "Read on",
          zh: isLast ? "发送到 127.0.0.1:9" : "继续阅读",
        }[lang],
      );
    }
  });

  it("no hash sends it: the model is given none, and a computed one is ignored", async () => {
    const { world, p, args, called } = await asked(tool, PROFILE, { answer: () => ({ action: "cancel" }) });
    expect(JSON.stringify(called.result)).not.toContain("profile_hash");
    const given = await (await world.process(FORMS)).call(tool, args);
    const { profile_hash } = given.result.data;
    await p.call(tool, { ...args, profile_hash });
    expect(registrations(world)).toEqual([]);
  });

  it.each([
    ["more parts than anybody reads", BOOK, {}],
    ["a letter that no form draws", { ...PROFILE, bio: `${PROFILE.bio} a${"\u0301".repeat(5)}` }, {}],
    ["pages alone, which its client declines unseen", PROFILE, { elicitation: { url: {} }, unseen: true }],
  ])(
    "%s: the page in the person's own browser decides",
    async (_, profile, {
      unseen,
      ...options
    }: {
      unseen?: boolean;
      elicitation?: object;
    }) => {
      const answer = (): Answer => (unseen ? { action: "decline" } : YES);
      const { world, p, args, called } = await asked(tool, profile, { answer, ...options });
      expect(called.result.error).toMatchObject({
        code: "tool.policy.blocked.in_no_form",
        can_retry: false,
      });
      const { resume_with } = called.result.error ?? {};
      // Without the profile only a join goes on, to its scene; the AI has both from the call that was blocked.
      expect(resume_with?.pass_back).toEqual(tool === "towow_join" ? ["display_name", "profile_data"] : undefined);
      expect(resume_with?.needs).toBeUndefined();
      expect(p.opened).toHaveLength(1);
      expect(JSON.stringify(called.result)).not.toMatch(/profile_hash|approve/);
      await p.call(tool, args);
      expect(registrations(world)).toEqual([]);
      await p.sends[0]?.decide("accept", "own_window");
      expect((await p.call(tool, args)).result.error).toBeNull();
      expect(registrations(world)).toHaveLength(1);
    },
  );
});

// Beyond the arguments both tools ask in one way.
describe("asked in forms", () => {
  const tool = "towow_join";

  it.each([
    ["no", NO, "declined"],
    ["a decline", { action: "decline" } as Answer, "declined"],
    ["Esc", { action: "cancel" } as Answer, "undecided"],
    ["an answer that says nothing", { action: "accept", content: {} } as Answer, "undecided"],
  ])("%s at any part sends nothing", async (_, stop, warning) => {
    for (let at = 0; at < 2; at++) {
      let count = 0;
      const world = await createWorld();
      const answer = async (): Promise<Answer> => {
        if (count++ < at) return YES;
        await world.clock.sleep(1_000);
        return stop;
      };
      const p = await world.process({ ...FORMS, answer });
      const { result } = await p.call(tool, argsOf(world, tool, PROFILE));
      expect(result.warnings).toEqual([warning]);
      expect(p.forms).toHaveLength(at + 1);
      expect(registrations(world)).toEqual([]);
    }
  });

  it("one that fits one form says there what it replaces, and that it cannot be deleted", async () => {
    const { world, p } = await asked(tool, { skills: ["figma"], bio: "Designer." }, { answer: () => YES });
    expect(p.forms).toHaveLength(1);
    expect(p.forms[0]?.message).toMatch(/It replaces your name and profile everywhere\..*You cannot delete it later\./);
    expect(registrations(world)).toHaveLength(1);
  });

  it("a client that keeps line breaks and shows more rows needs fewer forms", async () => {
    const client = { name: "codex-mcp-client", version: "0.169.0" };
    const { world, p } = await asked(tool, LONG, { answer: () => YES, client });
    const few = p.forms.length;
    expect(p.forms[0]?.message).toContain("\nbio: ");
    expect(few).toBeLessThan((await asked(tool, LONG, { answer: () => YES })).p.forms.length);
    expect(registrations(world)).toHaveLength(1);
  });
});

describe("parts", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.constantFrom(
      "我需要一位懂医院排队系统的产品设计师，",
      "排队、分诊。",
      "two words ",
      "13800138000",
      "\n",
      "\t",
      "👩‍👩‍👧‍👦",
    ),
    fc.integer({ min: 30, max: 300 }).map((length) => "x".repeat(length)),
  );
  const lines = fc.array(
    fc.array(word, { maxLength: 15 }).map((words) => words.join("")),
    { minLength: 1, maxLength: 6 },
  );

  it.each(["claude-code", "codex-mcp-client", "copilot-cli"])(
    "of %s: each is shown whole, and together all of it",
    async (name) => {
      const shows = surfaceOf({ name, version: "99.0" }).form;
      let found = 0;
      const check = async (text: string[]) => {
        const parts = await inParts(text, shows);
        if (parts === undefined) return;
        found += 1;
        for (const part of parts) expect(fitsMessage(part, shows)).toBe(true);
        expect(read(parts.join(""))).toBe(read(text.map((line) => showInvisible(line)).join("")));
      };
      await fc.assert(fc.asyncProperty(lines, check), { numRuns: 15 });
      expect(found).toBeGreaterThan(5);
    },
  );

  it("of a megabyte: there are none, and that is found at once", async () => {
    const worked = await workOf(async () => {
      expect(await inParts(["word ".repeat(200_000)], MIN_FORM)).toBeUndefined();
      expect(await inParts(["x".repeat(1_000_000)], MIN_FORM)).toBeUndefined();
    });
    expect(worked).toBeLessThan(20_000);
  });
});
