import type { Paper } from '@heterosis/contracts/common';

/** Where Letter is the paper of offices (CLDR, paper sizes by territory). */
const LETTER = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** The paper that people of this language and country have in their printer. */
export function firstPaper(language: string = navigator.language): Paper {
  return LETTER.has(new Intl.Locale(language).region ?? '') ? 'LETTER' : 'A4';
}
