import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Io } from "../../../src/app/io.ts";
import { decideAtTerminal } from "../../../src/commands/confirm.ts";
import { tellFailure } from "../../../src/commands/failure.ts";
import { runtimeOf } from "../../support/surfaces.ts";
import { type Door, OWN_TEXT } from "../door.ts";
import { besides, createHome, type Given, type Home } from "./argument.ts";

/** A terminal, whose keys come from a person and whose screen they read. */
function terminalOf({ world }: Home) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  let screen = "";
  const stdout = new Writable({
    write(bytes, _encoding, done) {
      screen += bytes;
      done();
    },
  });
  const none = () => io;
  const io = {
    ...{ env: {}, stdin, clock: world.clock, exitCode: undefined, cwd: () => "/", exit: () => {} },
    stdout: Object.assign(stdout, { isTTY: true, columns: 200, rows: 50 }),
    ...{ stderr: stdout, writeStderr: () => 0, on: none, once: none, off: none },
  } as unknown as Io;
  return {
    io,
    screen: () => stripVTControlCharacters(screen),
    types: (line: string) => void stdin.write(`${line}\r`),
    presses: (keys: string) => void stdin.write(keys),
  };
}

/** `towow-mcp confirm`, for a demand that came by a client. */
export async function terminal(given: Given): Promise<Door> {
  const home = await createHome(given);
  const { clock } = home.world;
  let id = "";
  let at = terminalOf(home);
  let isOver = true;
  const common = besides(home, () => id);
  /** The first group of what is on the screen, once it is there or the command has ended. */
  const sees = async (pattern: RegExp) => {
    await clock.until(() => isOver || pattern.test(at.screen()), { stepMs: 10 });
    return pattern.exec(at.screen())?.[1] ?? "";
  };
  const ask = async (negotiationId: string) => {
    id = negotiationId;
    at = terminalOf(home);
    isOver = false;
    const runtime = { ...runtimeOf(home.world, home.p), io: at.io };
    void decideAtTerminal(runtime, id)
      .then(
        () => {},
        (error) => tellFailure(at.io, error, "en"),
      )
      .finally(() => {
        isOver = true;
      });
    await sees(/\[w\]/);
    return { id: isOver ? undefined : id, said: { text: at.screen() } };
  };
  const ended = async () => {
    const before = at.screen().length;
    await clock.until(() => isOver);
    return { text: at.screen().slice(before) };
  };
  return {
    ...common,
    join: () => Promise.reject(new Error("it decides on demands alone")),
    async demand(intent) {
      const { result } = await home.p.call("towow_demand", { intent });
      return ask(result.data.negotiation_id);
    },
    ask,
    async decide(decision) {
      if (isOver) return { text: at.screen() };
      at.types({ accept: "a", change: "e", reject: "r" }[decision]);
      if (decision === "change") {
        await sees(/only a dot/);
        at.types(OWN_TEXT);
        at.types(".");
      }
      if (decision !== "reject") at.types(await sees(/Type (\d{4})/));
      return ended();
    },
    async leave() {
      at.presses("\x03");
      await clock.until(() => isOver);
    },
    async restart() {
      await common.restart();
      isOver = true;
    },
  };
}
