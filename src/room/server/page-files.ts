import type { Context } from "hono";

/** A file of the page. Its name changes with its content, so a browser can keep it for good. */
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

/** Returns a file of the page, compressed if the browser can read that, or undefined for a name that is gone. */
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
