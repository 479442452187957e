import { readFile } from "node:fs/promises";
import type { RoomOfPage } from "../ask/page/open-page.ts";
import type { Account } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import { createPerson } from "../room/person-services.ts";
import { type Begin, Room } from "../room/room.ts";
import type { PageFile, PageFiles } from "../room/server/page-files.ts";
import { createRoomRoutes } from "../room/server/routes.ts";
import { sha256 } from "./hash.ts";

/** A moment as the person reads it, in their own time zone where their browser has said which that is. */
const timeOfDay = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", ...(timeZone !== undefined && { timeZone }) }).format(atMs);
const dayAndTime = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone !== undefined && { timeZone }),
  }).format(atMs);

/** The room of one person, standing on what every other client of theirs stands on. */
export function createRoom(deps: ServerDeps, begin: Begin = {}, account?: Account): Room {
  const { clock, log, newId } = deps;
  const person = createPerson({ ...deps, hash: sha256 }, account);
  const room = new Room({ person, clock, log, newId, hash: sha256, timeOfDay, dayAndTime }, begin);
  void room.loadScenes();
  return room;
}

/** A room for the page of one question. */
export function openPageRoom(deps: ServerDeps, account: Account, root: URL, begin: Begin): RoomOfPage {
  const room = createRoom(deps, begin, account);
  const serve = createRoomRoutes({ clock: deps.clock, log: deps.log, files: roomFiles(root) });
  return {
    async serve(request, visit) {
      await room.arrive(); // the first paint asks its question, with a script and without
      return serve(request, { ...visit, room });
    },
    close: () => room.close(),
  };
}

const NAME_LENGTH = 16;

const known = new Map<string, Promise<PageFiles>>();

/** What the room's page loads, from below the package's folder: read, named and compressed once for all rooms. */
export const roomFiles = (root: URL) => (): Promise<PageFiles> => {
  const files = known.get(root.href) ?? readFiles(root);
  known.set(root.href, files);
  files.catch(() => known.delete(root.href)); // the next page tries again
  return files;
};

async function readFiles(root: URL): Promise<PageFiles> {
  const [script, { ROOM_CSS }] = await Promise.all([
    readFile(new URL("dist/room.js", root), "utf8"),
    import("../room/page/style.ts"),
  ]);
  return { script: await fileOf(script, "js", "text/javascript"), style: await fileOf(ROOM_CSS, "css", "text/css") };
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
