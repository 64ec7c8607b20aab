import { FileFormatError, ProblemCollector } from '@heterosis/file-formats/problem';
import { headerKey, isMissing, parseNumber } from '@heterosis/file-formats/tables/text/cell-values';
import { findColumn, openTable, type Table, type TableColumn } from '@heterosis/file-formats/tables/text/read-table';
import { createPackedGenome, type PackedGenome } from '@heterosis/statgen/programmes/packed-genome';
import { createPopulation, type PackedPopulation } from '@heterosis/statgen/programmes/packed-population';
import { createWorld, type TrueTrait, trueValues } from '@heterosis/statgen/programmes/programme-world';
import { meanOf } from '@heterosis/statgen/programmes/statistics';
import type { AnalysisContext } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';

/** Where the founders of a simulated programme come from. */
export interface ProgrammeFiles {
  haplotypes: string;
  map: string;
  /** Undefined where the truth comes from a model. */
  effects?: string | undefined;
  /** trait,intercept; without it the founders' mean is 0. */
  intercepts?: string | undefined;
}

export interface ProgrammeMaterial {
  genome: PackedGenome;
  founders: PackedPopulation;
  founderNames: string[];
  /** None where they are drawn in each replicate. */
  traits: TrueTrait[];
}

const LOCUS = ['locus', 'marker', 'snp', 'id', 'markerid'];
const CHROMOSOME = ['chromosome', 'chr', 'chrom', 'linkagegroup', 'lg'];
const POSITION_CM = ['positioncm', 'cm', 'poscm', 'mapposition', 'position', 'pos'];

/**
 * Reads map, haplotypes and effects of a programme. Loci are those of the map; every one needs alleles, and effects
 * need loci. Throws FileRefused: E-SM-COLUMNS, E-SM-NOT-NUMBER, E-SM-ALLELE, E-SM-LOCUS, E-SM-DUP, and the general ones
 * of tables.
 */
export async function readProgrammeFiles(files: ProgrammeFiles, context: AnalysisContext): Promise<ProgrammeMaterial> {
  const genome = await withTable(files.map, 'a map of loci', context, readMap);
  const placeOf = new Map(genome.loci.map((locus, j) => [locus, j]));
  const { founders, founderNames } = await withTable(files.haplotypes, 'haplotypes', context, (table, problems) =>
    readHaplotypes(table, problems, { genome, placeOf }),
  );
  if (files.effects === undefined) return { genome, founders, founderNames, traits: [] };
  const traits = await withTable(files.effects, 'effects of loci', context, (table, problems) =>
    readEffects(table, problems, { genome, placeOf }),
  );
  const given =
    files.intercepts === undefined
      ? null
      : await withTable(files.intercepts, 'intercepts of traits', context, (table, problems) =>
          readIntercepts(table, problems, traits),
        );
  for (const trait of traits) trait.intercept = given?.get(trait.name) ?? centred(genome, founders, trait);
  return { genome, founders, founderNames, traits };
}

async function withTable<T>(
  path: string,
  expected: string,
  { signal }: AnalysisContext,
  read: (table: Table, problems: ProblemCollector) => Promise<T | null>,
): Promise<T> {
  const source = await openFileSource(path);
  const problems = new ProblemCollector();
  let value: T | null = null;
  try {
    value = await read(await openTable(source, { problems, expected, signal }), problems);
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  } finally {
    await source.close();
  }
  if (value === null || problems.errorCount > 0) throw new FileRefused(path, problems.report().problems);
  return value;
}

const columnOf = (table: Table, spellings: readonly string[]): TableColumn | undefined =>
  findColumn(table.columns, spellings.map(headerKey));

function missingColumns(table: Table, problems: ProblemCollector, example: string): null {
  problems.error('E-SM-COLUMNS', {
    line: table.headerLine,
    value: table.columns.map(({ name }) => name).join(','),
    message: 'The table lacks a column that it needs.',
    suggestion: `Write a header such as: ${example}`,
  });
  return null;
}

async function readMap(table: Table, problems: ProblemCollector): Promise<PackedGenome | null> {
  const locus = columnOf(table, LOCUS);
  const chromosome = columnOf(table, CHROMOSOME);
  const position = columnOf(table, POSITION_CM);
  const kind = columnOf(table, ['kind']);
  if (locus === undefined || chromosome === undefined || position === undefined) {
    return missingColumns(table, problems, 'locus,chromosome,position_cM,kind');
  }
  const rows = { loci: [] as string[], chromosome: [] as string[], position: [] as number[], kind: [] as string[] };
  const seen = new Set<string>();
  await table.forEachRow(({ line, cells }) => {
    const name = cells[locus.index] ?? '';
    reportRepeated(seen, name, { line, column: locus.label }, problems);
    rows.loci.push(name);
    rows.chromosome.push(cells[chromosome.index] ?? '');
    rows.position.push(numberOf(cells[position.index] ?? '', { table, column: position, line }, problems));
    rows.kind.push(kind === undefined ? '' : (cells[kind.index] ?? ''));
  });
  if (problems.errorCount > 0) return null;
  return createPackedGenome({
    loci: rows.loci,
    chromosome: rows.chromosome,
    positionCm: Float64Array.from(rows.position),
    kind: rows.kind,
  });
}

interface Places {
  genome: PackedGenome;
  placeOf: ReadonlyMap<string, number>;
}

/** One column a line, NAME, or two a plant, NAME:1 and NAME:2. */
async function readHaplotypes(table: Table, problems: ProblemCollector, { genome, placeOf }: Places) {
  const locus = columnOf(table, LOCUS);
  const columns = table.columns.filter((column) => column !== locus);
  if (locus === undefined || columns.length === 0)
    return missingColumns(table, problems, 'locus,LINE1,PLANT1:1,PLANT1:2');
  const homologs = columns.map((column) => {
    const [, name = column.name, homolog] = /^(.*):([12])$/.exec(column.name) ?? [];
    return { column, name, homolog: homolog === undefined ? null : Number(homolog) - 1 };
  });
  const founderNames = [...new Set(homologs.map(({ name }) => name))];
  for (const name of founderNames) {
    const found = homologs.filter((one) => one.name === name).map(({ homolog }) => homolog);
    if (found.length === 1 ? found[0] === null : found.length === 2 && found.includes(0) && found.includes(1)) continue;
    problems.error('E-SM-COLUMNS', {
      line: table.headerLine,
      value: name,
      message: `"${name}" needs one column (a line), or the two columns "${name}:1" and "${name}:2" (a plant).`,
      suggestion: 'Name its columns so.',
    });
  }
  const inbred = homologs.every(({ homolog }) => homolog === null);
  const founders = createPopulation(genome, founderNames.length, inbred);
  const starts = homologs.map(({ name, homolog }) => {
    const at = founderNames.indexOf(name) * founders.stride;
    return homolog === null ? (inbred ? [at] : [at, at + genome.words]) : [at + homolog * genome.words];
  });
  const seen = new Set<string>();
  await table.forEachRow(({ line, cells }) => {
    const name = cells[locus.index] ?? '';
    reportRepeated(seen, name, { line, column: locus.label }, problems);
    const j = placeOf.get(name);
    // A locus without a place on the map takes no part: linkage is what a simulation needs of it.
    if (j === undefined) return;
    for (const [h, { column }] of homologs.entries()) {
      const allele = cells[column.index];
      if (allele === '1') for (const at of starts[h] ?? []) founders.bits[at + (j >>> 5)] |= 1 << (j & 31);
      else if (allele !== '0') badAllele(allele ?? '', { line, column: column.label }, problems);
    }
  });
  const without = genome.loci.filter((name) => !seen.has(name));
  if (without.length > 0) unknownLoci(without, 'the map', 'alleles', problems);
  return { founders, founderNames };
}

/** Columns TRAIT_a, or TRAIT_additive, and TRAIT_d, or TRAIT_dominance. */
async function readEffects(table: Table, problems: ProblemCollector, { genome, placeOf }: Places) {
  const locus = columnOf(table, LOCUS);
  const columns = table.columns.flatMap((column) => {
    const [, trait, kind] = /^(.+)_(a|additive|d|dominance)$/i.exec(column.name) ?? [];
    return trait === undefined || kind === undefined ? [] : [{ column, trait, isAdditive: /^a/i.test(kind) }];
  });
  const names = [...new Set(columns.filter(({ isAdditive }) => isAdditive).map(({ trait }) => trait))];
  if (locus === undefined || names.length === 0) return missingColumns(table, problems, 'locus,yield_a,yield_d');
  const traits = names.map(
    (name): TrueTrait => ({
      name,
      intercept: 0,
      additive: new Float64Array(genome.loci.length),
      dominance: columns.some(({ trait, isAdditive }) => trait === name && !isAdditive)
        ? new Float64Array(genome.loci.length)
        : null,
    }),
  );
  const seen = new Set<string>();
  const unknown: string[] = [];
  await table.forEachRow(({ line, cells }) => {
    const name = cells[locus.index] ?? '';
    reportRepeated(seen, name, { line, column: locus.label }, problems);
    const j = placeOf.get(name);
    if (j === undefined) {
      unknown.push(name);
      return;
    }
    for (const { column, trait, isAdditive } of columns) {
      const found = traits.find((one) => one.name === trait);
      const effects = isAdditive ? found?.additive : found?.dominance;
      const cell = cells[column.index] ?? '';
      if (effects) effects[j] = isMissing(cell) ? 0 : numberOf(cell, { table, column, line }, problems);
    }
  });
  if (unknown.length > 0) unknownLoci(unknown, 'the effects', 'a place on the map', problems);
  return traits;
}

async function readIntercepts(table: Table, problems: ProblemCollector, traits: readonly TrueTrait[]) {
  const name = columnOf(table, ['trait']);
  const intercept = columnOf(table, ['intercept']);
  if (name === undefined || intercept === undefined) return missingColumns(table, problems, 'trait,intercept');
  const found = new Map<string, number>();
  await table.forEachRow(({ line, cells }) => {
    found.set(
      cells[name.index] ?? '',
      numberOf(cells[intercept.index] ?? '', { table, column: intercept, line }, problems),
    );
  });
  for (const trait of traits) {
    if (found.has(trait.name)) continue;
    problems.error('E-SM-COLUMNS', {
      value: trait.name,
      message: `There is no intercept of "${trait.name}".`,
      suggestion: 'Add a row for it.',
    });
  }
  return found;
}

/** The intercept that gives the founders a mean of 0. */
function centred(genome: PackedGenome, founders: PackedPopulation, trait: TrueTrait): number {
  const world = createWorld(genome, founders, [{ ...trait, intercept: 0 }]);
  const population = { ...founders, columns: new Map() };
  return -meanOf(trueValues(world, population, 0).values);
}

interface Cell {
  table: Table;
  column: TableColumn;
  line: number;
}

function numberOf(cell: string, { table, column, line }: Cell, problems: ProblemCollector): number {
  const value = parseNumber(cell, table.decimalComma);
  if (Number.isNaN(value)) {
    problems.error('E-SM-NOT-NUMBER', {
      line,
      column: column.label,
      value: cell,
      message: `"${cell}" is not a number.`,
      suggestion: 'Write a number.',
    });
  }
  return value;
}

interface Place {
  line: number;
  column: string;
}

function badAllele(value: string, place: Place, problems: ProblemCollector): void {
  problems.error('E-SM-ALLELE', {
    ...place,
    value,
    message: `An allele is 0 or 1, not "${value}".`,
    suggestion: 'Fill in missing alleles, and write 1 for the allele that effects are counted for.',
  });
}

function reportRepeated(seen: Set<string>, name: string, place: Place, problems: ProblemCollector): void {
  if (seen.has(name)) {
    problems.error('E-SM-DUP', {
      ...place,
      value: name,
      message: `The locus "${name}" stands here a second time.`,
      suggestion: 'Keep one of the rows.',
    });
  }
  seen.add(name);
}

const LISTED = 5;

function unknownLoci(names: readonly string[], of: string, lacking: string, problems: ProblemCollector): void {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  problems.error('E-SM-LOCUS', {
    value: names[0] ?? '',
    message: `Loci of ${of} lack ${lacking}: ${names.slice(0, LISTED).join(', ')}${more}.`,
    suggestion: 'Check the names, or leave out these loci.',
  });
}
