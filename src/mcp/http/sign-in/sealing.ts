import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { jsonIn } from "../../../json.ts";

/** Returns fresh random bytes. */
export type Random = (bytes: number) => Buffer;

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the hash of a secret, by which the store names what the secret opens. The secret cannot be found from the
 * hash.
 */
export const nameOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/**
 * Seals values so that a reader of the store can do nothing with them. A value is sealed with the endpoint's key and
 * with a secret that only its holder has. An intruder who writes to the store lacks the endpoint's key, and so cannot
 * make up a value.
 */
export class Seals {
  readonly #key: Uint8Array;
  readonly #random: Random;

  /**
   * `key` is the endpoint's own. All replicas must have the same key, and what was sealed with another key cannot be
   * opened.
   */
  constructor(key: Uint8Array, random: Random) {
    this.#key = key;
    this.#random = random;
  }

  newSecret(): string {
    return this.#random(KEY_BYTES).toString("base64url");
  }

  /** Seals a value. `about` names what the value belongs to, and the value opens only with the same name. */
  seal(secret: string, about: string, value: unknown): string {
    const iv = this.#random(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keyFor(secret), iv).setAAD(Buffer.from(about));
    const sealed = [cipher.update(JSON.stringify(value), "utf8"), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
  }

  /** Opens a sealed value. Undefined if this secret does not open it. */
  open(secret: string, about: string, sealed: string): unknown {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv("aes-256-gcm", this.#keyFor(secret), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
    try {
      return jsonIn(
        Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(),
      );
    } catch {
      return undefined;
    }
  }

  /** Derives a text from another one. Nobody without the endpoint's key can compute the derived text. */
  derived(about: string, text: string): string {
    return createHmac("sha256", this.#key).update(`${about}\n${text}`).digest("base64url");
  }

  /** Puts a value into a text that everybody can read and only this endpoint can have written. */
  sign(about: string, value: unknown): string {
    const body = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${body}.${this.derived(about, body)}`;
  }

  /** Returns the value in a signed text. Undefined if this endpoint has not signed it. */
  signed(about: string, text: string): unknown {
    const [body = "", mac = "", ...more] = text.split(".");
    if (more.length > 0 || !isSame(mac, this.derived(about, body))) return undefined;
    return jsonIn(Buffer.from(body, "base64url").toString());
  }

  #keyFor(secret: string): Buffer {
    return Buffer.from(hkdfSync("sha256", secret, this.#key, "towow sign-in", KEY_BYTES));
  }
}

/**
 * Compares two texts in constant time, so that a person who guesses one of them does not learn where the guess is
 * wrong.
 */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(nameOfSecret(one)), Buffer.from(nameOfSecret(other)));
