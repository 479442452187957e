import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { systemClock } from "../../src/clock.ts";
import { TowowError } from "../../src/errors.ts";
import { ConfigStore } from "../../src/home/config-store.ts";
import { explainSettings } from "../../src/home/explain.ts";
import { createIdentity } from "../../src/home/identity.ts";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { platformWith } from "../support/platform.ts";
import { document, mutatedJson } from "./material.ts";
import { target } from "./target.ts";

const IDENTITY = {
  user_id: "u1",
  api_token: "t1",
  expires_at: "2027-01-01T00:00:00Z",
  issued_at: "2026-11-01T00:00:00Z",
};
const GOOD = {
  format: 1,
  ...IDENTITY,
  backend_url: "http://127.0.0.1:9",
  mode: "normal",
  lang: "zh",
  language: "en",
  last_scene_id: "scene_1",
  confirmation_policy: "strict",
  on_unconfirmed: "leave",
  confirm_deadline_s: 300,
  allow_tools: "towow_join, towow_status",
  identities: { "http://127.0.0.1:9": IDENTITY, "https://other.example": { user_id: "u2", future: [1] } },
  future: { a: 1 },
};

/** Whatever stands in `config.json`: read without a throw, never lost, and a file that parses after every write. */
export const configFile = target({
  name: "config file",
  batch: 200,
  input: document(mutatedJson(fc.constant(GOOD))),
  open() {
    const home = mkdtempSync(join(tmpdir(), "towow-fuzz-"));
    const path = join(home, "config.json");
    const platform = platformWith(systemClock);
    return {
      async check(bytes) {
        for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
        writeFileSync(path, bytes, { mode: 0o600 });
        const store = new ConfigStore(platform, home);
        const before = store.read();
        explainSettings({ file: before.values });
        const live = createLiveSettings(store, { env: {}, flags: {} });
        const identity = createIdentity({
          platform,
          store,
          settings: live.current,
          requestToken: async () => ({ user_id: "u9", api_token: "t9", expires_at: "2027-01-01T00:00:00Z" }),
          newUserId: () => "local",
        });
        await identity.peek();
        const written = await orRefused(() => live.save({ mode: "developer" }));
        if (written) expectKept(readFileSync(path, "utf8"), { ...before.values, mode: "developer" });
        else if (!readFileSync(path).equals(bytes)) throw new Error("refused, and changed all the same");
        if (written && before.warnings.some(({ code }) => code === "config_corrupt")) expectAside(bytes);
        await orRefused(() => identity.userId());
        await orRefused(() => identity.bearer());
        await orRefused(() => identity.renew("t1"));
        JSON.parse(written ? readFileSync(path, "utf8") : "{}");
      },
      close: () => rmSync(home, { recursive: true, force: true }),
    };

    function expectAside(bytes: Buffer): void {
      const kept = readdirSync(home).filter((name) => name.startsWith("config.corrupt-"));
      if (!kept.some((name) => readFileSync(join(home, name)).equals(bytes))) throw new Error("the old bytes are lost");
    }
  },
});

/** False for a refusal with a code; everything else that is thrown is a defect. */
export async function orRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof TowowError) return false;
    throw error;
  }
}

function expectKept(text: string, expected: Record<string, unknown>): void {
  const now = JSON.parse(text) as Record<string, unknown>;
  for (const key of Object.keys(expected))
    if (JSON.stringify(now[key]) !== JSON.stringify(expected[key])) throw new Error(`lost the key ${key}`);
}
