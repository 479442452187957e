/** Compressed more often than this is no answer that anybody means. */
const MAX_CODINGS = 5;

type Body = readonly Uint8Array[];

/** A body as it was before it was compressed, for codings as in `gzip, br`; as it came where one of them is unknown. */
export async function decompressed(body: Body, codings: string | null): Promise<Body | AsyncIterable<Uint8Array>> {
  if (codings === null) return body;
  const [{ Readable, pipeline }, zlib] = await Promise.all([import("node:stream"), import("node:zlib")]);
  // What has come is given out: that something is missing is seen by who parses it, as in a body that is not compressed.
  const { Z_SYNC_FLUSH: flush } = zlib.constants;
  const unzip = () => zlib.createUnzip({ flush, finishFlush: flush });
  const known: Record<string, (() => NodeJS.ReadWriteStream) | undefined> = {
    gzip: unzip,
    "x-gzip": unzip,
    deflate: unzip,
    br: zlib.createBrotliDecompress,
    zstd: zlib.createZstdDecompress, // not in the oldest Node
  };
  const names = codings.toLowerCase().split(",").reverse();
  const makers = names.flatMap((name) => known[name.trim()] ?? []);
  if (makers.length < names.length || names.length > MAX_CODINGS) return body;
  const plain = pipeline([Readable.from(body), ...makers.map((make) => make())], () => {}); // who reads it hears of an error
  return plain as unknown as AsyncIterable<Uint8Array>;
}
