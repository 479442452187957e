import { Failure } from "../errors.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import type { Mode, Session } from "../session/session.ts";

/** Where a person finds what fixes the mode. */
const PLACES = { flag: "--mode / ?mode=", environment: "TOWOW_MODE" };

export interface ModeDeps {
  live: LiveSettings;
  session: Session;
  /** See {@link ServerDeps.sessionless}. */
  sessionless?: boolean;
}

/** The mode of one session, and everything that changes it; `announce` is called once for each change. */
export function createMode({ live, session, sessionless }: ModeDeps, announce: () => void) {
  let fileMode = live.current().mode;
  let isSaving = false;
  const mode = (): Mode => session.mode ?? live.current().mode;

  const stop = live.onChange(() => {
    if (isSaving || live.current().mode === fileMode) return;
    fileMode = live.current().mode;
    session.mode = undefined; // an edit of the file is the newer word
    announce();
  });

  /** Changes it for this session, or for good. @throws `tool.policy.blocked.mode_pinned` */
  async function setMode(wanted: Mode, persist: boolean): Promise<void> {
    const { sources } = live.current();
    if (sources.mode === "flag" || sources.mode === "environment")
      throw new Failure("tool.policy.blocked.mode_pinned", { mode: mode(), where: PLACES[sources.mode] });
    const before = mode();
    const isSaved = persist || sessionless === true;
    isSaving = isSaved; // what this call saves is no edit of somebody else's
    try {
      if (isSaved) await live.save({ mode: wanted });
    } finally {
      isSaving = false;
    }
    session.mode = sessionless ? undefined : wanted;
    fileMode = live.current().mode;
    if (wanted !== before) announce();
  }

  return { mode, setMode, stop };
}

/** Calls back when the mode of the settings has become another one. */
export function onModeChange(live: LiveSettings, changed: () => void): void {
  let { mode } = live.current();
  live.onChange(() => {
    if (live.current().mode === mode) return;
    mode = live.current().mode;
    changed();
  });
}
