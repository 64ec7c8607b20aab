import { matchNames, nameMatchProblems } from '../../names/match-names.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import type { ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { countWords, forgetWord } from './phenotype-groups.ts';
import type { Collected } from './phenotype-observations.ts';
import type { PhenotypeOptions } from './phenotype-options.ts';
import type { TraitData, WrittenCell } from './trait-data.ts';
import { describe, medianInPlace, type TraitSummary } from './trait-summary.ts';

/** A trait with more than this share of non-numeric values is categorical; with fewer, each of them is an error. */
const CATEGORICAL_SHARE = 0.9;
const OUTLIER_ROBUST_SDS = 6;
/** The median absolute deviation of a normal trait times this is its standard deviation (Hampel 1974). */
const MAD_TO_SD = 1.4826;
const FEW_VALUES = 20;
const MAX_LISTED_OUTLIERS = 1000;
/** Words that say "missing" do not make a column of numbers one of words. */
export function isCategorical(trait: TraitData): boolean {
  if (trait.header.declaredKind !== null) return trait.header.declaredKind === 'categorical';
  const { textCount, numberCount, missingWordCount } = trait;
  const words = numberCount > 0 ? textCount - missingWordCount : textCount;
  return words > CATEGORICAL_SHARE * (words + numberCount);
}

/** Cells of a trait of numbers or dates that are neither, and may not be codes for "missing" either. */
export function reportTexts(trait: TraitData, asked: ReadonlySet<string>, problems: ProblemCollector): void {
  const isAsked = ({ text }: WrittenCell) => asked.has(normalizeName(text).toLowerCase());
  const cells = [...trait.texts, ...(trait.dates?.texts ?? [])].filter((cell) => !isAsked(cell));
  const askedCount =
    trait.words === null
      ? 0
      : countWords(trait.words).reduce((sum, { word, count }) => sum + (asked.has(word.toLowerCase()) ? count : 0), 0);
  const code = trait.isOfDates ? 'E-PH-NOT-DATE' : 'E-PH-NOT-NUMBER';
  cells.sort((a, b) => a.row - b.row);
  for (const { line, text } of cells) {
    problems.error(code, {
      line,
      column: trait.column,
      value: text,
      message: trait.isOfDates ? `"${text}" is no date that exists.` : `"${text}" is not a number.`,
      suggestion: trait.isOfDates
        ? 'Write it as 2025-07-15, or leave the cell empty if it is missing.'
        : numberHint(text),
    });
  }
  const unlisted = trait.textCount - askedCount - cells.length;
  if (unlisted > 0) problems.addUnlisted('error', code, unlisted);
}

/** A longer cell is not a number in another notation, and the patterns below would be slow on it. */
const LONGEST_NUMBER = 100;

function numberHint(text: string): string {
  if (text.length > LONGEST_NUMBER) return 'Correct the value, or leave the cell empty if it is missing.';
  if (text.startsWith('='))
    return 'The formula has no stored result: open the workbook in Excel or LibreOffice and save it again.';
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text))
    return `Write it without thousands separators: ${text.replaceAll(',', '')}.`;
  if (/^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text))
    return `Write it without thousands separators: ${text.replaceAll('.', '')}.`;
  if (text.endsWith('%')) return 'Write the number without the percent sign.';
  if (/^[+-]?[\d.,]+\s*[^\d\s]+$/.test(text))
    return 'Write the number alone; put the unit in the header, in parentheses.';
  if (/^[<>≤≥]/.test(text)) return 'Write a number, or leave the cell empty.';
  return 'Correct the value, or leave the cell empty if it is missing.';
}

/**
 * Resolves repeated observations of one individual, trait and design in a long file: the latest one is used when
 * timestamps order them, they are averaged when the user has chosen so, otherwise each is an error. Superseded values
 * become NaN.
 */
export function settleRepeats(
  trait: TraitData,
  individuals: readonly string[],
  options: PhenotypeOptions,
  problems: ProblemCollector,
): void {
  const individual = trait.rows.individual.values;
  const design = trait.rows.design?.values ?? new Int32Array(0);
  const line = trait.rows.line.values;
  const time = trait.rows.time?.values ?? null;
  const values = trait.values.values;
  if (options.averageRepeatedRows === true && time === null) return;
  const latest = new Map<number, number>();
  const designCount = design.reduce((most, id) => Math.max(most, id + 1), 1);
  for (let row = 0; row < individual.length; row++) {
    const key = individual[row] * designCount + design[row];
    const earlier = latest.get(key);
    if (earlier === undefined) {
      latest.set(key, row);
      continue;
    }
    const isOrdered =
      time !== null && Number.isFinite(time[earlier]) && Number.isFinite(time[row]) && time[earlier] !== time[row];
    if (!isOrdered && options.averageRepeatedRows === true) continue;
    const name = individuals[individual[row]];
    if (!isOrdered) {
      problems.error('E-PH-DUP', {
        line: line[row],
        column: trait.column,
        value: name,
        message: `${trait.header.name} of "${name}" occurs on line ${line[earlier]} and on line ${line[row]} with the same design.`,
        suggestion:
          'Remove one of the rows, add a column that tells them apart (replicate, timestamp), or choose "average repeated rows" (--average-repeated-rows).',
      });
      continue;
    }
    const [kept, superseded] = time[earlier] < time[row] ? [row, earlier] : [earlier, row];
    latest.set(key, kept);
    values[superseded] = Number.NaN;
    if (trait.words !== null) forgetWord(trait.words, superseded);
    problems.warning('W-PH-DUP', {
      line: line[superseded],
      column: trait.column,
      value: name,
      message: `${trait.header.name} of "${name}" was measured twice: line ${line[kept]} has the later timestamp and is used, line ${line[superseded]} is not.`,
      suggestion: 'Remove the wrong row if this is not intended.',
    });
  }
}

export function reportNames(
  { individuals, firstLine, header }: Collected,
  options: PhenotypeOptions,
  problems: ProblemCollector,
): void {
  reportCases(individuals, firstLine, header.individual.label, problems);
  if (options.knownNames === undefined) return;
  const matches = matchNames(
    options.knownNames,
    individuals,
    options.catalogue === undefined ? {} : { catalogue: options.catalogue },
  );
  const lines = new Map(individuals.map((name, index) => [name, firstLine[index]]));
  const records = nameMatchProblems(matches, {
    lineOf: (name) => lines.get(name) ?? null,
    column: header.individual.label,
    catalogue: 'the known germplasm',
  });
  for (const record of records) if (record.code !== 'W-NAME-UNKNOWN') problems.add(record);
  const unmatched = matches.onlyRight;
  if (unmatched.length === 0) return;
  const shown = unmatched
    .slice(0, 10)
    .map((name) => `"${name}"`)
    .join(', ');
  const rest = unmatched.length > 10 ? ` and ${groupedNumber(unmatched.length - 10)} more` : '';
  const first = matches.suggestions[0];
  problems.warning('W-PH-UNMATCHED', {
    column: header.individual.label,
    value: String(unmatched.length),
    message: `${groupedNumber(unmatched.length)} of ${groupedNumber(individuals.length)} individuals ${unmatched.length === 1 ? 'is' : 'are'} not known: ${shown}${rest}.`,
    suggestion:
      first === undefined
        ? 'Check the spelling of the names.'
        : `Check the spelling; "${first.right}" could be "${first.left}".`,
  });
}

/** Names that only differ in case: probably one individual, and no analysis takes them for one. */
function reportCases(
  individuals: readonly string[],
  lines: readonly number[],
  column: string,
  problems: ProblemCollector,
): void {
  const first = new Map<string, number>();
  individuals.forEach((name, index) => {
    const key = name.toLowerCase();
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return;
    }
    problems.warning('W-NAME-CASE', {
      line: lines[index],
      column,
      value: name,
      message: `"${name}" and "${individuals[earlier]}" on line ${lines[earlier]} differ in upper and lower case only; they count as two individuals.`,
      suggestion: 'Write them alike if they are one individual.',
    });
  });
}

/** Warns about outliers, and returns them; `asked` are values of which it is not known whether they are values. */
export function inspect(
  trait: TraitData,
  collected: Collected,
  asked: ReadonlySet<number>,
  problems: ProblemCollector,
): TraitSummary['outliers'] {
  if (trait.isCovariate) return [];
  const values = trait.values.values;
  const lines = trait.rows.line.values;
  const outliers: TraitSummary['outliers'] = [];
  const individualAt = (row: number) => collected.individuals[trait.rows.individual.values[row]];
  const found = findOutliers(trait, collected, asked);
  for (const row of found.rows) {
    const individual = individualAt(row);
    const value = values[row];
    const median = value - found.deviations[row];
    const of = collected.design.environments.length > 1 ? 'the median of its environment' : 'the median';
    problems.warning('W-PH-OUTLIER', {
      line: lines[row],
      column: trait.column,
      value: String(value),
      message: `${trait.header.name} of "${individual}" is ${value}: further than ${found.rule} = ${shortNumber(found.limit)} from ${of}, ${shortNumber(median)}.`,
      suggestion: 'Check it against the field book; confirm it when it is right.',
    });
    if (outliers.length < MAX_LISTED_OUTLIERS) outliers.push({ individual, value, line: lines[row] });
  }
  return outliers;
}

/** Four digits are enough to see which value is meant. */
const shortNumber = (value: number): string => String(Number(value.toPrecision(4)));

interface Outliers {
  rows: number[];
  /** Deviation of each row from the median of its environment; NaN where the value is missing. */
  deviations: Float64Array;
  limit: number;
  /** How the limit was computed, for the message. */
  rule: string;
}

/**
 * Rows whose value lies more than 6 robust standard deviations, 6 × 1.4826 × MAD, from the median of its environment;
 * the median absolute deviation (MAD) is taken over the deviations of all environments. When more than half of the
 * values are equal the MAD is 0; the limit is then 6 standard deviations, and at least three distinct values are
 * required, so that scores and counts are not reported.
 */
function findOutliers(trait: TraitData, { design }: Collected, asked: ReadonlySet<number>): Outliers {
  const values = trait.values.values;
  const cells = trait.rows.cell.values;
  const byEnvironment = new Map<number, number[]>();
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]) || asked.has(values[row])) continue;
    const environment = design.cellEnvironment[cells[row]];
    const rows = byEnvironment.get(environment);
    if (rows === undefined) byEnvironment.set(environment, [row]);
    else rows.push(row);
  }
  const deviations = new Float64Array(values.length).fill(Number.NaN);
  for (const rows of byEnvironment.values()) {
    const median = medianInPlace(Float64Array.from(rows, (row) => values[row]));
    for (const row of rows) deviations[row] = values[row] - median;
  }
  const present = deviations.filter((deviation) => !Number.isNaN(deviation));
  let rule = `${OUTLIER_ROBUST_SDS} robust standard deviations (${OUTLIER_ROBUST_SDS} × ${MAD_TO_SD} × median absolute deviation)`;
  let limit = OUTLIER_ROBUST_SDS * MAD_TO_SD * medianInPlace(present.map(Math.abs));
  if (limit === 0) {
    if (new Set(present).size < 3) return { rows: [], deviations, limit, rule };
    rule = `${OUTLIER_ROBUST_SDS} standard deviations`;
    limit = OUTLIER_ROBUST_SDS * (describe(present).sd ?? 0);
  }
  const rows: number[] = [];
  // A hair above the limit: rounding must not make an outlier of a value that lies exactly on it.
  for (let row = 0; row < deviations.length; row++) if (Math.abs(deviations[row]) > limit * (1 + 1e-12)) rows.push(row);
  return { rows, deviations, limit, rule };
}

export function reportDistribution(
  name: string,
  column: string,
  { n, min, max }: Pick<TraitSummary, 'n' | 'min' | 'max'>,
  { headerLine }: Collected,
  problems: ProblemCollector,
): void {
  if (n > 1 && min === max) {
    problems.warning('W-PH-CONSTANT', {
      line: headerLine,
      column,
      value: String(min),
      message: `${name} has the same value in all ${groupedNumber(n)} individuals, so no model can be trained on it.`,
      suggestion: 'Leave the trait out, or check how the file was made.',
    });
  }
  if (n < FEW_VALUES) {
    problems.warning('W-PH-FEW', {
      line: headerLine,
      column,
      value: String(n),
      message: `${name} has a value in only ${n} ${n === 1 ? 'individual' : 'individuals'}; below ${FEW_VALUES} no useful model can be trained.`,
      suggestion: 'Add more data, or do not train on this trait.',
    });
  }
}
