import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

function configured({ home, model, server: [command, ...args] }: Place): string {
  const file = join(home, "config.yaml");
  const models = [
    {
      name: "Scripted",
      provider: "openai",
      model: "scripted",
      apiBase: `${model.url}/v1`,
      apiKey: "none",
      roles: ["chat"],
      capabilities: ["tool_use"],
    },
  ];
  // What is JSON is YAML.
  const settings = {
    name: "check",
    version: "1.0.0",
    schema: "v1",
    models,
    mcpServers: [{ name: "towow", command, args }],
  };
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

const QUIET = { CONTINUE_CLI_ENABLE_TELEMETRY: "0", CONTINUE_TELEMETRY_ENABLED: "0" };

export const continueCli: DrivenClient = {
  id: "continue",
  title: "Continue cn",
  npm: "@continuedev/cli@1.5.47",
  asks: false,
  long: "chat",
  async prepare(place) {
    return { command: ["cn", "--config", configured(place)], env: QUIET };
  },
  rules: [
    {
      see: /Continue\s+\(?tab|Would you like to/i,
      keys: ["Enter"],
      times: 12,
      row: "call",
      shows: "Continue / always / No",
    },
  ],
  ready: /Ask anything/,
  async headless(place) {
    return { command: ["cn", "--config", configured(place), "--auto", "-p", "go"], env: QUIET };
  },
};
