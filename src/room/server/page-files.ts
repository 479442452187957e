import type { Context } from "hono";

/** A page's file is named by its content, so a browser keeps it, and fetches a changed one under its new name. */
export interface PageFile {
  name: string;
  type: string;
  text: string;
  gzipped: Uint8Array<ArrayBuffer>;
}

export interface PageFiles {
  script: PageFile;
  style: PageFile;
}

const KEPT = "private, max-age=31536000, immutable";

/** Returns one of them as the browser can read it, or undefined for a name that is gone. */
export function pageFile(c: Context, { script, style }: PageFiles, name: string): Response | undefined {
  const file = [script, style].find((one) => one.name === name);
  if (file === undefined) return undefined;
  c.header("Cache-Control", KEPT);
  c.header("Vary", "Accept-Encoding");
  c.header("Content-Type", file.type);
  if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(file.text);
  c.header("Content-Encoding", "gzip");
  return c.body(file.gzipped);
}
