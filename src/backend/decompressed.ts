import { gathered } from "./body.ts";

/** Compressed more often than this is no answer that anybody means. */
const MAX_CODINGS = 5;

type Body = readonly Uint8Array[];

/**
 * A body as it was before it was compressed, for codings as in `gzip, br`; as it came where one of them is unknown. Each
 * coding is undone by itself and may give `maxBytes`: within one that gives more, a few bytes can hide hours of work that
 * come to nothing. Throws BodyTooLarge.
 */
export async function decompressed(body: Body, codings: string | null, maxBytes: number): Promise<Body> {
  if (codings === null) return body;
  const [{ Readable, pipeline }, zlib] = await Promise.all([import("node:stream"), import("node:zlib")]);
  // What has come is given out: that something is missing is seen by who parses it, as in a body that is not compressed.
  const { Z_SYNC_FLUSH: flush } = zlib.constants;
  const unzip = () => zlib.createUnzip({ flush, finishFlush: flush });
  const known = new Map<string, (() => NodeJS.ReadWriteStream) | undefined>([
    ["gzip", unzip],
    ["x-gzip", unzip],
    ["deflate", unzip],
    ["br", zlib.createBrotliDecompress],
    ["zstd", zlib.createZstdDecompress], // not in the oldest Node
  ]);
  const names = codings.toLowerCase().split(",").reverse();
  const makers = names.flatMap((name) => known.get(name.trim()) ?? []);
  if (makers.length < names.length || names.length > MAX_CODINGS) return body;
  let plain = body;
  for (const make of makers) {
    const stream = pipeline([Readable.from(plain), make()], () => {}); // who reads it hears of an error
    plain = await gathered(stream as unknown as AsyncIterable<Uint8Array>, maxBytes);
  }
  return plain;
}
