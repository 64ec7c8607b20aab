import type { ByteSource } from '../../byte-source.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { isMissing, parseNumber } from '../text/cell-values.ts';
import { openTable, reportIgnoredColumns, type Table } from '../text/read-table.ts';
import { tableLayout } from '../text/table-mapping.ts';
import { adjustedMeans, type TraitObservations } from './adjusted-means.ts';
import { askForCodes } from './ask-for-codes.ts';
import {
  inspect,
  isCategorical,
  reportDistribution,
  reportNames,
  reportTexts,
  settleRepeats,
} from './phenotype-checks.ts';
import { replicateTerms } from './phenotype-design.ts';
import { groupsOfTrait } from './phenotype-groups.ts';
import { isTasselPreamble, phenotypeHeader, reportOtherType } from './phenotype-header.ts';
import { type Collected, createCollector, MAX_TRAITS, traitColumn } from './phenotype-observations.ts';
import type { PhenotypeOptions } from './phenotype-options.ts';
import type { EnvironmentCounts, PhenotypeTable } from './phenotype-table.ts';
import { reportReductions } from './reduction-report.ts';
import type { TraitData } from './trait-data.ts';
import { correlationsOf, describe, histogramOf, type TraitCorrelations, type TraitSummary } from './trait-summary.ts';
import { toldValues } from './value-codes.ts';

export interface PhenotypeReading {
  /** Null when the report has errors. */
  table: PhenotypeTable | null;
  report: ProblemReport;
  /** One per trait; empty when the report has errors. */
  summaries: TraitSummary[];
  correlations: TraitCorrelations;
  /** The observations behind the values, one entry per trait; without values for categorical traits. */
  observations: TraitObservations[];
  /** Names of the environments that the observations refer to, and what replicates and blocks are called in a model. */
  design: { environments: string[]; replicates: string };
}

const NOTHING: Omit<PhenotypeReading, 'report'> = {
  table: null,
  summaries: [],
  correlations: { names: [], values: [] },
  observations: [],
  design: { environments: [], replicates: '' },
};

/**
 * Reads a phenotype file: one row per individual (wide), repeated rows with design columns (wide-design), or one row
 * per observation (long); comma, tab or semicolon separated or .xlsx, plain or gzipped. The shape is recognised from
 * the header. Repeated observations are reduced to one value an individual and trait, see {@link adjustedMeans}.
 *
 * All problems are found in one pass and reported with line and column; no content of a file makes this throw. Missing
 * values are the spellings of {@link isMissing} and `missingCodes`. Rejects when the source cannot be read or `signal`
 * aborts.
 */
export async function readPhenotype(source: ByteSource, options: PhenotypeOptions = {}): Promise<PhenotypeReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openPhenotypeTable(source, problems, options);
    const collected = await collect(table, options, problems);
    if (collected !== null)
      return finish(
        collected,
        collected.header.isGuess ? { ...options, averageRepeatedRows: true } : options,
        problems,
      );
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { ...NOTHING, report: problems.report() };
}

/** Opens the table of a phenotype file: its header is known, its rows are not read yet. */
export function openPhenotypeTable(
  source: ByteSource,
  problems: ProblemCollector,
  { mapping, signal }: Pick<PhenotypeOptions, 'mapping' | 'signal'>,
): Promise<Table> {
  return openTable(source, {
    problems,
    expected: 'a phenotype file',
    isPreamble: isTasselPreamble,
    hasHeader: looksLikeHeader,
    allowRowNames: true,
    byProgram: true,
    layout: tableLayout('PHENOTYPE', mapping),
    signal,
  });
}

/** False for a first row of numbers, apart from its first cell: that is data. */
function looksLikeHeader(cells: string[]): boolean {
  if (cells.length < 2) return true;
  const rest = cells.slice(1);
  const isData = rest.some((cell) => !Number.isNaN(parseNumber(cell, true)));
  if (!isData || !rest.every((cell) => isMissing(cell) || !Number.isNaN(parseNumber(cell, true)))) return true;
  // `line,2019,2020` is a header with years as traits.
  return cells[0] === '' || rest.every((cell) => /^(?:19|20)\d\d$/.test(cell));
}

async function collect(table: Table, options: PhenotypeOptions, problems: ProblemCollector): Promise<Collected | null> {
  if (table.isHeaderless) {
    problems.error('E-NO-HEADER', {
      line: table.headerLine,
      message: 'The first row holds values instead of the names of the columns.',
      suggestion: 'Add a first row with "individual" and the names of the traits.',
    });
    return null;
  }
  const header = phenotypeHeader(table, problems);
  if (header === null) return null;
  reportIgnoredColumns(header.ignored, table.headerLine, problems);
  // Rows of a column that was guessed tell nothing when they repeat.
  const reading = header.isGuess ? { ...options, averageRepeatedRows: true } : options;
  const collector = createCollector(table, header, reading, problems);
  if (header.long === null && header.traitColumns.length === 0) {
    problems.error('E-PH-NO-TRAIT', {
      line: table.headerLine,
      message: 'The file has no trait: every column is a name or a design column.',
      suggestion: 'Add a column with measured values, or choose another type of file.',
    });
    return null;
  }
  if (header.traitColumns.length > MAX_TRAITS) {
    problems.error('E-TOO-LARGE', {
      line: table.headerLine,
      message: `The file has ${header.traitColumns.length} traits; at most ${groupedNumber(MAX_TRAITS)} are read.`,
      suggestion: 'Split the file by traits. If this is a genotype matrix, upload it as a genotype file.',
    });
    return null;
  }
  await table.forEachRow(collector.addRow);
  return collector.done();
}

function finish(collected: Collected, options: PhenotypeOptions, problems: ProblemCollector): PhenotypeReading {
  const { header, individuals, traits, design } = collected;
  if (header.long !== null && traits.length === 0 && problems.errorCount === 0) {
    problems.error('E-PH-NO-TRAIT', {
      line: collected.headerLine,
      message: 'No row names a trait.',
      suggestion: 'Fill in the trait column.',
    });
  }
  const measured = toldValues(options.measuredValues ?? []);
  const asked = traits.map((trait) => askForCodes(trait, measured, problems));
  for (const [index, trait] of traits.entries()) {
    if (!isCategorical(trait)) reportTexts(trait, asked[index].words, problems);
    if (trait.rows.design !== null) settleRepeats(trait, individuals, options, problems);
  }
  reportNames(collected, options, problems);
  const isNumber = (trait: TraitData) => !trait.isCovariate && trait.numberCount > 0 && !isCategorical(trait);
  if (individuals.length > 0 && traits.length > 0 && !header.isGuess && !traits.some(isNumber))
    reportNoNumbers(collected, problems);

  const findings = traits.map((trait, index) =>
    isCategorical(trait) ? [] : inspect(trait, collected, asked[index].numbers, problems),
  );
  if (problems.errorCount > 0) {
    return { ...NOTHING, report: problems.report() };
  }
  const checks = design.checks(individuals.length);
  const observations = traits.map(
    (trait): TraitObservations => ({
      individual: trait.rows.individual.values,
      cell: trait.rows.cell.values,
      value: isCategorical(trait) ? new Float64Array(trait.values.length).fill(Number.NaN) : trait.values.values,
      individualCount: individuals.length,
      cellEnvironment: design.cellEnvironment,
      checks,
    }),
  );
  const table = reduce(collected, problems);
  const summaries = table.traits.map((trait, index): TraitSummary => {
    const values = table.values[index];
    const figures =
      trait.kind === 'numeric'
        ? describe(values)
        : { ...describe([]), n: traits[index].textCount + traits[index].numberCount };
    if (trait.kind === 'numeric') reportDistribution(trait.name, traits[index].column, figures, collected, problems);
    return {
      name: trait.name,
      unit: trait.unit,
      kind: trait.kind,
      isCovariate: trait.isCovariate === true,
      ...figures,
      h2: table.h2[index],
      histogram: trait.kind === 'numeric' ? histogramOf(values) : null,
      outliers: findings[index],
    };
  });
  const numeric = table.traits.flatMap((trait, index) => (trait.kind === 'numeric' ? [index] : []));
  const correlations = correlationsOf(
    numeric.map((index) => table.traits[index].name),
    numeric.map((index) => table.values[index]),
  );
  return {
    table,
    report: problems.report(),
    summaries,
    correlations,
    observations,
    design: { environments: design.environments, replicates: replicateTerms(header) },
  };

  function reduce({ traits: data }: Collected, collector: ProblemCollector): PhenotypeTable {
    const kinds = data.map((trait) => (isCategorical(trait) ? ('categorical' as const) : ('numeric' as const)));
    const reduced = observations.map((trait) => adjustedMeans(trait));
    const groups = [
      ...data.flatMap((trait, index) => (kinds[index] === 'categorical' ? [groupsOfTrait(trait, individuals)] : [])),
      ...design.groups(individuals),
    ];
    reportReductions(reduced, groups, collected, collector);
    return {
      shape: header.shape,
      individuals,
      traits: data.map((trait, index) => traitColumn(trait, kinds[index])),
      values: reduced.map(({ values }) => values),
      observations: reduced.map(({ observations }) => observations),
      reductions: reduced.map(({ reduction }) => reduction),
      h2: reduced.map(({ h2 }) => h2),
      groups,
      environments: environmentCounts(collected),
    };
  }
}

/** A file without numbers is either another type of table, or of no use to an analysis. */
function reportNoNumbers(collected: Collected, problems: ProblemCollector): void {
  const { table, headerLine, traits } = collected;
  if (reportOtherType(table, problems)) return;
  problems.warning('W-PH-NO-NUMERIC', {
    line: headerLine,
    value: traits
      .slice(0, 10)
      .map(({ header: { name } }) => name)
      .join(', '),
    message: 'No column is a trait with numbers: nothing can be trained or mapped with this file.',
    suggestion: 'Add a column of measured values, say what the columns hold, or check the file as another type.',
  });
}

function environmentCounts({ design, traits, individuals, header }: Collected): EnvironmentCounts[] {
  if (header.shape === 'wide' || !(design.environments.length > 1 || design.environments[0] !== 'not given')) return [];
  const counts = design.environments.map((name): EnvironmentCounts => ({ name, observations: [], individuals: [] }));
  for (const trait of traits) {
    const observations = new Int32Array(counts.length);
    const distinct = new Int32Array(counts.length);
    const values = trait.values.values;
    const individual = trait.rows.individual.values;
    const cell = trait.rows.cell.values;
    const seen = new Set<number>();
    for (let row = 0; row < values.length; row++) {
      if (Number.isNaN(values[row])) continue;
      const environment = design.cellEnvironment[cell[row]];
      observations[environment]++;
      const key = environment * individuals.length + individual[row];
      if (!seen.has(key)) distinct[environment]++;
      seen.add(key);
    }
    counts.forEach((count, environment) => {
      count.observations.push(observations[environment]);
      count.individuals.push(distinct[environment]);
    });
  }
  return counts;
}
