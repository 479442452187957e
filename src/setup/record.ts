import { applyEdits, type Edit } from "jsonc-parser";
import type { Machine } from "./machine.ts";

/** What a write made where there was nothing: it goes again once it is left empty. */
export interface Made {
  readonly file: boolean;
  /** The list of servers in it. */
  readonly list: boolean;
  /** Inner ones first. */
  readonly folders: readonly string[];
}

/**
 * How to take an entry out again to the very byte, also where a list of servers, the file or its folder was not there
 * before. Only white space of the person's own is ever kept in it.
 */
interface Written {
  /** Of the file as it was left. As long as the file is that, the edits give back what it was. */
  readonly hash?: string;
  readonly undo?: Edit[];
  /** The file was made for the entry. */
  readonly created: boolean;
  readonly list?: boolean;
  readonly folders?: string[];
}

/** The network that setup set in the home, and what stood there before. */
export interface NetworkSet {
  readonly set: string;
  readonly before?: string;
}

/** No file is called so. */
const NETWORK = "network";

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

  /**
   * Remembers what a write made, and its edits when they did nothing but insert. `before` is undefined for a file that
   * was not there.
   */
  remember(file: string, before: string | undefined, edits: readonly Edit[], made: Omit<Made, "file">): void {
    const { [file]: _, ...others } = this.#all();
    const undo = inverse(before ?? "", edits);
    const isInsertion = undo.every(({ content }) => content.trim() === "");
    const exact = isInsertion && { hash: this.#hash(applyEdits(before ?? "", [...edits])), undo };
    const { list, folders } = made;
    this.#save({ ...others, [file]: { ...exact, created: before === undefined, list, folders: [...folders] } });
  }

  /** What setup made for an entry in this file. */
  made(file: string): Made {
    const { created = false, list = false, folders = [] } = this.#all()[file] ?? {};
    return { file: created, list, folders };
  }

  /** The file has been written in another way: there is no giving back its bytes. */
  loosen(file: string): void {
    const { [file]: known, ...others } = this.#all();
    if (known === undefined) return;
    const { hash: _, undo: __, ...made } = known;
    this.#save({ ...others, [file]: made });
  }

  /** Forgets a file from which the entry was taken out. */
  forget(file: string): void {
    const { [file]: known, ...others } = this.#all();
    if (known === undefined) return;
    // A folder that was made for this file and holds another one of ours goes with that one.
    for (const folder of known.folders ?? []) {
      const [heir, theirs] = Object.entries(others).find(([other]) => isBelow(folder, other)) ?? [];
      if (heir !== undefined) others[heir] = { ...theirs, folders: [...(theirs?.folders ?? []), folder] } as Written;
    }
    this.#save(others);
  }

  /** The text before the write, `null` for no file at all; undefined when the file is not what was left. */
  before(file: string, text: string): string | null | undefined {
    const { hash, undo = [], created } = this.#all()[file] ?? {};
    if (hash === undefined || hash !== this.#hash(text)) return undefined;
    return created ? null : applyEdits(text, undo);
  }

  /** The network that setup set, as long as it is to be undone: over several runs, what stood there before the first. */
  network(): NetworkSet | undefined {
    const known = this.#all()[NETWORK] as Partial<NetworkSet> | undefined;
    if (typeof known?.set !== "string") return undefined;
    return { set: known.set, ...(typeof known.before === "string" && { before: known.before }) };
  }

  rememberNetwork({ set, before }: NetworkSet): void {
    const known = this.network();
    const first = known === undefined || known.set !== before ? before : known.before;
    this.#save({ ...this.#all(), [NETWORK]: { set, ...(first !== undefined && { before: first }) } });
  }

  forgetNetwork(): void {
    const { [NETWORK]: _, ...files } = this.#all();
    this.#save(files);
  }

  #save(all: Record<string, Written | NetworkSet>): void {
    if (Object.keys(all).length === 0) this.#machine.remove(this.#path);
    else this.#machine.write(this.#path, `${JSON.stringify(all, null, 2)}\n`, true);
  }

  #all(): Record<string, Written> & { network?: NetworkSet } {
    try {
      const all: unknown = JSON.parse(this.#machine.read(this.#path) ?? "{}");
      return typeof all === "object" && all !== null ? (all as Record<string, Written>) : {};
    } catch {
      return {};
    }
  }
}

const isBelow = (folder: string, file: string): boolean =>
  ["/", "\\"].some((separator) => file.startsWith(`${folder}${separator}`));

/** The edits that undo others, which are given in their order in the text. */
function inverse(text: string, edits: readonly Edit[]): Edit[] {
  let moved = 0;
  return edits.map(({ offset, length, content }) => {
    const undo = { offset: offset + moved, length: content.length, content: text.slice(offset, offset + length) };
    moved += content.length - length;
    return undo;
  });
}
