import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

const KEY = "dummydummydummydummy";
const env = ({ model }: Place) => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  ENABLE_TOOL_SEARCH: "false",
});

export const claude: DrivenClient = {
  id: "claude",
  title: "Claude Code",
  npm: "@anthropic-ai/claude-code@2.1.330",
  asks: true,
  inBackground: true,
  long: "page",
  async prepare(place) {
    await place.setup("claude-code");
    const file = join(place.home, ".claude.json");
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
    const known = {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: "99.0.0",
      theme: "dark",
      customApiKeyResponses: { approved: [KEY], rejected: [] },
      projects: { [place.project]: trusted },
    };
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...known }));
    return { command: ["claude", "--permission-mode", "default"], env: env(place) };
  },
  rules: [
    {
      see: /Do you want to proceed\?/,
      keys: ["Enter"],
      times: 9,
      row: "call",
      shows: "Yes / don't ask again in this folder",
    },
    {
      see: /Send this profile\?[\s\S]*❯ Open in browser/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "profile",
      shows: "a page, opened by Enter",
    },
    {
      see: /Broadcast these[\s\S]*❯ Open in browser/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "text",
      shows: "a page, opened by Enter",
    },
    { see: /❯ I'm done, continue/, keys: ["Enter"], times: 3 },
    {
      see: /requests your input/,
      keys: ["Right", "Enter", "Enter"],
      row: "text",
      shows: "a form with all of it, over whatever you do",
    },
  ],
  ready: /❯/,
  later: { see: /requests your input/, keys: ["Escape"], row: "text", shows: "Esc" },
  async headless(place) {
    await place.setup("claude-code");
    return { command: ["claude", "-p", "go", "--allowedTools", "mcp__towow__*"], env: env(place) };
  },
};
