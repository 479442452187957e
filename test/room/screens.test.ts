import { describe, expect, it } from "vitest";
import type { Store } from "../../src/room/page/store.ts";
import type { RoomState } from "../../src/room/room-state.ts";
import { roomTexts } from "../../src/text/room.ts";
import { painted, paintedLive } from "../support/painted.ts";
import { printedPage } from "../support/printed-page.ts";
import { agent, asking, demand, moving, negotiation, over, room, stageAs } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { WORDS } from "../support/room-words.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";

/** What only the browser knows, each in a state in which it shows. */
const LIVE: Record<string, readonly [state: string, here: Partial<Store>]> = {
  offline: ["decide", { isOffline: true }],
  gone: ["decide-editing", { isGone: true }],
  "not-seen-to-its-end": ["decide", { isTextHeld: true, hasMore: true }],
  "just-begun": ["decide", { isNewStage: true }],
  "on-its-way": ["decide", { isSending: true }],
  "profile-not-seen-to-its-end": ["profile", { isTextHeld: true, hasMore: true }],
  "profile-empty": ["profile-empty", {}],
};

/** States that differ from the others in a word or two: what else can stand in a room. */
function more(lang: Lang): Record<string, RoomState> {
  const { raw, formulated, planAlone } = WORDS[lang];
  const say = roomTexts(lang);
  const noticed = (tone: "news" | "error", text: string) => asking(lang, {}, {}, { notice: { tone, text } });
  const hiding = negotiation(lang, { demand_formulated: `${formulated}\u202E!` });
  const did = (toolName: string, proposal?: string) =>
    asking(lang, {}, {}, { agent: { ...agent(lang, proposal), lastCall: { toolName, reason: WORDS[lang].reason } } });
  const tools = ["setField", "next", "prev", "postMessage", "proposeText", "refresh"];
  const alone = { plan_output: planAlone, participants: [] };
  return {
    "demand-joined-already": room(lang, {
      place: "demand",
      notice: { tone: "news", text: say.profile.joinedAlready },
    }),
    "decide-edited-own": asking(lang, {}, { edited: raw }),
    "decide-changed": noticed("error", say.decision.changed),
    "decide-own-change": noticed("news", say.decision.ownChange),
    "decide-agent-changed": noticed("error", say.agent.changed),
    "decide-invisible": asking(lang, { negotiation: hiding }),
    "decide-editing-invisible": asking(lang, { negotiation: hiding }, { isEditing: true }),
    "decide-with-agent-adds": did("proposeText", `${formulated} ${planAlone.slice(3, 8)}`),
    ...Object.fromEntries(tools.map((tool) => [`decide-agent-did-${tool}`, did(tool)])),
    "negotiating-nobody": moving(lang, { state: "synthesizing", participants: [] }),
    "negotiating-cancel-sent": moving(
      lang,
      { state: "offering" },
      { demand: demand(lang, stageAs("cancelling", "cancel", "broadcast"), { state: "offering" }) },
    ),
    "nobody-by-ai": over(lang, stageAs("over", "accept", "broadcast"), alone, {
      writtenBy: "ai",
      known: { compared: true },
    }),
  };
}

/** By how a state's name begins, the file in which it stands. */
const FILES = {
  before: ["scene", "profile", "demand", "formulating", "history"],
  decision: ["decide", "agent-at-the-door", "unread-asking"],
  negotiation: ["looking", "negotiating", "crowd", "synthesizing", "unread-moving", "unread-away"],
  end: "plan nobody all-left no-offers empty-plan withdrawn cancelled failed not-found unread-withdrawn unread-over".split(
    " ",
  ),
};

describe.each(LANGS)("every state of the room says what it said: %s", (lang) => {
  const states = { ...roomStates(lang), ...more(lang) };
  const screensIn = (file: keyof typeof FILES) =>
    Object.fromEntries(
      Object.entries(states)
        .filter(([name]) => FILES[file].some((begin) => name.startsWith(begin)))
        .map(([name, state]) => [name, printedPage(painted(state))]),
    );

  it("before a demand", () => expectScreens("room-before", lang, screensIn("before")));
  it("its decision", () => expectScreens("room-decision", lang, screensIn("decision")));
  it("its negotiation", () => expectScreens("room-negotiation", lang, screensIn("negotiation")));
  it("its end", () => expectScreens("room-end", lang, screensIn("end")));

  it("and no state is left out", () => {
    const begins = Object.values(FILES).flat();
    expect(Object.keys(states).filter((name) => !begins.some((begin) => name.startsWith(begin)))).toEqual([]);
  });

  it("what a browser adds", () => {
    const { lateClick } = roomTexts(lang);
    const unit = WORDS[lang].raw.slice(0, 50);
    const typing = (text: string) => paintedLive(states["decide-editing"]!, { drafts: { text } });
    const pages = {
      ...Object.fromEntries(Object.entries(LIVE).map(([name, [of, here]]) => [name, paintedLive(states[of]!, here)])),
      typed: typing(WORDS[lang].theirs),
      "too-long": typing(unit.repeat(401)),
      ...Object.fromEntries(
        Object.entries(lateClick).map(([why, text]) => [`late-${why}`, painted(states.withdrawn!, text)]),
      ),
    };
    const screens = Object.entries(pages).map(([name, html]) => [
      name,
      printedPage(html).replaceAll(unit.repeat(401), `${unit} (401 times)`),
    ]);
    return expectScreens("room-live", lang, Object.fromEntries(screens));
  });
});
