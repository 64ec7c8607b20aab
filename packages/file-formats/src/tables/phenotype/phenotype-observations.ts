import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { MAX_LISTED_PROBLEMS, type ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { hasDecimalComma, isMissing, parseNumber } from '../text/cell-values.ts';
import type { Table, TableColumn } from '../text/read-table.ts';
import { type ReadDate, readDate } from './dates.ts';
import { isMissingWord } from './missing-codes.ts';
import { createDesign, type Design } from './phenotype-design.ts';
import { countWords, createWordIds, setWord } from './phenotype-groups.ts';
import { type PhenotypeHeader, parseTraitHeader, type TraitHeader, traitHeaders } from './phenotype-header.ts';
import type { PhenotypeOptions } from './phenotype-options.ts';
import type { TraitColumn } from './phenotype-table.ts';
import type { CollectedTraits, Rows, TraitData } from './trait-data.ts';
import { createTraitDates, setDate, settleDates } from './trait-dates.ts';
import { type MissingTest, missingTest } from './value-codes.ts';

/** Most traits of one file. */
export const MAX_TRAITS = 1000;
/** Everything read from a phenotype file. */
export interface Collected extends CollectedTraits {
  table: Pick<Table, 'columns' | 'headerLine'>;
  individuals: string[];
  firstLine: number[];
  design: Design;
}

export interface Collector {
  addRow(row: { line: number; cells: string[] }): void;
  done(): Collected;
}

export function createCollector(
  table: Table,
  header: PhenotypeHeader,
  options: PhenotypeOptions,
  problems: ProblemCollector,
): Collector {
  const design = createDesign(header);
  const individuals: string[] = [];
  const firstLine: number[] = [];
  const ids = new Map<string, number>();
  const missing = missingTest(options.missingCodes ?? []);
  const sowings = new Map<string, ReadDate>();
  const nameLabel = header.individual.label;
  const commas = { count: 0, line: 0, value: '', column: '' };
  const traits: TraitData[] = [];

  /** Number of the individual; −1, with a problem, when the cell is not a name. */
  function individualOf(cell: string, line: number): number {
    const name = normalizeName(cell);
    const known = ids.get(name);
    if (known !== undefined) return known;
    if (isMissing(name)) {
      problems.error('E-PH-NAME-EMPTY', {
        line,
        column: nameLabel,
        value: cell,
        message: 'The row does not name an individual.',
        suggestion: 'Fill in the name, or remove the row.',
      });
      return -1;
    }
    const fault = nameFault(name);
    if (fault !== null) {
      problems.error('E-NAME-INVALID', {
        line,
        column: nameLabel,
        value: cell,
        message: `${fault}.`,
        suggestion: 'Shorten or correct the name.',
      });
      return -1;
    }
    ids.set(name, individuals.length);
    individuals.push(name);
    firstLine.push(line);
    return individuals.length - 1;
  }

  /** Keeps the date of sowing of the row that was added last. */
  function addSowing(rows: Rows, cells: readonly string[]): void {
    if (header.sowing === null) return;
    const cell = cells[header.sowing.index] ?? '';
    const known = sowings.get(cell) ?? readDate(cell);
    if (known !== null && sowings.size < MAX_LISTED_PROBLEMS) sowings.set(cell, known);
    rows.sowing?.push(known);
  }

  function addValue(trait: TraitData, cell: string, line: number): void {
    let value = Number.NaN;
    if (!missing.isMissing(cell, trait.header.name)) {
      value = table.numberOf(cell);
      if (Number.isNaN(value)) {
        if (/^(?:true|false)$/i.test(cell)) {
          value = /^t/i.test(cell) ? 1 : 0;
          trait.truth ??= { line, cell };
        }
      } else if (cell.includes(',') && hasDecimalComma(cell)) {
        if (commas.count++ === 0) Object.assign(commas, { line, value: cell, column: trait.column });
      }
      if (Number.isNaN(value)) {
        trait.textCount++;
        trait.words ??= { known: createWordIds(), codes: new GrowingInt32() };
        setWord(trait.words, trait.values.length, cell);
        const written = { line, text: cell, row: trait.values.length };
        const date = readDate(cell);
        if (date !== null) setDate((trait.dates ??= createTraitDates()), date, written);
        else if (trait.texts.length < MAX_LISTED_PROBLEMS) trait.texts.push(written);
      } else {
        trait.numberCount++;
      }
    }
    trait.values.push(value);
  }

  const addRow =
    header.long === null
      ? wideRows({ table, header, options, problems, design, traits, individualOf, addValue, addSowing, firstLine })
      : longRows({ header, problems, design, traits, individualOf, addValue, addSowing, missing });

  return {
    addRow,
    done: () => {
      if (commas.count > 0) {
        problems.info('I-DECIMAL-COMMA', {
          line: commas.line,
          column: commas.column,
          value: commas.value,
          message: `${groupedNumber(commas.count)} ${commas.count === 1 ? 'value has' : 'values have'} a decimal comma: "${commas.value}" was read as ${parseNumber(commas.value, true)}.`,
          suggestion: 'Nothing to do if this is right.',
        });
      }
      missing.report(problems);
      for (const trait of traits) {
        reportTruth(trait, problems);
        const words = trait.words === null ? [] : countWords(trait.words);
        trait.missingWordCount = words.reduce((sum, { word, count }) => sum + (isMissingWord(word) ? count : 0), 0);
      }
      const collected = {
        table,
        header,
        headerLine: table.headerLine,
        individuals,
        firstLine,
        traits,
        design,
        sowings,
      };
      settleDates(collected, options, problems);
      return collected;
    },
  };
}

/** What the table of results says of a trait. */
export const traitColumn = (
  { header: { name, unit, ontologyId }, isCovariate }: TraitData,
  kind: TraitColumn['kind'],
): TraitColumn => ({ name, unit, ontologyId, kind, ...(isCovariate ? { isCovariate } : {}) });

function newTrait(header: TraitHeader, column: string, rows: Rows): TraitData {
  return {
    ...{ header, column, rows, values: new GrowingFloat64(), numberCount: 0, textCount: 0, words: null, texts: [] },
    truth: null,
    ...{ missingWordCount: 0, dates: null, isOfDates: false, isCovariate: false },
  };
}

function newRows(header: PhenotypeHeader): Rows {
  const { long, sowing } = header;
  return {
    individual: new GrowingInt32(),
    cell: new GrowingInt32(),
    line: new GrowingInt32(),
    design: long === null ? null : new GrowingInt32(),
    time: long === null || long.timestamp === null ? null : new GrowingFloat64(),
    sowing: sowing === null ? null : [],
  };
}

interface WideContext {
  table: Table;
  header: PhenotypeHeader;
  options: PhenotypeOptions;
  problems: ProblemCollector;
  design: Design;
  traits: TraitData[];
  firstLine: number[];
  individualOf(cell: string, line: number): number;
  addValue(trait: TraitData, cell: string, line: number): void;
  addSowing(rows: Rows, cells: readonly string[]): void;
}

/** Rows of wide files, with the second header row of Flapjack, Helium and old TASSEL files. */
function wideRows(context: WideContext): Collector['addRow'] {
  const { table, header, options, problems, design, traits, firstLine, individualOf, addValue, addSowing } = context;
  const columns = header.traitColumns;
  const isFlapjack = table.comments.some((comment) => /^fjFile\s*=\s*PHENOTYPE/i.test(comment));
  const mayHaveSecondHeader =
    isFlapjack ||
    /^(?:<trait>)$/i.test(header.individual.name) ||
    table.comments.some((comment) => /helium/i.test(comment));
  const shared = newRows(header);
  let experiments: string[] | null = null;
  let traitOfColumn: TraitData[] = [];
  let isFirst = true;

  function start(second: string[] | null): void {
    if (
      second?.every(
        (cell, index) => !columns.some((column) => column.index === index) || /^(?:#?(?:cat|num)|[cn])$/i.test(cell),
      )
    ) {
      traitOfColumn = traitHeaders(columns, table.headerLine, problems).map((trait, index) =>
        newTrait(
          { ...trait, declaredKind: /^#?c/i.test(second[columns[index].index]) ? 'categorical' : 'numeric' },
          columns[index].label,
          shared,
        ),
      );
      traits.push(...traitOfColumn);
      return;
    }
    if (second !== null) {
      const names = columns.map((column) => parseTraitHeader(column.name).name.toLowerCase());
      if (new Set(names).size < names.length) {
        // One trait in several experiments: each column is an environment.
        experiments = columns.map((column) => normalizeName(second[column.index]));
        header.shape = 'wide-design';
        const known = new Map<string, TraitData>();
        traitOfColumn = columns.map((column, index) => {
          const trait =
            known.get(names[index]) ?? newTrait(parseTraitHeader(column.name), column.label, newRows(header));
          known.set(names[index], trait);
          return trait;
        });
        traits.push(...known.values());
        return;
      }
    }
    traitOfColumn = traitHeaders(columns, table.headerLine, problems).map((trait, index) => ({
      ...newTrait(trait, columns[index].label, shared),
      isCovariate: header.covariates.has(columns[index]),
    }));
    traits.push(...traitOfColumn);
  }

  return ({ line, cells }) => {
    if (isFirst) {
      isFirst = false;
      const isSecond = mayHaveSecondHeader && isSecondHeader(cells, header.individual, columns, isFlapjack);
      const second = isSecond ? cells : null;
      start(second);
      if (second !== null) return;
    }
    const individual = individualOf(cells[header.individual.index], line);
    if (individual < 0) return;
    design.group(individual, cells);
    if (header.design.length === 0 && firstLine[individual] !== line && options.averageRepeatedRows !== true) {
      problems.error('E-PH-DUP', {
        line,
        column: header.individual.label,
        value: cells[header.individual.index],
        message: `"${normalizeName(cells[header.individual.index])}" occurs on line ${firstLine[individual]} and on line ${line}.`,
        suggestion:
          'Remove one of the rows, add a column that tells them apart (environment, replicate), or choose "average repeated rows" (--average-repeated-rows).',
      });
    }
    if (experiments === null) {
      shared.individual.push(individual);
      shared.cell.push(design.cellOf(cells));
      shared.line.push(line);
      addSowing(shared, cells);
      for (let i = 0; i < columns.length; i++) addValue(traitOfColumn[i], cells[columns[i].index], line);
      return;
    }
    for (let i = 0; i < columns.length; i++) {
      const { rows } = traitOfColumn[i];
      rows.individual.push(individual);
      rows.cell.push(design.cellOf(cells, experiments[i]));
      rows.line.push(line);
      addSowing(rows, cells);
      addValue(traitOfColumn[i], cells[columns[i].index], line);
    }
  };
}

/**
 * True for a row without a name whose cells name the experiments of the traits: words, in Flapjack files also years.
 */
function isSecondHeader(
  cells: string[],
  individual: TableColumn,
  columns: readonly TableColumn[],
  mayBeYears: boolean,
): boolean {
  const name = cells[individual.index];
  if (name !== '' && !/^<header\b/i.test(name)) return false;
  const isWord = (cell: string) => Number.isNaN(parseNumber(cell, true));
  return columns.every(({ index }) => cells[index] !== '' && (mayBeYears || isWord(cells[index])));
}

interface LongContext {
  header: PhenotypeHeader;
  problems: ProblemCollector;
  design: Design;
  traits: TraitData[];
  individualOf(cell: string, line: number): number;
  addValue(trait: TraitData, cell: string, line: number): void;
  addSowing(rows: Rows, cells: readonly string[]): void;
  missing: MissingTest;
}

/** Rows of long files: one per observation. */
function longRows(context: LongContext): Collector['addRow'] {
  const { header, problems, design, traits, individualOf, addValue, addSowing, missing } = context;
  const { long } = header;
  if (long === null) throw new TypeError('longRows needs a long header');
  const known = new Map<string, TraitData>();
  let isFull = false;
  return ({ line, cells }) => {
    const individual = individualOf(cells[header.individual.index], line);
    const written = cells[long.trait.index];
    let trait = known.get(written);
    if (trait === undefined) {
      const parsed = parseTraitHeader(written);
      const fault = isMissing(parsed.name) ? 'The row names no trait' : nameFault(parsed.name);
      if (fault !== null) {
        problems.error(isMissing(parsed.name) ? 'E-PH-NO-TRAIT' : 'E-NAME-INVALID', {
          line,
          column: long.trait.label,
          value: written,
          message: `${fault}.`,
          suggestion: 'Fill in the name of the trait, or remove the row.',
        });
        return;
      }
      trait = traits.find((other) => other.header.name.toLowerCase() === parsed.name.toLowerCase());
      if (trait === undefined) {
        if (traits.length >= MAX_TRAITS) {
          if (!isFull) {
            problems.error('E-TOO-LARGE', {
              line,
              column: long.trait.label,
              value: written,
              message: `The file has more than ${groupedNumber(MAX_TRAITS)} traits.`,
              suggestion: 'Split the file by traits.',
            });
          }
          isFull = true;
          return;
        }
        trait = newTrait(parsed, long.value.label, newRows(header));
        traits.push(trait);
      }
      known.set(written, trait);
    }
    const value = cells[long.value.index];
    if (individual < 0 || missing.isMissing(value, trait.header.name)) return;
    design.group(individual, cells);
    const { rows } = trait;
    rows.individual.push(individual);
    rows.cell.push(design.cellOf(cells));
    rows.line.push(line);
    rows.design?.push(design.designOf(cells));
    if (long.timestamp !== null) rows.time?.push(Date.parse(cells[long.timestamp.index]));
    addSowing(rows, cells);
    addValue(trait, value, line);
  };
}

/** W-PH-TRUE where TRUE or FALSE, which count as 1 and 0, stand among other numbers. */
function reportTruth({ truth, values, column, header }: TraitData, problems: ProblemCollector): void {
  if (truth === null || values.values.every((value) => Number.isNaN(value) || value === 0 || value === 1)) return;
  problems.warning('W-PH-TRUE', {
    line: truth.line,
    column,
    value: truth.cell,
    message: `${truth.cell} stands among other numbers in ${header.name}; TRUE was read as 1 and FALSE as 0.`,
    suggestion: 'Write the number that is meant, or leave the cell empty.',
  });
}
