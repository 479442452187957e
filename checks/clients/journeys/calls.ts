// Programs that start the server for each call, as scripts use them: a person reads each result and gives the next call.
// Another client of the same home is open beside it, since nothing of a call outlives it.
import { spawn } from "node:child_process";
import type { Told } from "../dialects/dialect.ts";
import { modelSteps, PAGE_OPENED, PROFILE_SHOWN, TERMINAL_NEEDED, TEXT_SHOWN } from "./client.ts";
import { INTENTS, type Journey, type Kind, SECOND, seenAt } from "./journey.ts";
import { NAMED, ON_PAGE, type Stop } from "./person.ts";
import { openPlace, type Place } from "./place.ts";
import { confirmInTerminal } from "./terminal.ts";

/** One call of a tool as such a program is told to make it. */
type Command = (server: readonly string[], tool: string, input: Record<string, unknown>) => string[];

export interface Caller {
  id: string;
  title: string;
  npm: string;
  command: Command;
}

const whole = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export const callers: Caller[] = [
  {
    id: "mcporter",
    title: "mcporter call",
    npm: "mcporter@0.12.3",
    command: ([program = "", ...args], tool, input) => [
      ...["mcporter", "call", "--stdio", program, ...args.flatMap((one) => ["--stdio-arg", one])],
      ...["--name", "towow", tool, "--args", JSON.stringify(input), "--output", "json"],
    ],
  },
  {
    id: "inspector",
    title: "inspector --cli",
    npm: "@modelcontextprotocol/inspector@2.12.0",
    command: (server, tool, input) => [
      ...["mcp-inspector", "--cli", ...server, "--method", "tools/call", "--tool-name", tool],
      ...Object.entries(input).flatMap(([name, value]) => ["--tool-arg", `${name}=${whole(value)}`]),
    ],
  },
];

const PAGE_GONE = `${ON_PAGE}, which goes with the call, and ${NAMED}`;
const IN_RESULT = "the result shows it, and a further call sends it";

export async function travelByCalls({ command }: Caller, kind: Kind, bin: string): Promise<Journey> {
  const second = kind === "second" ? SECOND : undefined;
  const script = { asks: false, inTerminal: false, inBackground: false, isLater: kind === "later" };
  const steps = modelSteps({ ...script, intent: INTENTS[kind], second });
  const place = await openPlace(bin, []);
  const from = Date.now();
  const [program, ...args] = place.server;
  const beside = spawn(program, args, { cwd: place.project, env: place.env, stdio: ["pipe", "ignore", "ignore"] });
  beside.stdin.on("error", () => {}); // it may end first
  const results: Told[] = [];
  const stops: Stop[] = [];
  try {
    for (const step of steps) {
      const move = typeof step === "function" ? step(results) : step;
      if ("say" in move) {
        const stop = await stopAt(move.say, place);
        if (stop !== undefined) stops.push({ ...stop, keys: 1, screen: "" });
        continue;
      }
      const [caller = "", ...words] = command(place.server, move.tool, move.input);
      results.push({ isError: false, text: await place.run(caller, ...words) });
    }
    const texts = results.map(({ text }) => text);
    const screen = texts.at(-1) ?? "";
    return { ...seenAt(place, kind), results: texts, stops, seconds: (Date.now() - from) / 1000, screen };
  } finally {
    beside.kill();
    await place.close();
  }
}

async function stopAt(said: string, place: Place): Promise<Pick<Stop, "row" | "shows"> | undefined> {
  if (said === PROFILE_SHOWN) return { row: "profile", shows: IN_RESULT };
  if (said === TEXT_SHOWN) return { row: "text", shows: IN_RESULT };
  if (said !== TERMINAL_NEEDED && said !== PAGE_OPENED) return undefined;
  // A page goes with the call that opened it; the command stands beside it.
  await confirmInTerminal(place);
  return { row: "second", shows: said === PAGE_OPENED ? PAGE_GONE : NAMED };
}
