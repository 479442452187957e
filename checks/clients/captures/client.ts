import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../journeys/place.ts";

const KEY = "dummydummydummydummy";

/** The server behind a script that writes down its process, so that it can be killed. */
export function startedWithPid({ folder, program }: Place, pids: string): string {
  const script = join(folder, "server");
  const words = program.map((word) => `'${word}'`).join(" ");
  writeFileSync(script, `#!/bin/sh\necho $$ >> '${pids}'\nexec ${words}\n`);
  chmodSync(script, 0o755);
  return script;
}

/** The settings of a person who has begun with Claude Code and trusts this folder; what they hold already stays. */
export function trustFolder({ home, project }: Pick<Place, "home" | "project">): void {
  const file = join(home, ".claude.json");
  const held = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  if (held.projects?.[project]?.hasTrustDialogAccepted) return;
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  const known = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "99.0.0",
    theme: "dark",
    customApiKeyResponses: { approved: [KEY], rejected: [] },
    projects: { ...held.projects, [project]: { ...held.projects?.[project], ...trusted } },
  };
  writeFileSync(file, JSON.stringify({ ...held, ...known }));
}

export const clientEnv = ({ model }: Pick<Place, "model">) => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
});
