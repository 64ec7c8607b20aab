import { expect, test } from 'vitest';
import { subgenomesOf } from './subgenomes.ts';

const numbered = (count: number, name: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => name(i + 1));
const two = (number: number): string => String(number).padStart(2, '0');

test.each([
  ['wheat', numbered(7, String).flatMap((n) => [`${n}A`, `${n}B`, `${n}D`]), ['A', 'B', 'D'], '7B'],
  ['rapeseed', [...numbered(10, (n) => `A${two(n)}`), ...numbered(9, (n) => `C${two(n)}`)], ['A', 'C'], 'C09'],
  ['cotton', numbered(13, two).flatMap((n) => [`chrA${n}`, `chrD${n}`]), ['A', 'D'], 'chrD13'],
  ['triticale', numbered(7, String).flatMap((n) => [`chr${n}A`, `chr${n}B`, `chr${n}R`]), ['A', 'B', 'R'], 'chr7R'],
])('%s has subgenomes by the letters of its chromosomes', (_, chromosomes, letters, last) => {
  const found = subgenomesOf([...chromosomes, 'Un', 'scaffold_12']);
  expect(found.map(({ letter }) => letter)).toEqual(letters);
  expect(found.flatMap((one) => one.chromosomes).toSorted()).toEqual(chromosomes.toSorted());
  expect(found.some((one) => one.chromosomes.at(-1) === last)).toBe(true);
});

test.each([
  ['maize', numbered(10, String)],
  ['arms', ['2L', '2R', '3L', '3R', '4L', '4R', 'X']],
  ['one genome with letters', numbered(7, (n) => `${n}H`)],
  ['two parts of a chromosome', ['1', '2A', '2B', '3']],
  ['contigs', ['A1', 'B7', 'C12', 'D3']],
])('%s has none', (_, chromosomes) => {
  expect(subgenomesOf(chromosomes)).toEqual([]);
});
