import { attribute, decodeXml, elementsOf, firstElement } from './xml-elements.ts';

/** Excel's own limit. Longer formats are ignored: the pattern below is slow on brackets that are never closed. */
const LONGEST_FORMAT = 255;

/**
 * Which cell styles show dates or times: built-in formats 14–22 and 45–47 (ECMA-376 §18.8.30), and custom ones with d,
 * m, y, h or s.
 */
export function dateStyles(styles: string): boolean[] {
  const custom = new Map<number, string>();
  for (const { attributes } of elementsOf(styles, 'numFmt')) {
    custom.set(Number(attribute(attributes, 'numFmtId')), decodeXml(attribute(attributes, 'formatCode')));
  }
  const isDate = (id: number): boolean => {
    const code = custom.get(id);
    if (code === undefined)
      return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
    if (code.length > LONGEST_FORMAT) return false;
    return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|_./gi, ''));
  };
  const cellFormats = firstElement(styles, 'cellXfs')?.content ?? '';
  return [...elementsOf(cellFormats, 'xf')].map(({ attributes }) => isDate(Number(attribute(attributes, 'numFmtId'))));
}

const MS_PER_DAY = 86_400_000;

/** A serial day number as ISO text. Excel counts 29 February 1900, which did not exist: earlier days are one off. */
export function isoDate(serial: number, uses1904: boolean): string {
  const epoch = uses1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const date = new Date(epoch + Math.round(serial * 86_400) * 1000);
  if (Number.isNaN(date.getTime()) || serial < 0) return String(serial);
  const iso = date.toISOString();
  if (serial < 1 && !uses1904) return iso.slice(11, 19);
  return date.getTime() % MS_PER_DAY === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}
