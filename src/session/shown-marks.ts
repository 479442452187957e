import * as z from "zod";
import type { Store } from "../store/store.ts";
import { SESSION_MS } from "./lifetime.ts";

/** Fingerprints of a result's parts, by the name of the part. */
export type Parts = Readonly<Record<string, string>>;

const parts = z.record(z.string(), z.string());

/** What this session last showed of each negotiation, as hashes, so that `change` means what is new to it. */
export class ShownMarks {
  readonly #store: Store;
  readonly #hash: (text: string) => string;

  constructor(store: Store, hash: (text: string) => string) {
    this.#store = store;
    this.#hash = hash;
  }

  /** Whether a fingerprint is the one that was shown last, as far as is known now. */
  async lastShown(origin: string, negotiationId: string): Promise<(fingerprint: string) => boolean> {
    const mark = await this.#store.get(`shown:${origin}:${negotiationId}`, z.string());
    return (fingerprint) => this.#hash(fingerprint) === mark;
  }

  async set(origin: string, negotiationId: string, fingerprint: string): Promise<void> {
    await this.#store.put(`shown:${origin}:${negotiationId}`, this.#hash(fingerprint), SESSION_MS);
  }

  /** The parts that this session has been given, each as it was last; undefined where it never had the whole. */
  parts(origin: string, negotiationId: string): Promise<Parts | undefined> {
    return this.#store.get<Parts>(`parts:${origin}:${negotiationId}`, parts);
  }

  async setParts(origin: string, negotiationId: string, parts: Parts): Promise<void> {
    await this.#store.put(`parts:${origin}:${negotiationId}`, parts, SESSION_MS);
  }

  /** Short, since hundreds of them are kept for one negotiation: two values with one mark would only be reported once. */
  mark(value: unknown): string {
    return this.#hash(JSON.stringify(value) ?? "").slice(0, 16);
  }
}
