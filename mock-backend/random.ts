/** Seeded randomness: the same seed gives the same ids and scores. Never used for tokens. */
export class Random {
  /** 32 bits; saved and restored so that a restart does not repeat ids. */
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Mulberry32, in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => Math.floor(this.next() * 16).toString(16)).join("");
  }

  /** A version 4 UUID. */
  uuid(): string {
    const variant = "89ab"[Math.floor(this.next() * 4)];
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }
}

/** A number in [0, 1) that depends on the text and the seed only (FNV-1a, then mixed). */
export function hashed(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed;
  for (const char of text) h = Math.imul(h ^ char.codePointAt(0)!, 0x01000193);
  return new Random(h).next();
}

/** One of the choices, by text and seed. */
export function pick<T>(choices: readonly [T, ...T[]], text: string, seed: number): T {
  return choices[Math.floor(hashed(text, seed) * choices.length)] ?? choices[0];
}
