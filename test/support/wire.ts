import { readFileSync } from "node:fs";

/** Exchanges with the real engine, and what its feed said, by name. */
export const WIRE: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("../wire.json", import.meta.url), "utf8"),
);
