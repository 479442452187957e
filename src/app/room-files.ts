import { readFile } from "node:fs/promises";
import type { PageFile, PageFiles } from "../room/server/page-files.ts";
import { sha256 } from "../sha256.ts";

const NAME_LENGTH = 16;

const known = new Map<string, Promise<PageFiles>>();

/**
 * Reads, names and compresses the files of the room's page, once for all rooms. They are below the package's folder.
 */
export const roomFiles = (root: URL) => (): Promise<PageFiles> => {
  const files = known.get(root.href) ?? readFiles(root);
  known.set(root.href, files);
  files.catch(() => known.delete(root.href)); // After a failure the next page tries again.
  return files;
};

async function readFiles(root: URL): Promise<PageFiles> {
  const [script, { default: style }] = await Promise.all([
    readFile(new URL("dist/room.js", root), "utf8"),
    import("../room/page/room.css"),
  ]);
  return { script: await fileOf(script, "js", "text/javascript"), style: await fileOf(style, "css", "text/css") };
}

async function fileOf(text: string, ending: string, type: string): Promise<PageFile> {
  const { gzipSync } = await import("node:zlib");
  return {
    name: `room.${sha256(text).slice(0, NAME_LENGTH)}.${ending}`,
    type: `${type}; charset=utf-8`,
    text,
    gzipped: Uint8Array.from(gzipSync(text, { level: 9 })),
  };
}
