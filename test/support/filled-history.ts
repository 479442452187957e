import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factName } from "../../src/negotiation/facts.ts";
import { FactFolders } from "../../src/negotiation/stores/home-facts.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** So that none is old enough to be folded: a folder for each costs most. */
const EVERY_MS = 4 * 60_000;

/** Fills a home's history with negotiations that were confirmed, one every four minutes until now; gives their ids, the newest first. */
export function fillHistory(home: string, origin: string, count: number, now = Date.now()): string[] {
  const dir = join(home, "history");
  const folders = new FactFolders({ dir, newId: () => "unused" });
  const owner = { instance: "bench", pid: 1 };
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return Array.from({ length: count }, (_, back) => {
    const at = now - (back + 1) * EVERY_MS;
    const id = `neg_${sha256(`bench ${back}`).slice(0, 12)}`;
    const hash = sha256(id);
    const question = { question_id: hash.slice(0, 21), shown_hash: hash, formulated_hash: hash };
    const folder = folders.nameOf({ origin, id });
    mkdirSync(folders.path(folder), { mode: 0o700 });
    for (const [name, fact] of [
      [factName.submitted, { at, user_id: "bench", scene_id: "scene_0123456789ab", deadline_at: at + 300_000, owner }],
      [factName.formulated, { at, deadline_at: at + 300_000 }],
      [factName.asked(1, hash.slice(0, 16)), { at, round: 1, ...question }],
      [factName.decided(1), { at, kind: "accept", by: "form", owner, ...question, text_hash: hash }],
      [factName.outcome(1), { at, kind: "confirmed", text_hash: hash, participants: 3 }],
    ] as const)
      writeFileSync(folders.factPath(folder, name), JSON.stringify({ origin, id, fact }), { mode: 0o600 });
    utimesSync(folders.path(folder), at / 1000, at / 1000);
    return id;
  });
}
