import type { SearchPlace } from "../search-path.ts";

/** What the setup of clients needs of the machine. `commands/setup/machine` makes the real one. */
export interface Machine extends SearchPlace {
  /** The person's own folder. @throws `HomeInvalid` if there is none */
  readonly home: string;
  /** The folder of the project. Throws if the folder was deleted. */
  readonly cwd: string;
  /** The path of the Node that runs now. */
  readonly node: string;
  /**
   * The folder of this program's copies. Each copy is in a folder named by its version. `version` is the version that runs now.
   */
  readonly copies: string;
  readonly version: string;
  isFolder(path: string): boolean;
  /** Returns the file's text, or undefined if there is no file. @throws `tool.config.unavailable.client_config` */
  read(path: string): string | undefined;
  /**
   * Replaces the file to which the path leads by a text, whole or not at all. An existing file keeps its mode bits. With
   * `secret` only its owner can read a new file. @throws `tool.config.unavailable.client_config`, also for a file that is
   * marked read-only
   */
  write(path: string, text: string, secret?: boolean): void;
  /**
   * Replaces a file that others write too, or removes it if `text` is null. `before` is the text that was read, and is compared
   * with the file again at the last moment. Links are followed in both cases. @throws `ClientConfigChanged` if the file has
   * changed by then
   */
  replace(path: string, before: string | undefined, text: string | null, secret?: boolean): void;
  remove(path: string): void;
  /** Removes a folder if nothing is in it. */
  removeEmptyFolder(path: string): void;
  /** Runs a program without a shell and without input. `output` is what it wrote to stderr, or else to stdout. */
  run(program: string, args: readonly string[], cwd: string): { status: number; output: string };
}
