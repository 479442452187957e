import type { Io } from "../../app/io.ts";
import type { Sandbox } from "../../app/sandbox/sandbox.ts";
import type { CurrentUser } from "../../home/current-user.ts";
import type { FileState } from "../../home/file.ts";
import type { resolveAll } from "../../home/settings.ts";
import type { DoctorTexts } from "../../text/doctor.ts";

/** One thing that was looked at. */
export interface Finding {
  /** Stable name of what was looked at: `config`, `backend.endpoints`, … */
  readonly check: string;
  /** `unchecked`: nothing wrong was seen, and nothing shows that it is right. */
  readonly level: "ok" | "unchecked" | "warning" | "problem";
  /** One sentence, in the person's language. */
  readonly message: string;
  /** What fixes it: a command, or what stands in its place. */
  readonly fix?: string;
}

/** What every check looks at: read once, without changing anything. */
export interface DoctorContext {
  readonly io: Io;
  readonly home: string;
  readonly configPath: string;
  readonly file: FileState;
  readonly settings: ReturnType<typeof resolveAll>;
  readonly who: CurrentUser;
  /** `on_unconfirmed: leave` is not followed now, because text of others was read in this home. */
  readonly isLeaveSuspended: boolean;
  /** For the backend's own origin; never shown. */
  readonly bearer: string | undefined;
  readonly lang: "zh" | "en";
  readonly texts: DoctorTexts;
  readonly version: string;
  readonly sandbox: Pick<Sandbox, "running">;
}
