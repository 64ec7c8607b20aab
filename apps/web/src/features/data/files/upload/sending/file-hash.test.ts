import { expect, test } from 'vitest';
import { fingerprintOf, plainHash, sha256, toHex } from './file-hash.ts';

const file = (text: string, name = 'a.csv', lastModified = 5) => new File([text], name, { lastModified });

test('a fingerprint is the same for the same file and another when name, time, size or the first bytes differ', async () => {
  const print = await fingerprintOf(file('abc'));
  expect(print).toMatch(/^[0-9a-f]{64}$/);
  expect(await fingerprintOf(file('abc'))).toBe(print);
  const others = [file('abd'), file('abcd'), file('abc', 'b.csv'), file('abc', 'a.csv', 6)];
  for (const other of others) expect(await fingerprintOf(other)).not.toBe(print);
});

test('the hashes are those of their definitions', async () => {
  const bytes = new TextEncoder().encode('a');
  expect(toHex((await sha256(bytes)) ?? new Uint8Array())).toMatch(/^ca978112ca1bbdca/);
  // FNV-1a of "a" and of nothing, as its authors list them.
  expect(toHex(plainHash(bytes))).toBe('e40c292c811c9dc5');
});
