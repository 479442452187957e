/** The words for a deadline on one surface: a result, a form, a page. */
export interface DeadlineTexts {
  decideBy: (time: string) => string;
  autoAt: (time: string) => string;
  passed: string;
}

export interface DeadlineContext {
  now: () => number;
  timeOfDay: (atMs: number) => string;
  /** Whether the backend goes on by itself then. */
  isLeftToBackend: boolean;
}

/** By when the person must decide (`at`, ms since the epoch), and what happens then; undefined without a deadline. */
export function deadlineSentence(
  at: number | undefined,
  { now, timeOfDay, isLeftToBackend }: DeadlineContext,
  texts: DeadlineTexts,
): string | undefined {
  if (at === undefined) return undefined;
  if (at <= now()) return texts.passed;
  return isLeftToBackend ? texts.autoAt(timeOfDay(at)) : texts.decideBy(timeOfDay(at));
}
