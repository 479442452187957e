import type { Io } from "../app/io.ts";
import type { CurrentUser } from "../home/current-user.ts";
import { fromIso, toIsoSeconds } from "../home/iso-time.ts";
import type { BrowserRecord } from "../session/known-browsers.ts";
import { localTime } from "../terminal/local-time.ts";
import { paintWith } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { type Column, table } from "../terminal/table.ts";
import { tellFailure } from "./failure.ts";
import { browsersOf, type Home, openHome } from "./home.ts";
import { printJson, printPainted, widthOf } from "./print.ts";

/**
 * `towow-mcp whoami` shows who you are to the configured backend, and which browsers decide for you. The command asks no
 * backend and shows no secret. The exit status is 1 if the configured address is refused.
 */
export async function whoami({ io, json }: { io: Io; json?: boolean }): Promise<void> {
  const home = openHome(io);
  const { who } = home.who();
  const browsers = await browsersOf(home.path, io).list();
  const iso = ({ name, at, used_at }: BrowserRecord) => ({
    name,
    since: toIsoSeconds(at),
    used: toIsoSeconds(used_at),
  });
  if (json) void printJson(io, { ...who, browsers: browsers.map(iso) }, 2);
  else void printPainted(describeUser(who, browsers, home), io.stdout);
  const { problem } = home.settings().get("backend_url") ?? {};
  if (problem !== undefined) void tellFailure(io, problem, home.lang);
}

function describeUser(who: CurrentUser, browsers: readonly BrowserRecord[], { io: { stdout }, texts }: Home): string {
  const { whoami: t } = texts;
  const rows: [string, string][] = [
    [t.user_id, who.user_id ?? t.none],
    [t.backend, who.backend_problem === null ? (who.backend_url ?? t.noBackend) : t.backendRefused],
    [t.token, tokenLine(who, texts)],
    [t.scene, who.last_scene_id ?? t.none],
    [t.negotiation, who.last_negotiation_id ?? t.none],
    [t.mode, who.mode],
    [t.home, who.home],
    ...browsers.map(({ name, at }): [string, string] => [t.browser, t.browserSince(name, localTime(at))]),
  ];
  const columns: Column[] = [{ title: "" }, { title: "", tooWide: "wrap" }];
  const cells = rows.map((row) => row.map((text) => ({ text: printable(text) })));
  const width = stdout.isTTY ? widthOf(stdout) : Number.POSITIVE_INFINITY;
  return `${table(columns, cells, { width, paint: paintWith(false), titles: false }).join("\n")}\n`;
}

function tokenLine({ token }: CurrentUser, { whoami: t, source }: Home["texts"]): string {
  if (!token.present) return t.token_none;
  if (token.source !== "file" && token.source !== null) return t.token_given(source[token.source]);
  const end = fromIso(token.expires_at ?? undefined);
  if (end === undefined) return t.token_kept;
  return token.expired ? t.token_expired(localTime(end)) : t.token_until(localTime(end));
}
