import type { Machine } from "./machine.ts";

/**
 * How to take one insertion back to the very byte, also where a list of servers, or the file, was not there before.
 * Only white space of the person's own is ever kept in it.
 */
interface Insertion {
  /** Of the file as it was left. As long as the file is that, the insertion is undone exactly. */
  readonly hash: string;
  readonly offset: number;
  readonly length: number;
  /** What stood there. */
  readonly blank: string;
  /** The file was made for the entry. */
  readonly created: boolean;
}

/** What setup wrote, by file, in this program's home. Losing it costs nothing but an empty pair of braces. */
export class SetupRecord {
  readonly #machine: Machine;
  readonly #path: string;
  readonly #hash: (text: string) => string;

  constructor(machine: Machine, path: string, hash: (text: string) => string) {
    this.#machine = machine;
    this.#path = path;
    this.#hash = hash;
  }

  /** Remembers a write, when it did nothing but insert. */
  remember(file: string, before: string | undefined, after: string): void {
    const insertion = insertionOf(before ?? "", after);
    const { [file]: _, ...others } = this.#all();
    const entry = insertion && { [file]: { ...insertion, hash: this.#hash(after), created: before === undefined } };
    this.#save({ ...others, ...entry });
  }

  /** Forgets a file from which the entry was taken out. */
  forget(file: string): void {
    const { [file]: known, ...others } = this.#all();
    if (known !== undefined) this.#save(others);
  }

  /** The text before the write, `null` for no file at all; undefined when the file is not what was left. */
  before(file: string, text: string): string | null | undefined {
    const known = this.#all()[file];
    if (known === undefined || known.hash !== this.#hash(text)) return undefined;
    const { offset, length, blank, created } = known;
    return created ? null : text.slice(0, offset) + blank + text.slice(offset + length);
  }

  #save(all: Record<string, Insertion>): void {
    if (Object.keys(all).length === 0) this.#machine.remove(this.#path);
    else this.#machine.write(this.#path, `${JSON.stringify(all, null, 2)}\n`, true);
  }

  #all(): Record<string, Insertion> {
    try {
      const all: unknown = JSON.parse(this.#machine.read(this.#path) ?? "{}");
      return typeof all === "object" && all !== null ? (all as Record<string, Insertion>) : {};
    } catch {
      return {};
    }
  }
}

function insertionOf(before: string, after: string): { offset: number; length: number; blank: string } | undefined {
  let offset = 0;
  while (offset < before.length && before[offset] === after[offset]) offset += 1;
  let tail = 0;
  while (tail < before.length - offset && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const blank = before.slice(offset, before.length - tail);
  return blank.trim() === "" ? { offset, length: after.length - offset - tail, blank } : undefined;
}
