import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { CHROMIUM } from "./chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the one Chromium of a run is reached; undefined where there is none. */
    chromium: string | undefined;
  }
}

/** Of two lists the last counts: what Playwright turns off, and two pages of the address bar that every window would load. */
const OFF = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...[
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
  ],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  ...["PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  // Every page is of this machine: one process draws them all, where each navigation would start another.
  ...["SpareRendererForSitePerProcess", "OriginKeyedProcessesByDefault"],
];

/** One Chromium for every file of the full tier: each connects, and opens contexts of its own. */
export default async function startChromium(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  root.provide("chromium", undefined);
  if (CHROMIUM === undefined || !root.vitest.projects.some(({ name }) => name === "full")) return undefined;
  const home = mkdtempSync(join(tmpdir(), "towow-chromium-"));
  const server = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-sync",
      "--disable-site-isolation-trials",
      "--process-per-site",
      `--disable-features=${OFF}`,
    ],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
  root.provide("chromium", server.wsEndpoint());
  return async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
}
