import { expect, it } from 'vitest';
import { fileOfTable, isTable } from './pasted-text.ts';

it('tells cells of a spreadsheet from other text', () => {
  expect(isTable('female\tmale\r\nB73\tMo17\r\n')).toBe(true);
  expect(isTable('female\tmale')).toBe(false);
  expect(isTable('B73\nMo17\n')).toBe(false);
  expect(isTable('a sentence\nand\ta tab')).toBe(false);
});

it('makes a file of them, an empty cell staying one', async () => {
  const file = fileOfTable('line\tyield\r\nB73\t\r\n', 'Pasted.tsv');
  expect(await file.text()).toBe('line\tyield\nB73\t\n');
  expect(file.name).toBe('Pasted.tsv');
});
