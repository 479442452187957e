import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

function configured({ home, server: [command, ...args] }: Place) {
  const settings = {
    mcpServers: { towow: { command, args } },
    // Its model would search for the tools first, and see their names alone until then.
    tools: { toolSearch: { enabled: false } },
    security: { auth: { selectedType: "openai" } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
  };
  mkdirSync(join(home, ".qwen"), { recursive: true });
  writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
}

const env = ({ model }: Place) => ({
  OPENAI_API_KEY: "none",
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_MODEL: "scripted",
});

export const qwen: DrivenClient = {
  id: "qwen",
  title: "Qwen Code",
  npm: "@qwen-code/qwen-code@0.24.4",
  asks: false,
  long: "chat",
  async prepare(place) {
    configured(place);
    return { command: ["qwen"], env: env(place) };
  },
  rules: [
    {
      see: /Yes, allow once/,
      keys: ["Enter"],
      times: 12,
      row: "call",
      shows: "Yes, allow once / always",
    },
  ],
  ready: /Type your message/,
  async headless(place) {
    configured(place);
    return { command: ["qwen", "--yolo", "-p", "go"], env: env(place) };
  },
};
