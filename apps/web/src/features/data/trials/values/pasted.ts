/** Cells of pasted text: rows of a spreadsheet, its tabs as columns. A trailing line end is none. */
export function pastedCells(text: string): string[][] {
  return text
    .replace(/(\r\n|\r|\n)$/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.split('\t').map((cell) => cell.trim().replaceAll(/^"|"$/g, '')));
}

/** A decimal comma, as spreadsheets of many countries have it, is a point; anything else stays. */
export const withPoint = (text: string): string => (/^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text);
