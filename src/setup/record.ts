import { applyEdits, type Edit } from "jsonc-parser";
import { sha256 } from "../sha256.ts";
import type { Machine } from "./machine.ts";

/** What a write made that did not exist before, and what is removed again once it is left empty. */
export interface Made {
  readonly file: boolean;
  /** True if the list of servers in the file was made. */
  readonly list: boolean;
  /** The folders that were made, inner ones first. */
  readonly folders: readonly string[];
}

/**
 * What is needed to take an entry out again exactly, even if the list of servers, the file or its folder did not exist
 * before. Of the person's own text it contains only white space.
 */
interface Written {
  /** The hash of the file as setup left it. While the file has this hash, `undo` restores its former text. */
  readonly hash?: string;
  readonly undo?: Edit[];
  /** True if the file was made for the entry. */
  readonly created: boolean;
  readonly list?: boolean;
  readonly folders?: string[];
}

/** The network that setup set in the home, and the network that was set before. */
export interface NetworkChange {
  readonly set: string;
  readonly before?: string;
}

/** The key of the network in the record. No file has this name. */
const NETWORK = "network";

/**
 * The record of what setup wrote, by file, in this program's home. If the record is lost, a later `--remove` still takes the
 * entry out, but leaves the empty list, file and folders that setup made.
 */
export class SetupRecord {
  readonly #machine: Machine;
  readonly #path: string;

  constructor(machine: Machine, path: string) {
    this.#machine = machine;
    this.#path = path;
  }

  /**
   * Remembers what a write made, and its edits if they only inserted text. `before` is undefined if the file did not
   * exist.
   */
  remember(file: string, before: string | undefined, edits: readonly Edit[], made: Omit<Made, "file">): void {
    const { [file]: _, ...others } = this.#all();
    const undo = inverse(before ?? "", edits);
    const isInsertion = undo.every(({ content }) => content.trim() === "");
    const exact = isInsertion && { hash: sha256(applyEdits(before ?? "", [...edits])), undo };
    const { list, folders } = made;
    this.#save({ ...others, [file]: { ...exact, created: before === undefined, list, folders: [...folders] } });
  }

  /** Returns what setup made for an entry in this file. */
  made(file: string): Made {
    const { created = false, list = false, folders = [] } = this.#all()[file] ?? {};
    return { file: created, list, folders };
  }

  /** Forgets the former bytes of a file, which can no longer be restored because the file was written in another way. */
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
    // If a folder was made for this file and holds another file of ours, that file's record takes it over.
    for (const folder of known.folders ?? []) {
      const [heir, theirs] = Object.entries(others).find(([other]) => isBelow(folder, other)) ?? [];
      if (heir !== undefined) others[heir] = { ...theirs, folders: [...(theirs?.folders ?? []), folder] } as Written;
    }
    this.#save(others);
  }

  /**
   * Returns the text before the write, or `null` if there was no file. Returns undefined if the file is no longer as
   * setup left it.
   */
  before(file: string, text: string): string | null | undefined {
    const { hash, undo = [], created } = this.#all()[file] ?? {};
    if (hash === undefined || hash !== sha256(text)) return undefined;
    return created ? null : applyEdits(text, undo);
  }

  /**
   * Returns the network that setup set, as long as that can be undone. After several runs, `before` is the network that was set
   * before the first run.
   */
  network(): NetworkChange | undefined {
    const known = this.#all()[NETWORK] as Partial<NetworkChange> | undefined;
    if (typeof known?.set !== "string") return undefined;
    return { set: known.set, ...(typeof known.before === "string" && { before: known.before }) };
  }

  rememberNetwork({ set, before }: NetworkChange): void {
    const known = this.network();
    const first = known === undefined || known.set !== before ? before : known.before;
    this.#save({ ...this.#all(), [NETWORK]: { set, ...(first !== undefined && { before: first }) } });
  }

  forgetNetwork(): void {
    const { [NETWORK]: _, ...files } = this.#all();
    this.#save(files);
  }

  #save(all: Record<string, Written | NetworkChange>): void {
    if (Object.keys(all).length === 0) this.#machine.remove(this.#path);
    else this.#machine.write(this.#path, `${JSON.stringify(all, null, 2)}\n`, true);
  }

  #all(): Record<string, Written> & { network?: NetworkChange } {
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

/** Returns the edits that undo the given edits, which must be in the order of the text. */
function inverse(text: string, edits: readonly Edit[]): Edit[] {
  let moved = 0;
  return edits.map(({ offset, length, content }) => {
    const undo = { offset: offset + moved, length: content.length, content: text.slice(offset, offset + length) };
    moved += content.length - length;
    return undo;
  });
}
