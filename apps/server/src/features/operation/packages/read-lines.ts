import { createReadStream } from 'node:fs';
import { refused } from './open-package.ts';

const MAX_LINE_BYTES = 64 << 20;
const END = 0x0a;

/** The lines of a table of a package, each of them a JSON text; refused where one is longer than any row. */
export async function* readLines(path: string, maxBytes: number = MAX_LINE_BYTES): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      const line = Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
      if (line !== '') yield line;
      [begun, length, start] = [[], 0, end + 1];
    }
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxBytes) throw refused('too-large', 'A table of the package has a row that is too large.');
  }
  if (length > 0) yield Buffer.concat(begun).toString();
}
