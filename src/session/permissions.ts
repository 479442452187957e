import * as z from "zod";
import { stopwatch } from "../clock.ts";
import { ignoreTowowError } from "../errors.ts";
import { newerVersion } from "../home/format.ts";
import { NEWER, wordOf } from "../newer.ts";
import type { Platform } from "../platform.ts";
import { DISPLAYS } from "../question/chat-wire.ts";
import { BROWSER_PROOFS, type Hand, SURFACES } from "../question/who.ts";
import type { Store } from "../store/store.ts";
import { SESSION_TTL_MS } from "./ledger.ts";

/** How long the person may take to decide after the question, in milliseconds. */
export const PERMISSION_MS = 10 * 60_000;
const POLL_MS = 250;
/**
 * How much longer the question can be found than answered, in milliseconds, because the waiting call looks only now and
 * then and a yes at the last moment counts as well.
 */
const TAKEN_WITHIN_MS = 10_000;

const MAX_TRIES = 20;

const hand = z.object({
  surface: wordOf(SURFACES),
  browser: wordOf(BROWSER_PROOFS).optional(),
  drawn: wordOf(DISPLAYS).optional(),
});
const permissionAnswer = z.object({
  verdict: wordOf(["accept", "reject"]),
  by: hand,
  taken_out: z.array(z.string()).optional(),
});

/** What the person answered, and by which surface the answer came. */
export interface PermissionAnswer {
  verdict: "accept" | "reject";
  by: Hand;
  /** The ids of the parts that the person took out of what is sent, before saying yes. */
  takenOut?: readonly string[];
}
type Verdict = PermissionAnswer["verdict"];

/** Records for ten minutes what was shown in any session of a home. Times are in milliseconds since the epoch. */
export interface ShownRecord {
  note(hash: string, now: number): Promise<void>;
  has(hash: string, now: number): Promise<boolean>;
}

/**
 * Keeps the questions that a person is asked before something leaves the machine (agent layer §3). Each question has
 * one random id, which is bound to the tool, its arguments and what was shown. A question expires, and a yes works
 * once.
 */
export class Permissions {
  readonly #platform: Platform;
  readonly #store: Store;
  readonly #shown: ShownRecord | undefined;

  constructor(platform: Platform, store: Store, shown?: ShownRecord) {
    this.#platform = platform;
    this.#store = store;
    this.#shown = shown;
  }

  /**
   * Returns the id of the question about `key`. A question that is still open keeps its id, and its time begins anew.
   */
  async open(key: string): Promise<string> {
    const name = `asked:${key}`;
    const keptMs = PERMISSION_MS + TAKEN_WITHIN_MS;
    for (let tries = 1; ; tries++) {
      // After so many tries the value is deleted, because a value that this program did not write would otherwise never
      // be replaced.
      if (tries > MAX_TRIES) await this.#store.delete(name);
      const { created, value: id } = await this.#store.create(name, this.#platform.newId(), keptMs, z.string());
      if (!created) {
        if ((await this.answerTo(id)) !== undefined) return id;
        // Another call may have taken the answer meanwhile. A replacement would then make a yes work twice.
        if (!(await this.#store.replace(name, id, id, keptMs))) continue;
      }
      await this.#store.put(`approval:${id}`, "open", PERMISSION_MS);
      return id;
    }
  }

  async isOpen(id: string): Promise<boolean> {
    const [asked, answer] = await Promise.all([
      this.#store.get(`approval:${id}`, z.literal("open")),
      this.answerTo(id),
    ]);
    return asked !== undefined && answer === undefined;
  }

  /** Records the person's answer. Only the first answer counts. */
  async decide(
    id: string,
    verdict: Verdict,
    by: PermissionAnswer["by"],
    takenOut: readonly string[] = [],
  ): Promise<void> {
    const answer = { verdict, by, ...(takenOut.length > 0 && { taken_out: [...takenOut] }) };
    if (await this.isOpen(id)) await this.#store.create(`verdict:${id}`, answer, PERMISSION_MS, permissionAnswer);
  }

  /** Takes the answer to the question about `key`, once. Returns undefined while nobody has decided. */
  async take(key: string): Promise<PermissionAnswer | undefined> {
    const id = await this.#store.get(`asked:${key}`, z.string());
    const answer = id === undefined ? undefined : await this.answerTo(id);
    if (answer === undefined) return undefined;
    const taken = await this.#store.take(`asked:${key}`, z.string());
    return taken === id ? answer : undefined; // If another call was faster, it has the answer.
  }

  /** Notes by its hash that the AI was given something to show to its person. */
  async noteShown(hash: string): Promise<void> {
    await this.#store.put(`given:${hash}`, true, SESSION_TTL_MS);
    // If the home cannot be written, only this session remembers the hash.
    await this.#shown?.note(hash, this.#platform.clock.now()).catch(ignoreTowowError);
  }

  /**
   * Returns whether the AI was given something with this hash to show, in this session, or in another session of the
   * home within ten minutes, because a client may start a program for each call.
   */
  async wasShown(hash: string): Promise<boolean> {
    const isKnown = (await this.#store.get(`given:${hash}`, z.literal(true))) !== undefined;
    return isKnown || (await this.#shown?.has(hash, this.#platform.clock.now())) === true;
  }

  /** Waits at most `budgetMs` milliseconds for an answer, which `take` then returns. Throws the signal's reason. */
  async waitForAnswer(id: string, budgetMs: number, signal: AbortSignal): Promise<void> {
    const elapsedMs = stopwatch(this.#platform.clock);
    while ((await this.isOpen(id)) && elapsedMs() < budgetMs) await this.#platform.clock.sleep(POLL_MS, signal);
  }

  /**
   * Returns the answer to the question with this id, whether or not a call has taken it.
   * @throws `tool.config.invalid.newer_version` for an answer that a newer program wrote and this one cannot use
   */
  async answerTo(id: string): Promise<PermissionAnswer | undefined> {
    const read = permissionAnswer.safeParse(await this.#store.get(`verdict:${id}`, permissionAnswer)).data;
    if (read === undefined) return undefined;
    const { verdict, by, taken_out: takenOut } = read;
    if (verdict === NEWER || by.surface === NEWER || by.browser === NEWER)
      throw newerVersion("permission", { format: NEWER });
    const { surface, browser } = by;
    // A newer program may know other ways in which a page in the chat was seen. All of them count as an answer from
    // such a page.
    const drawn = by.drawn === NEWER ? "in_view" : by.drawn;
    const hand = { surface, ...(browser && { browser }), ...(drawn && { drawn }) };
    return { verdict, by: hand, ...(takenOut && { takenOut }) };
  }
}
