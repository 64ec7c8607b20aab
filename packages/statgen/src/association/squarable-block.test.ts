import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createSquarableBlock } from './squarable-block.ts';

test('the first rows of the first columns are squared, the rest stays', () => {
  const random = createRandomStream(1, 'squares');
  for (const [rows, lead, columns] of [
    [1, 1, 1],
    [7, 7, 3],
    [8, 9, 2],
    [17, 20, 4],
    [999, 1016, 2],
  ] as const) {
    const block = createSquarableBlock(lead * (columns + 1));
    for (let i = 0; i < block.data.length; i++) block.data[i] = random.normal();
    const expected = block.data.map((value, i) => (i % lead < rows && i < lead * columns ? value * value : value));
    block.squareRows(rows, lead, columns);
    expect(block.data).toEqual(expected);
  }
});
