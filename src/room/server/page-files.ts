import type { Context } from "hono";

/** What the page loads, under a name of its own content: a browser keeps it, and asks for another by another name. */
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

/** One of them, as the browser that asks can read it; undefined for a name that is gone. */
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
