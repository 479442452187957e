import type { SearchPlace } from "../search-path.ts";

/** What the setup of clients needs of the machine. `commands/setup/machine` makes the real one. */
export interface Machine extends SearchPlace {
  /** The person's own folder. Throws `HomeInvalid` where there is none. */
  readonly home: string;
  /** The folder of the project. Throws where it was deleted. */
  readonly cwd: string;
  /** The Node that runs now. */
  readonly node: string;
  /** The folder of this program's copies, each in a folder named by its version, and the version that runs now. */
  readonly copies: string;
  readonly version: string;
  isFolder(path: string): boolean;
  /** The file's text, undefined without one. Throws `tool.config.unavailable.client_config`. */
  read(path: string): string | undefined;
  /**
   * Puts a text in the place of the file that the path leads to, whole or not at all. An existing file keeps its mode
   * bits; `secret` makes a new one readable by its owner alone. Throws `tool.config.unavailable.client_config`, also for a file that
   * is marked read-only.
   */
  write(path: string, text: string, secret?: boolean): void;
  /**
   * The same for a file that others write too, or takes it away (`null`). `before` is what was read there, and is looked
   * at again at the last moment; a link is followed either way. Throws `ClientConfigChanged` where something else stands there by then.
   */
  replace(path: string, before: string | undefined, text: string | null, secret?: boolean): void;
  remove(path: string): void;
  /** Takes a folder away if nothing is in it. */
  removeEmptyFolder(path: string): void;
  /** Runs a program without a shell and without input. `output` is what it wrote to stderr, else to stdout. */
  run(program: string, args: readonly string[], cwd: string): { status: number; output: string };
}
