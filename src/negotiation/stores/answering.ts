import type { Clock } from "../../clock.ts";
import type { TowowError } from "../../errors.ts";
import type { FactStore } from "../facts.ts";

/** A full disk says so at once, a slow one within seconds; a drive whose server is gone says nothing, for hours. */
const ANSWER_MS = 3_000;

/**
 * The same facts, where each question is answered: nothing may stand still because a disk does (contract §10). While a read
 * is late no other is begun, nor a write while one is; each fails at once, and takes none of the process's few threads.
 * Methods throw `tooLate` then. What was begun may still be written, as by any store that answers too late.
 */
export function answering(facts: FactStore, clock: Clock, tooLate: () => TowowError): FactStore {
  const [reading, writing] = [inTime(clock, tooLate), inTime(clock, tooLate)];
  return {
    read: (key) => reading(() => facts.read(key)),
    listOpen: () => reading(() => facts.listOpen()),
    list: (about) => reading(() => facts.list(about)),
    create: (...fact) => writing(() => facts.create(...fact)),
    close: (key) => writing(() => facts.close(key)),
  };
}

function inTime(clock: Clock, tooLate: () => TowowError) {
  let late = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (late > 0) throw tooLate();
    let isLate = false;
    const { promise: out, reject } = Promise.withResolvers<never>();
    const cancelTimer = clock.after(ANSWER_MS, () => {
      isLate = true;
      late += 1;
      reject(tooLate());
    });
    const answer = work().finally(() => {
      cancelTimer();
      if (isLate) late -= 1;
    });
    return Promise.race([answer, out]);
  };
}
