import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { columnLabel, fileProblem, type ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import type { DuplicatePair } from './duplicate-genotypes.ts';
import { type MarkerColumns, UNKNOWN_ALLELE } from './marker-columns.ts';
import { MAX_POSITION_BP, reportPosition } from './marker-position.ts';
import { isSameAllele } from './plink-panel.ts';
import type { SampleCounter } from './sample-counter.ts';
import { counted } from './tally.ts';

// Problems that only a whole panel shows, in any format: names, ids, positions, call rates, heterozygosity, duplicates.

const SAMPLE_CALLRATE_WARNING = 0.8;
/**
 * A panel whose median heterozygosity lies below this is taken as inbred lines; a sample above the second figure
 * stands out in it.
 */
const INBRED_MEDIAN_HET = 0.05;
const INBRED_OUTLIER_HET = 0.15;
/** Pairs of samples listed one by one. */
const MAX_LISTED_PAIRS = 100;

/** What to do with the same variant twice under two ids: refuse the file, or keep both with a warning. */
export type DuplicatePositionRule = 'error' | 'keep';

/** Where the file names a sample. */
export interface SamplePlace {
  line: number | null;
  /** 0-based column, when names stand in a header row. */
  column: number | null;
}

/** Normalises names; reports E-NAME-EMPTY, E-NAME-INVALID and E-GT-DUP-SAMPLE. */
export function checkedSamples(
  names: readonly string[],
  where: (index: number) => SamplePlace,
  problems: ProblemCollector,
): string[] {
  const firstIndex = new Map<string, number>();
  return names.map((raw, i) => {
    const name = normalizeName(raw);
    const { line, column } = where(i);
    const place = { line, column: column === null ? null : columnLabel(name, column), value: raw };
    const fault = nameFault(raw);
    if (fault !== null) {
      problems.error(name === '' ? 'E-NAME-EMPTY' : 'E-NAME-INVALID', {
        ...place,
        message: `${fault} (sample ${i + 1}).`,
        suggestion: 'Give the sample a short plain name.',
      });
      return name;
    }
    const earlier = firstIndex.get(name);
    if (earlier === undefined) {
      firstIndex.set(name, i);
      return name;
    }
    const first = where(earlier);
    const firstPlace = first.column === null ? `line ${first.line}` : `column ${columnLabel('', first.column)}`;
    const again = column === null ? `line ${line}` : `column ${columnLabel('', column)}`;
    problems.error('E-GT-DUP-SAMPLE', {
      ...place,
      message: `Sample "${name}" stands in the file twice: ${firstPlace} and ${again}.`,
      suggestion: 'Rename or remove one of the two; repeats of one line need names of their own.',
    });
    return name;
  });
}

/**
 * E-GT-DUP-MARKER, unless the two lie at one known position: then they are two variants of one place that share their
 * id.
 */
export function checkSharedId(
  marker: number,
  earlier: number,
  id: string,
  markers: MarkerColumns,
  problems: ProblemCollector,
): void {
  const isKnown = markers.positions.at(marker) > 0;
  const isSamePlace =
    isKnown &&
    markers.positions.at(earlier) === markers.positions.at(marker) &&
    markers.chromosomeOf.at(earlier) === markers.chromosomeOf.at(marker);
  if (isSamePlace) return;
  const line = markers.lines.at(marker);
  const firstLine = markers.lines.at(earlier);
  const where = firstLine > 0 ? `line ${firstLine}` : `marker ${earlier + 1}`;
  const places = isKnown
    ? `first in ${where} (${markers.place(earlier)}), again at ${markers.place(marker)}`
    : `first in ${where}, again without a position that tells them apart`;
  problems.error('E-GT-DUP-MARKER', {
    line: line > 0 ? line : null,
    column: 'ID',
    value: id,
    message: `Marker id "${id}" is used twice: ${places}.`,
    suggestion: 'Give each marker an id of its own, or remove one of the two.',
  });
}

/** As in PLINK 2. */
const LONGEST_ID = 16_000;

/**
 * What no marker may have, whatever the format of its file: E-NAME-INVALID for ids, chromosomes and alleles with
 * control characters and for alleles with blanks or commas, which would break lines of text, and for long ids;
 * E-GT-SAME-ALLELES; E-GT-POS for a position beyond any chromosome.
 */
export function checkMarkers(markers: MarkerColumns, problems: ProblemCollector): void {
  const badChromosome = markers.chromosomes.map((name) => CONTROL.test(name));
  for (let i = 0; i < markers.count; i++) {
    if (badChromosome[markers.chromosomeOf.at(i)]) report(i, 'CHROM', markers.chromosomeAt(i));
    if (hasControlByte(markers.ids.bytes, markers.ids.startOf(i), markers.ids.endOf(i)))
      report(i, 'ID', markers.ids.at(i) ?? '');
    if (NO_ALLELE.test(markers.a1[i])) report(i, 'REF', markers.a1[i]);
    if (NO_ALLELE.test(markers.a2[i])) report(i, 'ALT', markers.a2[i]);
    if (markers.ids.endOf(i) - markers.ids.startOf(i) > LONGEST_ID) reportLongId(i);
    if (isSameAllele(markers.a1[i], markers.a2[i])) reportSameAlleles(markers, i, problems);
    if (markers.positions.at(i) > MAX_POSITION_BP)
      reportPosition(String(markers.positions.at(i)), { line: lineOf(i), column: 'POS' }, problems);
  }

  function lineOf(marker: number): number | null {
    const line = markers.lines.at(marker);
    return line > 0 ? line : null;
  }

  function reportLongId(marker: number): void {
    problems.error('E-NAME-INVALID', {
      line: lineOf(marker),
      column: 'ID',
      value: markers.ids.at(marker),
      message: `The id of the marker has more than ${groupedNumber(LONGEST_ID)} characters.`,
      suggestion: 'Give the marker a shorter id; the file may have been damaged.',
    });
  }

  function report(marker: number, column: string, value: string): void {
    problems.error('E-NAME-INVALID', {
      line: lineOf(marker),
      column,
      value,
      message: `The ${MARKER_PART[column]} of the marker contains a blank${column === 'REF' || column === 'ALT' ? ', a comma' : ''} or a control character (a tab, a line break or an invisible code).`,
      suggestion: 'Write it without; the file may have been damaged where it was last saved or copied.',
    });
  }
}

function reportSameAlleles(markers: MarkerColumns, marker: number, problems: ProblemCollector): void {
  const line = markers.lines.at(marker);
  problems.error('E-GT-SAME-ALLELES', {
    line: line > 0 ? line : null,
    column: 'ALT',
    value: markers.a2[marker] ?? '',
    message: `The alleles of the marker "${markers.ids.at(marker) ?? markers.place(marker)}" are the same: reference "${markers.a1[marker]}" and alternative "${markers.a2[marker]}".`,
    suggestion: 'Correct one of them, or write "." for an allele that is not known.',
  });
}

const CONTROL = /\p{Cc}/u;
/** What no allele has: it would end a field, or be two alleles. */
const NO_ALLELE = /[\p{Cc}\s,]/u;
const MARKER_PART: Record<string, string> = { CHROM: 'chromosome', ID: 'id', REF: 'reference allele', ALT: 'allele' };

function hasControlByte(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] < 0x20 || bytes[i] === 0x7f) return true;
  return false;
}

/** W-GT-ID-IMPUTED. */
export function reportImputedIds(markers: MarkerColumns, problems: ProblemCollector): void {
  const [first] = markers.imputed;
  if (first === undefined) return;
  const example = markers.ids.at(first);
  const line = markers.lines.at(first);
  problems.warning('W-GT-ID-IMPUTED', {
    line: line > 0 ? line : null,
    column: 'ID',
    value: example,
    message: `${counted(markers.imputed.size, 'marker')} had no id of their own; ids were made from chromosome and position, for example ${example}.`,
    suggestion: 'Nothing to do, unless other files of yours use other ids for these markers.',
  });
}

/**
 * E-GT-DUP-POS, or W-GT-DUP-POS where the rule keeps variants with ids of their own; `order` is by chromosome and
 * position.
 */
export function checkPositions(
  markers: MarkerColumns,
  order: Uint32Array,
  rule: DuplicatePositionRule,
  problems: ProblemCollector,
): void {
  const { a1, a2 } = markers;
  for (const { first, again } of repeatedVariants(markers, order)) {
    const line = markers.lines.at(again);
    const firstLine = markers.lines.at(first);
    if (line > 0 && line === firstLine) {
      problems.error('E-GT-SAME-ALLELES', {
        line,
        column: 'ALT',
        value: a2[again] ?? '',
        message: `The alternative allele "${a2[again]}" stands in the line twice.`,
        suggestion: 'Name each alternative allele once, and number the calls by that order.',
      });
      continue;
    }
    const where = firstLine > 0 ? `line ${firstLine}` : `marker ${first + 1} (${markers.ids.at(first)})`;
    const areNamed = !markers.imputed.has(first) && !markers.imputed.has(again);
    const isKept = rule === 'keep' && areNamed;
    problems.add(
      fileProblem(isKept ? 'warning' : 'error', isKept ? 'W-GT-DUP-POS' : 'E-GT-DUP-POS', {
        line: line > 0 ? line : null,
        column: 'POS',
        value: `${markers.place(again)} ${a1[again]}/${a2[again]}`,
        message: `The same variant (${markers.place(again)}, alleles ${a1[again]} and ${a2[again]}) stands in the file twice; first in ${where}.`,
        suggestion: isKept
          ? 'Both are kept, since each has an id of its own.'
          : areNamed
            ? 'Keep one of the two rows; or, where two probes have measured one variant, choose to keep both.'
            : 'Keep one of the two rows.',
      }),
    );
  }
}

/** Variants with the chromosome, position and alleles of an earlier one, in file order. */
function repeatedVariants(markers: MarkerColumns, order: Uint32Array): { first: number; again: number }[] {
  const chromosomeOf = markers.chromosomeOf.values;
  const positions = markers.positions.values;
  const repeated: { first: number; again: number }[] = [];
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    const head = order[start];
    while (
      end < order.length &&
      positions[order[end]] === positions[head] &&
      chromosomeOf[order[end]] === chromosomeOf[head]
    ) {
      end++;
    }
    if (end - start > 1 && positions[head] > 0) {
      const seen = new Map<string, number>();
      for (const marker of order.subarray(start, end)) {
        // Without names of alleles two variants at one position cannot be told apart.
        if (markers.a1[marker] === UNKNOWN_ALLELE && markers.a2[marker] === UNKNOWN_ALLELE) continue;
        const alleles = `${markers.a1[marker]}>${markers.a2[marker]}`;
        const first = seen.get(alleles);
        if (first === undefined) seen.set(alleles, marker);
        else repeated.push({ first, again: marker });
      }
    }
    start = end;
  }
  return repeated.sort((a, b) => a.again - b.again);
}

/** W-GT-MONO; markers with fractional dosages vary even where the nearest calls do not. */
export function warnAboutMarkers(
  markers: MarkerColumns,
  sampleCount: number,
  fractional: ReadonlySet<number>,
  problems: ProblemCollector,
): void {
  let monomorphic = 0;
  for (let i = 0; i < markers.count; i++) {
    const called = sampleCount - markers.missing.at(i);
    const copies = markers.a2Copies.at(i);
    if ((copies === 0 || copies === 2 * called) && !fractional.has(i)) monomorphic++;
  }
  if (monomorphic === 0) return;
  problems.warning('W-GT-MONO', {
    message: `${counted(monomorphic, 'marker')} of ${groupedNumber(markers.count)} ${monomorphic === 1 ? 'has' : 'have'} only one allele in this panel.`,
    suggestion: 'They are kept; analyses leave them out.',
  });
}

/** W-GT-CALLRATE and W-GT-HET. */
export function warnAboutSamples(
  samples: readonly string[],
  { sampleMissing, sampleHet }: SampleCounter,
  markerCount: number,
  problems: ProblemCollector,
): void {
  if (markerCount === 0) return;
  const low: string[] = [];
  const het = new Float64Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const called = markerCount - sampleMissing[i];
    if (called / markerCount < SAMPLE_CALLRATE_WARNING) {
      low.push(`${samples[i]} (${(called / markerCount).toFixed(2)})`);
    }
    het[i] = called === 0 ? 0 : sampleHet[i] / called;
  }
  if (low.length > 0) {
    problems.warning('W-GT-CALLRATE', {
      value: low[0] ?? null,
      message: `${counted(low.length, 'sample')} ${low.length === 1 ? 'has' : 'have'} a call rate below ${SAMPLE_CALLRATE_WARNING}: ${shortList(low)}.`,
      suggestion: 'Missing calls are imputed in analyses; consider leaving out samples with very few calls.',
    });
  }
  const median = Float64Array.from(het).sort()[het.length >> 1] ?? 0;
  const outliers = samples.flatMap((name, i) =>
    het[i] > INBRED_OUTLIER_HET ? [`${name} (${het[i].toFixed(2)})`] : [],
  );
  if (median < INBRED_MEDIAN_HET && outliers.length > 0) {
    problems.warning('W-GT-HET', {
      value: outliers[0] ?? null,
      message: `The panel looks inbred (median heterozygosity ${median.toFixed(3)}), but ${counted(outliers.length, 'sample')} ${outliers.length === 1 ? 'is' : 'are'} above ${INBRED_OUTLIER_HET}: ${shortList(outliers)}.`,
      suggestion: 'Check these samples for mixtures, outcrosses or swapped tubes.',
    });
  }
}

/** W-GT-DUPLICATE-GENOTYPE. */
export function warnAboutDuplicates(
  samples: readonly string[],
  pairs: readonly DuplicatePair[],
  problems: ProblemCollector,
): void {
  for (const { first, second, identity } of pairs.slice(0, MAX_LISTED_PAIRS)) {
    const names = `${samples[first]} and ${samples[second]}`;
    problems.warning('W-GT-DUPLICATE-GENOTYPE', {
      value: names,
      message: `${names} have the same genotype (${(100 * identity).toFixed(1)} % of the compared calls agree).`,
      suggestion: 'Check whether one line was genotyped twice or two tubes were swapped.',
    });
  }
  if (pairs.length > MAX_LISTED_PAIRS) {
    problems.warning('W-GT-DUPLICATE-GENOTYPE', {
      message: `${groupedNumber(pairs.length - MAX_LISTED_PAIRS)} more pairs of samples have the same genotype.`,
      suggestion: 'Check whether lines were genotyped twice or tubes were swapped.',
    });
  }
}

function shortList(items: readonly string[]): string {
  const shown = items.slice(0, 10).join(', ');
  return items.length > 10 ? `${shown} and ${items.length - 10} more` : shown;
}
