import { chmod, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";

/** One thing that the doctor looked at. */
export interface Finding {
  check: string;
  level: "ok" | "unchecked" | "warning" | "problem";
  message: string;
  fix?: string;
  failures?: string[];
}

/** What the doctor says as JSON, by what was looked at. */
export async function examined(env: Record<string, string>) {
  const { status, stdout, stderr } = await cli(["doctor", "--json"], { env });
  expect(stderr).toBe("");
  const report = JSON.parse(stdout) as { problems: number; warnings: number; unchecked: number; findings: Finding[] };
  const { findings } = report;
  for (const { level, fix, check } of findings)
    if (level === "problem" || level === "warning") expect(fix, check).toBeTruthy();
  expect(status).toBe(report.problems > 0 ? 1 : report.unchecked > 0 ? 2 : 0);
  return {
    ...report,
    of: (check: string) => findings.find((finding) => finding.check === check),
    bad: findings.filter(({ level }) => level !== "ok").map(({ check, level }) => `${check}: ${level}`),
  };
}

/** A home with this configuration file, and its mode bits. */
export async function homeWith(config: object | string, mode = 0o600): Promise<string> {
  const home = await temporaryHome();
  const path = join(home, "config.json");
  await writeFile(path, typeof config === "string" ? config : JSON.stringify(config));
  await chmod(path, mode);
  return home;
}

/** Something that answers on loopback. */
export async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
