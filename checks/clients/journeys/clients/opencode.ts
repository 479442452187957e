import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

async function configured(place: Place) {
  await place.setup("opencode");
  const file = join(place.home, ".config", "opencode", "opencode.json");
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Scripted",
    options: { baseURL: `${place.model.url}/v1`, apiKey: "none" },
    models: { scripted: { name: "Scripted" } },
  };
  const settings = { ...JSON.parse(readFileSync(file, "utf8")), provider: { scripted: provider } };
  const model = "scripted/scripted";
  writeFileSync(file, JSON.stringify({ ...settings, model, small_model: model, autoupdate: false, share: "disabled" }));
}

const QUIET = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };

export const opencode: DrivenClient = {
  id: "opencode",
  title: "opencode",
  npm: "opencode-ai@1.18.33",
  asks: false,
  long: "chat",
  async prepare(place) {
    await configured(place);
    return { command: ["opencode"], env: QUIET };
  },
  rules: [],
  ready: /Ask anything/,
  async headless(place) {
    await configured(place);
    return { command: ["opencode", "run", "go"], env: QUIET };
  },
};
