import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryHome } from "../support/home.ts";
import { command } from "../support/in-process.ts";

export async function homeWith(file: object | string = {}, more: Record<string, string> = {}) {
  const home = await temporaryHome();
  const path = join(home, "config.json");
  await writeFile(path, typeof file === "string" ? file : JSON.stringify(file));
  const env = { TOWOW_HOME: home, ...more };
  return {
    home,
    env,
    run: (...args: string[]) => command(args, env),
    saved: async () => JSON.parse(await readFile(path, "utf8")),
  };
}

export const TOKEN = "secret-token-of-mine";
export const ORIGIN = "https://towow.example";
export const identities = { [ORIGIN]: { user_id: "u-1", api_token: TOKEN, expires_at: "2031-05-06T07:08:09Z" } };
