import type { ByteSource } from '../../byte-source.ts';
import { inflatedBytes } from '../../compression/inflated-bytes.ts';
import { normalizeName } from '../../names/normalize-name.ts';

const LINE_FEED = 0x0a;
const HEADER = Buffer.from('#CHROM\t');
/** Columns before the first individual. */
const LEAD = 9;

/**
 * A VCF, plain or gzipped, with other names of its individuals: the line `#CHROM` is written anew, every other byte is
 * passed on. Bytes of text; memory is that of one line of the header.
 *
 * @param renames from a name after normalizeName
 * @throws GzipError for a damaged stream or one that inflates beyond `maxInflatedBytes`
 */
export async function* renameVcfSamples(
  source: ByteSource,
  renames: ReadonlyMap<string, string>,
  maxInflatedBytes: number,
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let isDone = false;
  for await (const chunk of inflatedBytes(source, { maxInflatedBytes })) {
    let from = 0;
    while (!isDone) {
      const end = chunk.indexOf(LINE_FEED, from);
      // The reader of the file reuses its memory.
      pieces.push(chunk.slice(from, end < 0 ? chunk.length : end + 1));
      if (end < 0) break;
      const line = Buffer.concat(pieces);
      pieces = [];
      from = end + 1;
      isDone = line.subarray(0, HEADER.length).equals(HEADER);
      yield isDone ? renamed(line, renames) : line;
    }
    if (isDone && from < chunk.length) yield chunk.subarray(from);
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

function renamed(line: Buffer, renames: ReadonlyMap<string, string>): Uint8Array {
  const [, text = '', ending = ''] = /^([^\r\n]*)(\r?\n?)$/.exec(line.toString('utf8')) ?? [];
  const cells = text.split('\t').map((cell, i) => (i < LEAD ? cell : (renames.get(normalizeName(cell)) ?? cell)));
  return Buffer.from(cells.join('\t') + ending);
}
