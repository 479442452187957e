import { readData, type SavedData } from "../../../mock-backend/datafile.ts";
import { sandboxData } from "../../app/sandbox/running-file.ts";
import { errnoOf } from "../../home/file.ts";

/** `broken`: no data of a sandbox, which its next start keeps aside; `unreadable`: no start gets past it. */
export type FoundData =
  | { state: "none" | "broken" }
  | { state: "unreadable"; reason: string }
  | { state: "whole"; data: SavedData };

/** What the sandbox of this home has kept. Never throws. */
export function sandboxDataOf(home: string): FoundData {
  try {
    const data = readData(sandboxData(home));
    return data === undefined ? { state: "none" } : { state: "whole", data };
  } catch (error) {
    const reason = errnoOf(error);
    return reason === undefined ? { state: "broken" } : { state: "unreadable", reason };
  }
}
