/** Unwritten text is kept up to this many bytes, and the rest is lost. */
const MAX_UNWRITTEN_BYTES = 256 * 1024;

/** Takes lines of a log. A write never throws. */
export interface Lines {
  write(text: string): void;
}

/**
 * Writes lines through `write`, which returns how many bytes it took, or throws. The rest is kept while there is room
 * and goes out before the next text, or after `againMs` milliseconds. In this way a log never ends or delays its
 * program.
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
