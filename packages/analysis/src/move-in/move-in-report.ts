import { relative } from 'node:path';
import type { Made, MovedFile } from './moved-file.ts';

/** Problems of one made file that the report lists; the rest are counted. */
const LISTED = 5;

/** The report of a move as Markdown: a section a file, what came in, what stayed behind and why, what to do. */
export function moveInReport(moved: readonly MovedFile[], { folder, out }: { folder: string; out: string }): string {
  const came = moved.filter(({ made, cameWith }) => cameWith !== undefined || made.some(({ isUsable }) => isUsable));
  const lines = [
    `# What came in from ${folder}`,
    '',
    `Files: ${moved.length}. Of these came in: ${came.length}. Did not: ${moved.length - came.length}.`,
    '',
  ];
  for (const one of moved) {
    lines.push(`## ${one.file}`, '', `Taken for ${one.takenFor}.`, '');
    if (one.cameWith !== undefined)
      lines.push(one.made.length === 0 ? `It came in with ${one.cameWith}.` : `${one.cameWith} uses it too.`, '');
    for (const [title, isUsable] of [
      ['Came in:', true],
      ['Refused by the check:', false],
    ] as const) {
      const made = one.made.filter((each) => each.isUsable === isUsable);
      if (made.length > 0) lines.push(title, '', ...made.flatMap((each) => madeLines(each, out)), '');
    }
    if (one.left.length > 0) {
      lines.push('Stayed behind:', '');
      for (const [why, alike] of Map.groupBy(one.left, (each) => withoutStop(each.why))) {
        const what = alike.map((each) => `${each.what}${each.count === null ? '' : ` (${each.count})`}`);
        lines.push(`- ${what.join(', ')}: ${why}.`);
      }
      lines.push('');
    }
    if (one.advice.length > 0) lines.push('To do:', '', ...one.advice.map((text) => `- ${text}`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function madeLines({ path, type, counts, problems, isUsable, sent }: Made, out: string): string[] {
  const inside = relative(out, path);
  const name = inside.startsWith('..') ? 'the file as it is' : inside;
  const ignored = problems.flatMap(({ code, value }) => (code === 'W-COL-IGNORED' ? [value ?? ''] : []));
  const told = problems.filter(
    ({ severity, code }) => severity === (isUsable ? 'warning' : 'error') && code !== 'W-COL-IGNORED',
  );
  const found = [countsText(counts), sent ?? ''].filter(Boolean).join('; ');
  return [
    `- ${name}, as ${type}${found === '' ? '' : `: ${found}`}`,
    ...told.slice(0, LISTED).map(({ code, line, message, suggestion }) => {
      const place = line === null ? '' : ` line ${line}`;
      return `  - ${code}${place}: ${[message, suggestion].filter((text) => text !== null && text !== '').join(' ')}`;
    }),
    ...(ignored.length > 0 ? [`  - not read: ${ignored.join(', ')}`] : []),
    ...(told.length > LISTED ? [`  - and ${told.length - LISTED} more`] : []),
  ];
}

export const countsText = (counts: Made['counts']): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const withoutStop = (text: string): string => text.replace(/\.$/, '');
