import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "../../../src/mcp/server.ts";
import { type Answer, type Called, calledOf, editing, type Form } from "../../support/clients.ts";
import type { Process } from "../../support/world.ts";
import { type Door, OWN_TEXT, saidIn } from "../door.ts";
import type { Decision } from "../table.ts";
import { besides, createHome, type Given, joining } from "./argument.ts";

/** A form that stands before its person until they answer it. */
interface Standing {
  form: Form;
  answer(with_: Answer): void;
}

const ANSWERS: Record<Exclude<Decision, "change">, Answer> = {
  accept: { action: "accept", content: { decision: "accept" } },
  reject: { action: "accept", content: { decision: "reject" } },
};

/** A person before a client's forms, and the call in which each is asked. */
export function atForms() {
  let standing: Standing | undefined;
  let call: Promise<Called> | undefined;
  let ended: Called | undefined;
  return {
    /** What the client does with a form. */
    answer: (form: Form): Promise<Answer> =>
      new Promise((resolve) => {
        standing = {
          form,
          answer(given) {
            standing = undefined;
            resolve(given);
          },
        };
      }),
    /** Starts a call; it comes to a form, or to its end. */
    async begins(work: Promise<Called>, until: (done: () => boolean) => Promise<void>): Promise<Called | Form> {
      standing = undefined;
      ended = undefined;
      call = work;
      void work.then(
        (called) => {
          ended = called;
        },
        () => {}, // its program has died
      );
      await until(() => standing !== undefined || ended !== undefined);
      return ended ?? (standing as unknown as Standing).form;
    },
    /** Answers what stands there, and what is asked after it, until the call ends; what has ended is told as it did. */
    async answers(decision: Decision | "leave", until: (done: () => boolean) => Promise<void>): Promise<Called> {
      for (;;) {
        await until(() => standing !== undefined || ended !== undefined);
        if (ended !== undefined) return ended;
        const { form, answer } = standing as unknown as Standing;
        if (decision === "leave") answer({ action: "cancel" });
        else answer(decision === "change" ? editing(OWN_TEXT)(form) : ANSWERS[decision]);
        await Promise.resolve();
      }
    },
    call: () => call,
  };
}

export type Start = (name: string, args: Record<string, unknown>) => Promise<Called>;

/** A client of the 2026 era, in which a call that asks is answered by calling again. */
async function modernStart(p: Process, answer: (form: Form) => Promise<Answer>): Promise<Start> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  serveStdio(() => buildServer(p.deps), { transport: theirs });
  const client = new Client(
    { name: "modern", version: "1" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => (await answer(params as never)) as never);
  await client.connect(ours);
  return async (name, args) => calledOf(await client.callTool({ name, arguments: args }, { timeout: 600_000 }));
}

export async function form(era: "2025" | "2026", given: Given): Promise<Door> {
  let person = atForms();
  const answer = (asked: Form) => person.answer(asked);
  const home = await createHome(given, { answer });
  const startOf = (p: Process): Promise<Start> =>
    era === "2026" ? modernStart(p, answer) : Promise.resolve((name, args) => p.start(name, args));
  let start = await startOf(home.p);
  let id = "";
  const common = besides(home, () => id);
  const until = (done: () => boolean) => home.world.clock.until(done, { stepMs: 20 });
  const asking = async (args: Record<string, unknown>) => {
    const before = home.world.mock.negotiations().length;
    const met = await person.begins(start("towow_demand", args), until);
    if ("result" in met) return { said: saidIn(met) };
    const made = home.world.mock.negotiations()[before]?.negotiation_id;
    id = (args.negotiation_id as string | undefined) ?? made ?? id;
    return { id, said: { text: met.message } };
  };
  return {
    ...common,
    async join() {
      await person.begins(start("towow_join", joining(home.world.sceneId)), until);
      return saidIn(await person.answers("accept", until));
    },
    demand: (intent) => asking({ intent }),
    ask: (negotiation_id) => asking({ negotiation_id }),
    decide: async (decision) => saidIn(await person.answers(decision, until)),
    async leave() {
      await person.answers("leave", until);
    },
    async cancel() {
      const cancelling = start("towow_action", { negotiation_id: id, action: "cancel" });
      const met = await person.begins(cancelling, until);
      return saidIn("result" in met ? met : await person.answers("accept", until));
    },
    async restart() {
      await common.restart();
      person = atForms();
      start = await startOf(home.p);
    },
  };
}
