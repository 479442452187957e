import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

function configured({ home, model, server }: Place) {
  const folder = join(home, ".config", "kilo");
  mkdirSync(folder, { recursive: true });
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Scripted",
    options: { baseURL: `${model.url}/v1`, apiKey: "none" },
    models: { scripted: { name: "Scripted" } },
  };
  const settings = {
    mcp: { towow: { type: "local", command: server, enabled: true } },
    provider: { scripted: provider },
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    autoupdate: false,
  };
  writeFileSync(join(folder, "kilo.jsonc"), JSON.stringify(settings));
}

const QUIET = { KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1", KILO_TELEMETRY_LEVEL: "off" };

export const kilo: DrivenClient = {
  id: "kilo",
  title: "Kilo CLI",
  npm: "@kilocode/cli@7.7.9",
  asks: false,
  long: "chat",
  async prepare(place) {
    configured(place);
    return { command: ["kilo"], env: QUIET };
  },
  rules: [{ see: /Allow once/, keys: ["Enter"], times: 12, row: "call", shows: "Allow once / Allow always / Reject" }],
  ready: /Ask anything/,
  async headless(place) {
    configured(place);
    return { command: ["kilo", "run", "--auto", "go"], env: QUIET };
  },
};
