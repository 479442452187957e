// Codex by its app server, as editors drive it: what it would put before the person comes as requests of its own.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { modelSteps, type Row } from "./client.ts";
import { configured, env } from "./clients/codex.ts";
import { INTENTS, type Journey, type Kind, SECOND, seenAt } from "./journey.ts";
import type { Stop } from "./person.ts";
import { openPlace, type Place } from "./place.ts";
import { confirmInTerminal } from "./terminal.ts";

const PATIENCE_MS = 60_000;

interface Asked {
  message: string;
  mode: string;
  requestedSchema?: { properties?: Record<string, { enum?: string[]; oneOf?: { const: string }[] }> };
}
interface Message {
  id?: number | string;
  method?: string;
  params?: Asked & { turn?: { status?: string } };
  result?: { thread?: { id: string } };
}

export async function travelByAppServer(kind: Kind, bin: string): Promise<Journey> {
  const inTerminal = kind === "long";
  const script = { asks: true, inTerminal, inBackground: false, isLater: kind === "later", intent: INTENTS[kind] };
  const place = await openPlace(bin, modelSteps({ ...script, second: kind === "second" ? SECOND : undefined }));
  const from = Date.now();
  try {
    await configured(place);
    const stops = await converse(kind, place);
    return { ...seenAt(place, kind), stops, screen: "", seconds: (Date.now() - from) / 1000 };
  } finally {
    await place.close();
  }
}

async function converse(kind: Kind, place: Place): Promise<Stop[]> {
  const all = { ...place.env, ...env };
  const child = spawn("codex", ["app-server"], { cwd: place.project, env: all, stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => child.kill(), PATIENCE_MS);
  const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const turn = (id: number, threadId: string, text: string) =>
    say({ id, method: "turn/start", params: { threadId, input: [{ type: "text", text, text_elements: [] }] } });
  const stops: Stop[] = [];
  let threadId = "";
  let hasDecided = false;
  say({ id: 1, method: "initialize", params: { clientInfo: { name: "check", title: "Check", version: "1" } } });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, method, params, result } = JSON.parse(line) as Message;
      if (id === 1 && method === undefined) {
        say({ method: "initialized" });
        const approvalPolicy = kind === "headless" ? "never" : "on-request";
        say({ id: 2, method: "thread/start", params: { cwd: place.project, approvalPolicy } });
      }
      if (id === 2 && method === undefined) {
        threadId = result?.thread?.id ?? "";
        turn(3, threadId, "Join the scene with my résumé, and find me a product designer.");
      }
      if (method === "mcpServer/elicitation/request" && params !== undefined) {
        const asked = rowOf(params);
        const row = asked === "text" && stops.some((stop) => stop.row === "text") ? "second" : asked;
        const isLater = kind === "later" && row === "text";
        say({ id, result: isLater ? CANCEL : { action: "accept", content: firstChoices(params), _meta: null } });
        stops.push({ row, shows: isLater ? "closed" : SHOWS[row], keys: 1, screen: JSON.stringify(params, null, 1) });
      }
      if (method !== "turn/completed") continue;
      if (kind !== "long" || hasDecided) break;
      hasDecided = true;
      await confirmInTerminal(place);
      stops.push({ row: "text", shows: "no form shows it: `towow-mcp confirm`", keys: 1, screen: "" });
      turn(4, threadId, "Done.");
    }
  } finally {
    clearTimeout(timer);
    child.kill();
  }
  return stops;
}

const CANCEL = { action: "cancel", content: null, _meta: null };
const SHOWS: Readonly<Record<Row, string>> = {
  start: "",
  call: "a request to allow it",
  profile: "a form with all of it",
  text: "a form with all of it",
  second: "a form with all of it",
};

const rowOf = ({ message }: Asked): Row =>
  message.startsWith("Allow the") ? "call" : /^skills: /m.test(message) ? "profile" : "text";

/** The first of each field's choices, as Enter takes them in a form. */
const firstChoices = ({ requestedSchema }: Asked) =>
  Object.fromEntries(
    Object.entries(requestedSchema?.properties ?? {}).flatMap(([name, field]) => {
      const choice = field.enum?.[0] ?? field.oneOf?.[0]?.const;
      return choice === undefined ? [] : [[name, choice]];
    }),
  );
