import type { RoomOfPage } from "../ask/page/open-page.ts";
import type { Account } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import { createPerson } from "../room/person-services.ts";
import { type Begin, Room } from "../room/room.ts";
import { createRoomRoutes } from "../room/server/routes.ts";
import { sha256 } from "./hash.ts";
import { roomFiles } from "./room-files.ts";

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
