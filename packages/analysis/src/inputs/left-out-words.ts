import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { LeavingOutRule, LeftOut, LeftOutByRule } from './leaving-out.ts';

/** What was left out as CSV: rule, limit, name; one row a sample or marker. */
export function leftOutCsv(rules: readonly LeftOutByRule[]): Generator<string, void, undefined> {
  return csvChunks(['rule', 'limit', 'name'], rowsOf(rules));
}

function* rowsOf(rules: readonly LeftOutByRule[]): Generator<[string, number | null, string]> {
  for (const { rule, limit, names } of rules) for (const name of names) yield [rule, limit, name];
}

const REASONS: Record<LeavingOutRule, (limit: number | null) => string> = {
  only_samples: () => 'not on the list of those to keep',
  samples: () => 'by list',
  markers: () => 'by list',
  sample_call_rate: (limit) => `with a call rate below ${limit}`,
  sample_heterozygosity: (limit) => `with a heterozygosity above ${limit}`,
  duplicates: () => 'with more than 99 % of their calls equal to those of another',
  marker_call_rate: (limit) => `with a call rate below ${limit}`,
  maf: (limit) => `with a minor allele frequency below ${limit}`,
  ld_pruning: (limit) => `pruned by linkage disequilibrium (r² > ${limit})`,
};
const MARKER_RULES: readonly LeavingOutRule[] = ['markers', 'marker_call_rate', 'maf', 'ld_pruning'];

/** What was left out, in a sentence of a methods section; empty where nothing was. */
export function leftOutSentence(
  report: Pick<LeftOut, 'samples_kept' | 'markers_kept'> & { rules: readonly Omit<LeftOutByRule, 'names'>[] },
): string {
  const parts = report.rules.map(({ rule, limit, count, skipped }) => {
    const what = MARKER_RULES.includes(rule) ? 'marker' : 'individual';
    const found = skipped === undefined ? '' : ' (not searched for)';
    return `${groupedNumber(count)} ${what}${count === 1 ? '' : 's'} ${REASONS[rule](limit)}${found}`;
  });
  if (parts.length === 0) return '';
  return `Before the analysis, in this order, were left out: ${parts.join('; ')}. ${groupedNumber(report.samples_kept)} individuals and ${groupedNumber(report.markers_kept)} markers remained.`;
}
