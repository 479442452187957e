/** What could not be written is kept so far, then lost. */
const MAX_UNWRITTEN_BYTES = 256 * 1024;

/** Where lines go. A write never throws. */
export interface Lines {
  write(text: string): void;
}

/**
 * Lines by way of `write`, which gives how many bytes it took, or throws. What it does not take is kept while there is
 * room, and goes out before the next text, or after `againMs`: a log never ends the program that it is about, nor waits.
 */
export function linesTo(write: (bytes: Buffer) => number, againMs?: number): Lines {
  let unwritten = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;

  function writeOut(): void {
    unwritten = unwritten.subarray(taken(unwritten));
    if (unwritten.length === 0 || againMs === undefined || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      writeOut();
    }, againMs).unref();
  }

  function taken(bytes: Buffer): number {
    try {
      return write(bytes);
    } catch {
      return 0;
    }
  }

  return {
    write(text) {
      const bytes = Buffer.from(text);
      if (unwritten.length === 0) unwritten = bytes;
      else if (unwritten.length + bytes.length <= MAX_UNWRITTEN_BYTES) unwritten = Buffer.concat([unwritten, bytes]);
      writeOut();
    },
  };
}
