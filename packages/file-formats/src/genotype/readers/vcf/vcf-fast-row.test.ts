import { expect, test } from 'vitest';
import { aligned, KernelMemory } from '../../kernels/genotype-kernels.ts';
import { packCalls, packedLength } from '../../panel/packed-calls.ts';
import { createRandomStream } from '../../random.test-data.ts';
import { FastRow } from './vcf-fast-row.ts';

const CODES: Record<string, number> = {
  '0/0': 0,
  '0/1': 2,
  '1/0': 2,
  '1/1': 3,
  './.': 1,
  '0/.': 1,
  './0': 1,
  '1/.': 1,
};

function rowOf(n: number, pick: () => number): { calls: string[]; codes: Uint8Array } {
  const texts = Object.keys(CODES);
  const unphased = Array.from({ length: n }, () => texts[Math.floor(pick() * texts.length)]);
  const calls = unphased.map((call) => (pick() < 0.5 ? call.replace('/', '|') : call));
  return { calls, codes: Uint8Array.from(unphased, (call) => CODES[call]) };
}

/** Where the text of the row lies: in memory of its own, or in that of the kernel with other text after it. */
type Place = 'elsewhere' | 'in the kernel memory';

function parse(calls: string[], start = 0, place: Place = 'elsewhere') {
  const n = calls.length;
  const text = Buffer.from(`${'#'.repeat(start)}${calls.join('\t')}\n1\t5\tnext${'\t1|1'.repeat(20)}`);
  const rowBytes = aligned(4 * Math.ceil(n / 16));
  const memory = new KernelMemory(rowBytes + FastRow.memoryFor(n) + aligned(text.length));
  const row = memory.take(rowBytes);
  const fast = new FastRow(n, row, memory);
  const inPlace = memory.take(text.length);
  inPlace.set(text);
  const given = place === 'elsewhere' ? text : Buffer.from(inPlace.buffer, inPlace.byteOffset, inPlace.length);
  return { ok: fast.parse(given, start), row, fast };
}

const PLACES: Place[] = ['elsewhere', 'in the kernel memory'];
const SIZES = [1, 2, 15, 16, 17, 32, 33, 101];

test.each(PLACES.flatMap((place) => SIZES.map((n) => ({ n, place }))))(
  'a row of $n calls of all kinds, $place, is packed as its texts say',
  ({ n, place }) => {
    const random = createRandomStream(n);
    for (let turn = 0; turn < 50; turn++) {
      const { calls, codes } = rowOf(n, random);
      const { ok, row, fast } = parse(calls, turn, place);
      // Zeros after the last call: they are counted with the row.
      const expected = new Uint8Array(row.length);
      packCalls(codes, expected.subarray(0, packedLength(n)));
      expect(ok).toBe(true);
      expect(row).toEqual(expected);
      expect(fast.halfMissing).toBe(calls.filter((call) => /^\.[/|]\d|\d[/|]\.$/.test(call)).length);
      expect(fast.phasedHet).toBe(calls.filter((call) => call === '0|1' || call === '1|0').length);
    }
  },
);

test.each(['2/0', '0/2', '0x1', '0/1/1', '0:1', '00/1', 'a/a', '0/ ', '/0/', '-/-', '~/0', '\x90/0', '0\x7c'])(
  'anything but such a call is left to the general reader, wherever it stands: %j',
  (bad) => {
    // The last call is not followed by a tab: a longer one there is another row's length.
    for (const place of bad.length === 3 ? [0, 14, 15, 16, 30, 31] : [0, 14, 15, 16, 30]) {
      const calls = Array<string>(32).fill('0/1');
      calls[place] = bad;
      for (const where of PLACES) expect(parse(calls, 3, where).ok).toBe(false);
    }
  },
);
