import { readData, type SavedData } from "../../../mock-backend/datafile.ts";
import { sandboxData } from "../../app/sandbox/running-file.ts";
import { errnoOf } from "../../home/file.ts";

/**
 * `broken`: the data are not a sandbox's, and its next start keeps them aside. `unreadable`: no start gets past them.
 */
export type FoundData =
  | { state: "none" | "broken" }
  | { state: "unreadable"; reason: string }
  | { state: "whole"; data: SavedData };

/** Returns what the sandbox of this home has kept. Never throws. */
export function sandboxDataOf(home: string): FoundData {
  try {
    const data = readData(sandboxData(home));
    return data === undefined ? { state: "none" } : { state: "whole", data };
  } catch (error) {
    const reason = errnoOf(error);
    return reason === undefined ? { state: "broken" } : { state: "unreadable", reason };
  }
}
