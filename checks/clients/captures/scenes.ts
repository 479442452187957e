// What happens in each filmed sitting.
import wrapAnsi from "wrap-ansi";
import { answerPage } from "../journeys/page.ts";
import type { Sitting } from "./sitting.ts";
import { WORDS } from "./words.ts";

export interface Scene {
  /** The name of its file. */
  id: string;
  title: string;
  /** The demand is one that no form shows whole. */
  isLong?: true;
  overHttp?: true;
  /** What the model says: of what the person types on the way, and at the end. */
  asksLater?: true;
  ends: "plan" | "withdrawn";
  play: (sitting: Sitting) => Promise<void>;
}

const QUESTION = /requests your input|wants to open a URL/;
const ENDED = /\(towow\/towow_demand\)\s*completed/;
const QUESTION_AFTER_MS = 4_000;
const ENDS_WITHIN_MS = 90_000;

/** From the person's words to the question, which comes up while they type something else. */
async function untilAsked({ lang, say, type, see, frame, press, count }: Sitting): Promise<void> {
  const { prompt, meanwhile, says } = WORDS[lang];
  await say(prompt);
  await see(new RegExp(says.background.slice(0, 8)));
  await frame("the demand goes to the background");
  await type(meanwhile);
  await see(/needs your input/);
  await frame("the text is there while something else is typed: “needs your input”");
  await press("Enter");
  await see(QUESTION);
  count();
}

/** Every character of the text stands on the screen, apart from the spaces where rows break. */
function standsWhole(text: string, screen: string): void {
  const read = (some: string) => some.replaceAll(/\s/g, "");
  if (!read(screen).includes(read(text))) throw new Error(`not whole on the screen: ${text}\n${screen}`);
}

const textOf = ({ place }: Sitting): string => String(place.mock.negotiations()[0]?.demand_formulated ?? "");

async function wholeInForm(sitting: Sitting): Promise<void> {
  await sitting.frame("the question, with the text whole");
  standsWhole(textOf(sitting), sitting.screen());
}

/** Takes the n-th choice of the form. */
async function choose({ press, frame }: Sitting, n: number): Promise<void> {
  await press("Right");
  await frame("its choices");
  await press(...Array.from({ length: n }, () => "Down"), "Enter");
  await frame("chosen; Enter sends it");
  await press("Enter");
}

async function untilEnd({ lang, see, frame }: Sitting, ends: "plan" | "withdrawn"): Promise<void> {
  await see(ENDED, ENDS_WITHIN_MS);
  await see(new RegExp(WORDS[lang].says[ends].slice(0, 6)));
  await frame(ends === "plan" ? "woken with the plan" : "woken with the end");
}

const YES = 0;
const CHANGE = 1;
const WITHDRAW = 2;

async function inForm(sitting: Sitting): Promise<void> {
  await untilAsked(sitting);
  await wholeInForm(sitting);
  await choose(sitting, YES);
  await untilEnd(sitting, "plan");
}

const inColumns = (text: string): string => wrapAnsi(text, 100, { hard: true });

/** The question names the page; Enter opens it, and one click there decides. */
async function onPage(sitting: Sitting, own?: string): Promise<void> {
  const { press, frame, keep, place, token } = sitting;
  await frame("the question about a page; Enter opens it");
  await press("Enter");
  const formulated = textOf(sitting);
  const { asked, text, compared, decided } = await answerPage(place.opened, { token, ...(own && { text: own }) });
  standsWhole(formulated, text);
  keep("the page in the browser, as text", inColumns(asked));
  if (compared !== undefined) keep("the person's own text, beside the network's", inColumns(compared));
  keep("the page after the click", inColumns(decided));
}

async function onPageToPlan(sitting: Sitting): Promise<void> {
  await untilAsked(sitting);
  await onPage(sitting);
  await sitting.frame("back in the terminal after the click");
  await sitting.press("Enter");
  await untilEnd(sitting, "plan");
}

/** The open question of a task, by /tasks. */
async function answerInTasks({ say, press, see, shows, frame }: Sitting): Promise<void> {
  await say("/tasks");
  await see(/Server task:|needs your input|waiting for your answer/);
  await frame("/tasks");
  // A client that is busy may lose the key.
  for (let tries = 0; tries < 5 && !(await shows(QUESTION, tries === 0 ? 0 : QUESTION_AFTER_MS)); tries++)
    await press("Enter");
  await see(QUESTION);
}

export const SCENES: readonly Scene[] = [
  { id: "accept", title: "accepted in the form", ends: "plan", play: inForm },
  {
    id: "change",
    title: "changed first",
    ends: "plan",
    async play(sitting) {
      await untilAsked(sitting);
      await wholeInForm(sitting);
      await choose(sitting, CHANGE);
      await sitting.see(/wants to open a URL/);
      await onPage(sitting, WORDS[sitting.lang].changed);
      await sitting.press("Enter");
      await untilEnd(sitting, "plan");
      standsWhole(WORDS[sitting.lang].changed, sitting.place.mock.negotiations()[0]?.confirmedText ?? "");
    },
  },
  {
    id: "withdraw",
    title: "withdrawn",
    ends: "withdrawn",
    async play(sitting) {
      await untilAsked(sitting);
      await wholeInForm(sitting);
      await choose(sitting, WITHDRAW);
      await untilEnd(sitting, "withdrawn");
    },
  },
  {
    id: "later",
    title: "Esc, and later",
    asksLater: true,
    ends: "plan",
    async play(sitting) {
      await untilAsked(sitting);
      await wholeInForm(sitting);
      await sitting.press("Escape");
      await sitting.see(/needs your input/);
      await sitting.frame("Esc: it waits");
      await sitting.say(WORDS[sitting.lang].later);
      await sitting.see(new RegExp(WORDS[sitting.lang].says.later.slice(0, 6)));
      await sitting.frame("the next thing that the person says reminds of it");
      await answerInTasks(sitting);
      await wholeInForm(sitting);
      await choose(sitting, YES);
      await untilEnd(sitting, "plan");
    },
  },
  { id: "page", title: "1,500 characters, on the page", isLong: true, ends: "plan", play: onPageToPlan },
  {
    id: "restart",
    title: "the server killed while it asks",
    ends: "plan",
    async play(sitting) {
      const { press, see, frame, say, killServer } = sitting;
      await untilAsked(sitting);
      await wholeInForm(sitting);
      await press("Escape");
      killServer();
      await say("/mcp");
      await see(/✘ towow/);
      await frame("killed; /mcp says so");
      await press("Enter");
      await see(/Reconnect/);
      await press("Enter");
      await see(/Reconnected to towow/);
      await see(/needs your input/);
      await frame("started again: the same task asks again");
      await answerInTasks(sitting);
      await wholeInForm(sitting);
      await choose(sitting, YES);
      await untilEnd(sitting, "plan");
    },
  },
  { id: "http", title: "over HTTP, two replicas", overHttp: true, ends: "plan", play: inForm },
  {
    id: "http-restart",
    title: "over HTTP, both replicas killed in turn while it asks",
    overHttp: true,
    ends: "plan",
    async play(sitting) {
      await untilAsked(sitting);
      await wholeInForm(sitting);
      await sitting.press("Escape");
      await sitting.restartReplicas();
      await sitting.see(/needs your input/);
      await sitting.frame("both replicas killed and started again: it still asks");
      await answerInTasks(sitting);
      await wholeInForm(sitting);
      await choose(sitting, YES);
      await untilEnd(sitting, "plan");
    },
  },
  {
    id: "http-page",
    title: "over HTTP, two replicas, 1,500 characters",
    overHttp: true,
    isLong: true,
    ends: "plan",
    play: onPageToPlan,
  },
];
