import { readData, type SavedData } from "../../../mock-backend/datafile.ts";
import { sandboxData } from "../../app/sandbox/running-file.ts";
import { errnoOf } from "../../home/file.ts";

/**
 * What was found of a sandbox's data. `broken` data are not a sandbox's, and the next start sets them aside. No start can read
 * `unreadable` data.
 */
export type FoundData =
  | { state: "none" | "broken" }
  | { state: "unreadable"; reason: string }
  | { state: "whole"; data: SavedData };

/** Returns what the sandbox of this home has saved. Never throws. */
export function sandboxDataOf(home: string): FoundData {
  try {
    const data = readData(sandboxData(home));
    return data === undefined ? { state: "none" } : { state: "whole", data };
  } catch (error) {
    const reason = errnoOf(error);
    return reason === undefined ? { state: "broken" } : { state: "unreadable", reason };
  }
}
