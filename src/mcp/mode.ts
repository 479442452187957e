import { Failure } from "../errors.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import type { Mode, Session } from "../session/session.ts";

/** The places where a person can find what fixes the mode. */
const PLACES = { flag: "--mode / ?mode=", environment: "TOWOW_MODE" };

export interface ModeDeps {
  live: LiveSettings;
  session: Session;
  /** See {@link ServerDeps.sessionless}. */
  sessionless?: boolean;
}

/**
 * Makes the function that returns one session's mode and the function that changes it. `announce` is called once for
 * each change.
 */
export function createMode({ live, session, sessionless }: ModeDeps, announce: () => void) {
  let fileMode = live.current().mode;
  let isSaving = false;
  const mode = (): Mode => session.mode ?? live.current().mode;

  const stop = live.onChange(() => {
    if (isSaving || live.current().mode === fileMode) return;
    fileMode = live.current().mode;
    session.mode = undefined; // The file was edited after the session's mode was chosen.
    announce();
  });

  /**
   * Changes the mode for this session, or with `persist` in the settings too. @throws `tool.policy.blocked.mode_pinned`
   */
  async function setMode(wanted: Mode, persist: boolean): Promise<void> {
    const { sources } = live.current();
    if (sources.mode === "flag" || sources.mode === "environment")
      throw new Failure("tool.policy.blocked.mode_pinned", { mode: mode(), where: PLACES[sources.mode] });
    const before = mode();
    const isSaved = persist || sessionless === true;
    isSaving = isSaved; // The save of this call must not be taken for an edit of the file.
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

/** Calls `changed` whenever the settings change the mode. */
export function onModeChange(live: LiveSettings, changed: () => void): void {
  let { mode } = live.current();
  live.onChange(() => {
    if (live.current().mode === mode) return;
    mode = live.current().mode;
    changed();
  });
}
