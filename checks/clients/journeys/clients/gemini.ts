import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

const env = ({ model }: Place) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url });

async function configured(place: Place) {
  await place.setup("gemini");
  const file = join(place.home, ".gemini", "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const security = { auth: { selectedType: "gemini-api-key" } };
  writeFileSync(file, JSON.stringify({ ...settings, security, privacy: { usageStatisticsEnabled: false } }));
}

const MODEL = ["-m", "gemini-2.5-pro"];

export const gemini: DrivenClient = {
  id: "gemini",
  title: "Gemini CLI",
  npm: "@google/gemini-cli@0.61.0",
  asks: false,
  long: "chat",
  async prepare(place) {
    await configured(place);
    return { command: ["gemini", ...MODEL], env: env(place) };
  },
  rules: [
    { see: /Do you trust the files/, keys: ["Enter"], afterMs: 1_000, row: "start", shows: "trust the folder" },
    {
      see: /● 1\. Allow once/,
      keys: ["Enter"],
      times: 9,
      row: "call",
      shows: "Allow once / for this session / all of the server's",
    },
  ],
  ready: /Type your message/,
  async headless(place) {
    await configured(place);
    return { command: ["gemini", ...MODEL, "--yolo", "--skip-trust", "-p", "go"], env: env(place) };
  },
};
