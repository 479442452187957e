import type { Clock } from "../../clock.ts";
import type { TowowError } from "../../errors.ts";
import type { FactStore } from "../facts.ts";

/** A full disk fails at once, and a slow one within seconds. A drive whose server is gone says nothing for hours. */
const ANSWER_MS = 3_000;

/**
 * Wraps facts so that each call is answered, since nothing may hang because a disk does (contract §10). While a read
 * is late no other begins, nor a write while one is. Each fails at once, and takes none of the process's few threads.
 * Methods throw `tooLate` then. A write that began may still succeed, as in any store that answers too late.
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
