import { describe, it } from "vitest";
import { attemptsId } from "../../src/negotiation/facts.ts";
import { sha256 } from "../support/facts.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { type Machine, machine, machineWithBackend, timeAt } from "./screens-support.ts";

/** What the commands write, into a pipe and into a terminal with a person before it. */

type Shown = (lang: Lang) => Promise<string>;
const WANT = {
  en: ["A designer for a hospital pilot", "An editor for two weeks", "A translator", "A nurse", "A host"],
  zh: ["找一位懂医院的设计师", "找一位编辑，两周", "找一位翻译", "找一位护士", "找一位主持"],
};
const owner = { instance: "gone", pid: 2_147_483_646 };
const decided = (kind: string, by: string, time: string) => ({ at: timeAt(time), kind, by, owner });

/** Lines, each with what it wrote. */
async function each(it: Machine, ...lines: (string | readonly string[])[]): Promise<string> {
  const shown: string[] = [];
  for (const line of lines)
    shown.push(`$ towow-mcp ${it.shown(typeof line === "string" ? line : line.join(" "))}\n${await it.runs(line)}`);
  return shown.join("\n");
}
const onNewMachine =
  (...lines: (string | readonly string[])[]): Shown =>
  async (lang) =>
    each(await machine(lang), ...lines);
const withFile =
  (file: object, ...lines: (string | readonly string[])[]): Shown =>
  async (lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json", JSON.stringify(file));
    return each(it, ...lines);
  };

/** From now on nothing answers, and how long a program tries again is drawn: so is the time that is left. */
async function goesAway({ mock, masks }: Awaited<ReturnType<typeof machineWithBackend>>): Promise<void> {
  masks.push([/(?<![\d:])\d:\d\d(?![\d:])/g, "m:ss"]);
  await mock.close();
}

/** A machine on which each kind of negotiation is remembered. */
async function lived(lang: Lang) {
  const it = await machineWithBackend(lang, { auth: false });
  it.known({ last_scene_id: it.mock.sceneId });
  const [waits = "", offering = "", plan = "", no = "", lost = ""] = WANT[lang];
  const over = { state: "completed" } as const;
  const person = (n: number, more = {}) => ({
    agent_id: `agent_${n}`,
    display_name: `Agent ${n}`,
    resonance_score: n / 10,
    state: "active",
    offer_content: null,
    offer_capabilities: null,
    ...more,
  });
  const offered = { state: "replied", offer_content: "I can do that." };
  const rejected = await it.demand({
    intent: no,
    at: timeAt("09:03:00"),
    shows: over,
    facts: {
      "decided.1": decided("reject", "page", "09:05:00"),
      "outcome.1": { at: timeAt("09:05:01"), kind: "cancelled", participants: 0, in_time: true },
    },
  });
  const yes = (time: string) => ({
    "decided.1": decided("accept", "form", time),
    "outcome.1": { at: timeAt(time), kind: "confirmed" },
  });
  const planned = await it.demand({
    intent: plan,
    at: timeAt("10:11:00"),
    shows: {
      ...over,
      plan_output: "## Plan\n\nMeet.",
      center_rounds: 2,
      participants: [person(8, offered), person(7, offered), person(6, { state: "exited" })] as never,
    },
    facts: yes("10:12:00"),
  });
  await it.demand({
    intent: offering,
    at: timeAt("11:47:00"),
    shows: { state: "offering", participants: [person(9, offered), person(5)] as never },
    facts: yes("11:49:00"),
  });
  const id = await it.demand({ intent: waits, at: timeAt("11:58:00") });
  await it.facts.create({ origin: it.mock.url, id: attemptsId(sha256("lost")) }, "attempt.1", {
    at: timeAt("11:31:00"),
    owner,
    scene_id: it.mock.sceneId,
  });
  return { ...it, id, planned, rejected, lost };
}

const NEGOTIATIONS: Record<string, Shown> = {
  "nothing yet": onNewMachine("list", "reviews", "scenes", "confirm", "cancel", "watch", "report", "forget"),
  "no negotiation yet": async (lang) => {
    const it = await machineWithBackend(lang);
    return each(it, "list", "reviews", "confirm", "cancel", "watch --plain", "report", "whoami");
  },
  "several of each kind": async (lang) => {
    const it = await lived(lang);
    return each(
      it,
      "list",
      "list -n 1",
      "list --json",
      "reviews",
      `reviews ${it.planned}`,
      "cancel",
      `cancel ${it.id}`,
      "whoami",
    );
  },
  "the overview, in a terminal": async (lang) => (await lived(lang)).typed([]),
  "the overview, nothing chosen yet": async (lang) => (await machine(lang)).typed([]),
  "the overview, the backend is away": async (lang) => {
    const it = await lived(lang);
    await goesAway(it);
    return it.typed([]);
  },
  "the overview, an address that is none": async (lang) =>
    (await machine(lang)).typed([], [], { env: { TOWOW_BACKEND_URL: "no address" } }),
  "the backend is away": async (lang) => {
    const it = await lived(lang);
    await goesAway(it);
    return each(it, "list", "scenes", `cancel ${it.id} --yes`);
  },
  "a no whose program has ended before it arrived": async (lang) => {
    const it = await machineWithBackend(lang, { auth: false });
    const [intent = ""] = WANT[lang];
    await it.demand({
      intent,
      at: timeAt("11:58:00"),
      facts: { "decided.1": decided("reject", "terminal", "11:59:00") },
    });
    const seen = await each(it, "list", "doctor");
    await goesAway(it);
    const away = await each(it, "list", "doctor");
    const late = timeAt("12:04:00") - it.clock.now();
    await it.clock.advance(late);
    return `${seen}\n${await it.typed("")}\n${away}\n${await each(it, "list", "doctor")}`;
  },
  "a no that a running program sends, with the backend away": async (lang) => {
    const it = await machineWithBackend(lang, { auth: false });
    const [intent = ""] = WANT[lang];
    const facts = { "decided.1": decided("reject", "terminal", "11:59:00") };
    await it.demand({ intent, at: timeAt("11:58:00"), facts, isRunning: true });
    await goesAway(it);
    return `${await each(it, "list", "doctor")}\n${await it.typed("")}`;
  },
  "a yes whose program has ended before it arrived": async (lang) => {
    const it = await machineWithBackend(lang, { auth: false });
    const [intent = ""] = WANT[lang];
    const facts = { "decided.1": decided("accept", "terminal", "11:59:00") };
    await it.demand({ intent, at: timeAt("11:58:00"), facts });
    return each(it, "list", "doctor");
  },
  "the backend knows nothing any more": async (lang) => {
    const it = await lived(lang);
    it.mock.faults.add({ route: "get", kind: "status", status: 404, times: Number.POSITIVE_INFINITY });
    return each(it, "list");
  },
  "cancelled with --yes, and again": async (lang) => {
    const it = await lived(lang);
    return each(it, `cancel ${it.id} --yes`, `cancel ${it.id} --yes`, "cancel neg_000000000000 --yes");
  },
  "what is over, to confirm and to cancel": async (lang) => {
    const it = await lived(lang);
    const lines = [`confirm ${it.planned}`, `confirm ${it.rejected}`, `cancel ${it.planned}`, `cancel ${it.rejected}`];
    let shown = "";
    for (const line of lines) shown += `$ towow-mcp ${line}\n${await it.typed(line)}\n`;
    return shown;
  },
  "a no whose program has ended, to confirm and to cancel": async (lang) => {
    const it = await machineWithBackend(lang, { auth: false });
    const [intent = ""] = WANT[lang];
    const facts = { "decided.1": decided("reject", "terminal", "11:59:00") };
    const id = await it.demand({ intent, at: timeAt("11:58:00"), facts });
    return `${await it.typed(`confirm ${id}`)}\n${await it.typed(`cancel ${id}`)}`;
  },
  "a no to cancelling, in a terminal": async (lang) => {
    const it = await lived(lang);
    return it.typed(`cancel ${it.id}`, ["n"]);
  },
  "a text is withdrawn by hand, after a word that decides nothing": async (lang) => {
    const it = await lived(lang);
    return it.typed(`confirm ${it.id}`, ["maybe", "r"]);
  },
  "scenes, as a list and from a backend without one": async (lang) => {
    const [it, legacy] = [await machineWithBackend(lang), await machineWithBackend(lang, { legacyRoutes: true })];
    return `${await each(it, "scenes", "scenes --status nonsense")}\n${await each(legacy, "scenes")}`;
  },
  "an address that is wrong": async (lang) => {
    const it = await machine(lang, { TOWOW_BACKEND_URL: "http://towow.example" });
    return each(it, "list", "confirm", "whoami", "call towow_status", "network");
  },
};

const TOKEN = "secret-token-of-mine";
const HOME = {
  backend_url: "https://towow.example",
  last_scene_id: "scene_b071c7724831",
  mode: "developer",
  wait_budget_s: 30,
};
const identities = (expires_at: string) => ({
  "https://towow.example": { user_id: "u-1", api_token: TOKEN, expires_at },
});

const SETTINGS: Record<string, Shown> = {
  "a new machine": onNewMachine("config", "config get mode", "whoami", "network", "sandbox", "config get toolset"),
  "settings of one's own": withFile(
    { ...HOME, identities: identities("2031-05-06T07:08:09Z") },
    "config",
    "config get mode",
    "whoami",
    "network",
    "config get backend_url",
    "config set wait_budget_s 45",
    "config unset wait_budget_s",
    "config unset wait_budget_s",
    "config set mode normal",
  ),
  "an expired token": withFile({ ...HOME, identities: identities("2020-01-01T00:00:00Z") }, "whoami"),
  "a token from the environment": async (lang) =>
    each(await machine(lang, { TOWOW_API_TOKEN: TOKEN, TOWOW_BACKEND_URL: "https://towow.example" }), "whoami"),
  "what is refused": withFile(
    { mode: "normal", identities: identities("2031-05-06T07:08:09Z") },
    "config set mode odd",
    "config set wait_budget_s -1",
    "config set nonsense 1",
    "config set backend_url http://towow.example",
    "config set allow_tools towow_odd",
    `config set api_token ${TOKEN}`,
    "config set identities {}",
    "config unset user_id",
    "config odd",
    "config set mode odd",
    "network odd",
    "forget --browser x",
    "forget --identity",
  ),
  "strict is not loosened": withFile(
    { confirmation_policy: "strict" },
    "config set confirmation_policy auto",
    "config unset confirmation_policy",
    "config set on_unconfirmed leave",
    "config set confirm_deadline_s 100",
  ),
  "strict is loosened by hand, or not": async (lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json", JSON.stringify({ confirmation_policy: "strict" }));
    const line = "config set confirmation_policy auto";
    return `${await it.typed(line, ["y"])}\n${await it.typed(line, ["yes"])}`;
  },
  "the environment wins": async (lang) =>
    each(
      await machine(lang, { TOWOW_MODE: "normal", TOWOW_WAIT_BUDGET_S: "soon" }),
      "config set mode developer",
      "config",
    ),
  "a corrupt file is kept aside": async (lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json", "{ no");
    it.masks.push([/corrupt-[\w.-]+\.json/g, "corrupt-….json"]);
    return each(it, "config set mode developer");
  },
  forgotten: async (lang) => {
    const it = await lived(lang);
    return `${await each(it, "forget", "forget --yes --force", "forget --yes")}\n${await each(it, "forget --all --yes")}`;
  },
  "forgotten by hand, or not": async (lang) => {
    const it = await lived(lang);
    return `${await it.typed("forget --force", ["no"])}\n${await it.typed("forget --force", ["yes"])}`;
  },
  "a network is chosen": async (lang) => {
    const it = await lived(lang);
    delete it.env.TOWOW_BACKEND_URL;
    const other = await machineWithBackend(lang, { seed: 9 });
    const url = other.mock.url.replace("127.0.0.1", "localhost");
    it.masks.push(...other.masks.slice(-1));
    return each(it, "network", `network ${url}`, `network ${url}`, "network");
  },
  "a variable names the network, and wins over a choice": async (lang) =>
    each(await machine(lang, { TOWOW_BACKEND_URL: "http://127.0.0.1:9" }), "network", "network sandbox", "sandbox"),
  "a variable names no network": async (lang) =>
    each(await machine(lang, { TOWOW_BACKEND_URL: "odd" }), "network", "network sandbox"),
  "what is typed wrong": onNewMachine(
    "lst",
    "list --nonsense",
    "list -n 0",
    "watch a b",
    "config get",
    "call",
    "call towow_odd",
    "call towow_status {",
    "watch --json --plain",
    "report --format pdf",
    "serve --port odd",
  ),
};

const HELP = [
  "",
  "setup",
  "network",
  "config",
  "config set",
  "list",
  "watch",
  "confirm",
  "cancel",
  "report",
  "reviews",
  "scenes",
  "call",
  "doctor",
  "whoami",
  "forget",
  "open",
  "demo",
  "sandbox",
  "serve",
  "stdio",
  "mock",
  "token",
];

describe.each(LANGS)("commands: %s", (lang) => {
  const printed = async (shown: Record<string, Shown>) => {
    const screens: Record<string, string> = {};
    for (const [name, show] of Object.entries(shown)) screens[name] = await show(lang);
    return screens;
  };

  it("about negotiations", async () => {
    await expectScreens("negotiations", lang, await printed(NEGOTIATIONS));
  });

  it("about settings, and what is refused", async () => {
    await expectScreens("settings", lang, await printed(SETTINGS));
  });

  it("their help", async () => {
    const it = await machine(lang);
    const screens: Record<string, string> = {};
    for (const command of HELP) screens[command || "towow-mcp"] = await it.runs(`${command} --help`);
    await expectScreens("help", lang, screens);
  });
});
