import { toToolError } from "../../agent/errors.ts";
import type { FileState } from "../../config/file.ts";
import type { resolveAll } from "../../config/resolve.ts";
import type { TowowError } from "../../errors.ts";
import type { DoctorTexts } from "../../text/doctor.ts";
import { textsOf } from "../../text/index.ts";
import type { Who } from "../who.ts";

/** One thing that was looked at. */
export interface Finding {
  /** Stable name of what was looked at: `config`, `backend.endpoints`, … */
  readonly check: string;
  readonly level: "ok" | "warning" | "problem";
  /** One sentence, in the person's language. */
  readonly message: string;
  /** What fixes it: a command, or what stands in its place. */
  readonly fix?: string;
}

/** What every check looks at: read once, without changing anything. */
export interface Patient {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly configPath: string;
  readonly file: FileState;
  readonly settings: ReturnType<typeof resolveAll>;
  readonly who: Who;
  /** For the backend's own origin; never shown. */
  readonly bearer: string | undefined;
  readonly lang: "zh" | "en";
  readonly texts: DoctorTexts;
  readonly version: string;
}

/** A failure in its own sentence: what happened, without what to do. */
export const sentenceOf = (error: TowowError, { lang }: Patient): string =>
  toToolError(error, { texts: textsOf(lang), idempotent: true, callable: () => false }).message;

/** A path as a shell takes it. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
