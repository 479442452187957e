import { createHash } from "node:crypto";
import type { Negotiation } from "../backend/contract.ts";
import { formulatedText } from "./backend-states.ts";

/** Fingerprints are kept by object, because a negotiation that is read again unchanged is the same object. */
const fingerprints = new WeakMap<Negotiation, string>();

/** Gives what a watcher compares. It changes exactly when there is something new to tell. */
export function fingerprint(n: Negotiation): string {
  const print = fingerprints.get(n) ?? fingerprintOf(n);
  fingerprints.set(n, print);
  return print;
}

function fingerprintOf(n: Negotiation): string {
  const texts = [
    n.state,
    formulatedText(n),
    n.plan_output,
    String(n.center_rounds),
    ...n.sub_session_ids,
    ...n.participants.flatMap((p) => [p.agent_id, p.state, String(p.offer_content !== null)]),
  ];
  // The lengths keep two texts apart that read the same in a row. A digest, since a plan may be a megabyte.
  const lengths = JSON.stringify([n.sub_session_ids.length, ...texts.map((text) => text?.length ?? null)]);
  return createHash("sha256").update(lengths).update(texts.join(""), "utf16le").digest("base64url");
}
