import { expect, test } from 'vitest';
import { packCalls, packedLength } from './packed-calls.ts';
import { createRandomStream } from './random.test-data.ts';
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

function parse(calls: string[], start = 0) {
  const fast = new FastRow(calls.length);
  const row = new Uint8Array(packedLength(calls.length));
  const ok = fast.parse(Buffer.from(`${'#'.repeat(start)}${calls.join('\t')}\nnext`), start, row);
  return { ok, row, fast };
}

test.each([1, 2, 15, 16, 17, 32, 101])('a row of %i calls of all kinds is packed as its texts say', (n) => {
  const random = createRandomStream(n);
  for (let turn = 0; turn < 50; turn++) {
    const { calls, codes } = rowOf(n, random);
    const { ok, row, fast } = parse(calls, turn);
    const expected = new Uint8Array(packedLength(n));
    packCalls(codes, expected);
    expect(ok).toBe(true);
    expect(row).toEqual(expected);
    expect(fast.halfMissing).toBe(calls.filter((call) => /^\.[/|]\d|\d[/|]\.$/.test(call)).length);
    expect(fast.phasedHet).toBe(calls.filter((call) => call === '0|1' || call === '1|0').length);
  }
});

test.each(['2/0', '0/2', '0x1', '0/1/1', '0:1', '00/1', 'a/a', '0/ ', '/0/', '-/-', '~/0', '\x90/0', '0\x7c'])(
  'anything but such a call is left to the general reader, wherever it stands before the last call: %j',
  (bad) => {
    for (const place of [0, 14, 15, 16, 30]) {
      const calls = Array<string>(32).fill('0/1');
      calls[place] = bad;
      expect(parse(calls).ok).toBe(false);
    }
  },
);
