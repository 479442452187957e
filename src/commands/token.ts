import { readFile } from "node:fs/promises";
import { refuseOffline } from "../app/backend-clients.ts";
import { localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { platformOf } from "../app/platform.ts";
import { createTokenRequest } from "../backend/client.ts";
import { connectionsIn } from "../backend/connections.ts";
import type { TokenGrant } from "../backend/contract.ts";
import { BackendFailure, WrongShape } from "../backend/errors.ts";
import { createHttp } from "../backend/http.ts";
import { DryRun } from "../backend/operation.ts";
import { Failure } from "../errors.ts";
import { currentUser } from "../home/current-user.ts";
import { BackendUrlMissing } from "../home/errors.ts";
import { fromIso } from "../home/iso-time.ts";
import { hostOf, SANDBOX } from "../home/origin.ts";
import { resolveAll } from "../home/settings.ts";
import { localTime } from "../terminal/local-time.ts";
import { TerminalNeeded } from "./errors.ts";
import { atTerminal, openHome, typedYes } from "./home.ts";
import { print, printText } from "./print.ts";

export interface TokenArguments {
  io: Io;
  root: URL;
  backendUrl?: string;
}

/**
 * `towow-mcp token` requests a token with a new id for somebody else. The person who requests the token sees it once, at a
 * terminal and after a yes, and nothing of it is written down. The exit status is 1 if the token was not shown.
 * @throws TerminalNeeded before the backend is asked, `tool.auth.unavailable.not_issued`,
 * `tool.config.invalid.sandbox_not_shared`, and the error of an invalid setting
 */
export async function token({ io, root, backendUrl }: TokenArguments): Promise<void> {
  if (!atTerminal(io)) throw new TerminalNeeded({ command: "token" });
  const home = openHome(io);
  const file = home.store.read().values;
  const settings = resolveAll({
    flags: { backend_url: backendUrl },
    terminalFlags: true,
    env: io.env,
    file,
    locale: localeOf(io.env),
  });
  const problem = [...settings.values()].find((one) => one.problem !== undefined)?.problem;
  if (problem !== undefined) throw problem;
  const address = settings.get("backend_url")?.value as string | undefined;
  if (address === undefined) throw new BackendUrlMissing();
  if (address === SANDBOX) throw new Failure("tool.config.invalid.sandbox_not_shared");
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const grant = await requested(address, settings.get("profile")?.value, { version, io });
  const { who } = currentUser(settings, file, home.path, io.clock.now());
  if (grant.user_id === who.user_id) throw new WrongShape({ operation: "requestToken", field: "user_id" });

  const texts = home.texts.token;
  const until = fromIso(grant.expires_at ?? undefined);
  await printText(
    io,
    `${texts.opens(hostOf(address), grant.user_id)}\n${until === undefined ? texts.noEnd : texts.until(localTime(until))}\n`,
  );
  if (!(await typedYes(io, texts.ask))) {
    await printText(io, `${texts.notShown}\n`);
    io.exitCode = 1;
    return;
  }
  await print(io, `\n${grant.api_token}\n\n`);
  await printText(io, `${texts.use}\n`);
}

/** Requests a token for an id that the backend makes. No bearer is sent, so this home's identity has no part in the request. */
async function requested(
  baseUrl: string,
  profile: unknown,
  { version, io }: { version: string; io: Io },
): Promise<TokenGrant> {
  if (profile === "offline") refuseOffline(profile, baseUrl);
  const http = createHttp(platformOf(io), { version, ...connectionsIn(io.env) });
  try {
    const request = createTokenRequest({
      baseUrl,
      http,
      beforeSend(operation) {
        if (profile === "dry_run") throw new DryRun(operation);
      },
    });
    const grant = await request({ user_id: "", device_info: `towow-mcp/${version}` });
    if ("unsupported" in grant)
      throw new BackendFailure("tool.auth.unavailable.not_issued", {
        operation: "requestToken",
        host: hostOf(baseUrl),
      });
    return grant;
  } finally {
    await http.close();
  }
}
