import { expect, test } from 'vitest';
import { createRandomStream } from '../random.test-data.ts';
import { packCalls, packedLength, turnCalls, unpackCalls } from './packed-calls.ts';

test('calls are turned from markers to samples, in parts and where neither number is a multiple of four', () => {
  const [samples, markers] = [13, 23];
  const random = createRandomStream(3);
  const calls = Array.from({ length: markers }, () => Uint8Array.from({ length: samples }, () => 4 * random()));
  const stride = packedLength(samples);
  const packed = new Uint8Array(markers * stride);
  for (const [j, codes] of calls.entries()) packCalls(codes, packed, j * stride);
  const [from, width, rowBytes] = [1, 3, packedLength(markers)];
  const turned = new Uint8Array(4 * width * rowBytes);
  for (const [first, count] of [
    [0, 12],
    [12, 11],
  ] as const) {
    const part = packed.subarray(first * stride, (first + count) * stride);
    turnCalls(part, { stride, count, from, width }, turned, rowBytes, first / 4);
  }
  const codes = new Uint8Array(markers);
  for (let i = 4 * from; i < samples; i++) {
    unpackCalls(turned, codes, (i - 4 * from) * rowBytes);
    expect([...codes]).toEqual(calls.map((marker) => marker[i]));
  }
});
