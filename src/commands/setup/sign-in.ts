import type { Plan } from "../../setup/change-plan.ts";
import { CLIENTS } from "../../setup/clients.ts";
import { isInstalled } from "../../setup/programs.ts";
import { isOff } from "./off.ts";
import type { SetupRun } from "./run.ts";

/** Names the installed clients whose file cannot hold an endpoint's address. */
export function tellNoAddress({ machine, request, texts, printer }: SetupRun): void {
  if (request.endpoint === undefined || request.remove) return;
  const unable = CLIENTS.filter((client) => client.remote === undefined && isInstalled(machine, client));
  if (unable.length > 0) printer.text(texts.noAddress(unable.map(({ title }) => title).join(texts.between)));
}

/** Finishes setup for an endpoint, and says how each client signs its person in. The endpoint itself is not asked. */
export function tellSignIn({ texts, printer }: SetupRun, written: readonly Plan[]): void {
  const clients = written.filter((plan) => !isOff(plan)).map(({ client }) => client);
  if (clients.length === 0) return;
  printer.gap();
  printer.text(texts.signIn(clients.map(({ title }) => title).join(texts.between)));
  for (const { title, remote } of clients) {
    const how = remote?.signIn;
    const said = how?.startsWith("/") ? texts.on.typed(how) : (how ?? texts.signInAsked);
    printer.line(`  ${texts.of(title, said)}`);
  }
  printer.text(texts.signInOff, { style: "dim" });
}
