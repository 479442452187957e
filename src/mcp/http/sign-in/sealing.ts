import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { jsonIn } from "../../../json.ts";

/** Fresh random bytes. */
export type Random = (bytes: number) => Buffer;

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The name under which what a secret opens is kept: nobody finds the secret by it. */
export const nameOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/**
 * What is kept, so that whoever reads it can do nothing with it: a value is sealed by the endpoint's key together with a
 * secret that only its holder has. Whoever can write there has not the endpoint's key, and cannot make up a value.
 */
export class Seals {
  readonly #key: Uint8Array;
  readonly #random: Random;

  /** `key`: the endpoint's, the same in every replica and after a restart. */
  constructor(key: Uint8Array, random: Random) {
    this.#key = key;
    this.#random = random;
  }

  newSecret(): string {
    return this.#random(KEY_BYTES).toString("base64url");
  }

  /** `about`: what it is the value of; as the value of anything else it does not open. */
  seal(secret: string, about: string, value: unknown): string {
    const iv = this.#random(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keyFor(secret), iv).setAAD(Buffer.from(about));
    const sealed = [cipher.update(JSON.stringify(value), "utf8"), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
  }

  /** Undefined for what this secret does not open. */
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

  /** A text that follows from another one, and that nobody else can compute. */
  derived(about: string, text: string): string {
    return createHmac("sha256", this.#key).update(`${about}\n${text}`).digest("base64url");
  }

  /** A value in a text that only this endpoint can have written; everybody can read it. */
  sign(about: string, value: unknown): string {
    const body = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${body}.${this.derived(about, body)}`;
  }

  /** Undefined for what this endpoint has not signed. */
  signed(about: string, text: string): unknown {
    const [body = "", mac = "", ...more] = text.split(".");
    if (more.length > 0 || !isSame(mac, this.derived(about, body))) return undefined;
    return jsonIn(Buffer.from(body, "base64url").toString());
  }

  #keyFor(secret: string): Buffer {
    return Buffer.from(hkdfSync("sha256", secret, this.#key, "towow sign-in", KEY_BYTES));
  }
}

/** In a time that does not depend on where they differ. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(nameOfSecret(one)), Buffer.from(nameOfSecret(other)));
