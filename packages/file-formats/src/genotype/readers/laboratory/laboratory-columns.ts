import type { ProblemCollector } from '../../../problem.ts';
import { groupedNumber } from '../../../text/grouped-number.ts';
import { counted } from '../../panel/tally.ts';
import type { MatrixLayout } from '../matrix-layout.ts';

/** W-COL-IGNORED for the columns of a laboratory that stand beside the names of samples. */
export function reportOtherColumns(
  { rows, header, lead, leadCount }: MatrixLayout,
  line: number,
  problems: ProblemCollector,
): void {
  const others = header.slice(0, leadCount).filter((name, at) => at !== lead.id && name !== '');
  if (rows === 'markers' || others.length === 0) return;
  problems.warning('W-COL-IGNORED', {
    line,
    value: others.join(', '),
    message: `The samples are named by the column "${header[lead.id]}"; not used: ${others.join(', ')}.`,
    suggestion: 'Nothing to do if these are the names that you use; otherwise call the column that has them "sample".',
  });
}

/**
 * The names of samples without what follows their last point, the id of the laboratory. Where two would become the
 * same, as for a line that was genotyped twice, both keep it. Reports I-GT-LAB-ID.
 */
export function withoutLabIds(names: readonly string[], problems: ProblemCollector): string[] {
  const short = names.map((name) => /^(.+)\.[^.]+$/.exec(name)?.[1] ?? name);
  const uses = new Map<string, number>();
  for (const name of short) uses.set(name, (uses.get(name) ?? 0) + 1);
  const read = names.map((name, i) => (uses.get(short[i]) === 1 ? short[i] : name));
  const kept = read.filter((name, i) => name === names[i]).length;
  problems.info('I-GT-LAB-ID', {
    value: names[0] ?? null,
    message: `Ids of the laboratory were cut off the names of ${counted(names.length - kept, 'sample')}${kept > 0 ? `; ${groupedNumber(kept)} ${kept === 1 ? 'keeps its' : 'keep their'} full name because it has no id, or because two samples have the same name without it` : ''}.`,
    suggestion: 'Nothing to do if the names are those of your lines; otherwise rename them in the file.',
  });
  return read;
}
