import type { ByteSource } from '../../byte-source.ts';
import { ProblemCollector } from '../../problem.ts';
import { isCategorical } from './phenotype-checks.ts';
import { designLevel } from './phenotype-design.ts';
import type { DesignRole } from './phenotype-header.ts';
import { phenotypeHeader } from './phenotype-header.ts';
import { type Collected, createCollector, traitColumn } from './phenotype-observations.ts';
import type { PhenotypeOptions } from './phenotype-options.ts';
import type { TraitColumn } from './phenotype-table.ts';
import { openPhenotypeTable } from './read-phenotype.ts';
import type { TraitData } from './trait-data.ts';

/** What the design columns of a row say, by role; roles without a column or value are absent. */
export type DesignOfRow = Partial<Record<DesignRole, string>>;

/** Something that was observed: a plot, a plant, or an individual in an environment. */
export interface RecordedUnit {
  /** 1-based line of its first row. */
  line: number;
  individual: string;
  /** Place in `environments`. */
  environment: number;
  design: DesignOfRow;
}

export interface RecordedEnvironment {
  /** The columns that make it, joined: `Hai Duong / 2021`; null in a file without such columns. */
  name: string | null;
  /** Of the first row in it. */
  design: DesignOfRow;
}

/** A phenotype file as it was recorded: nothing is averaged. Arrays of observations are parallel. */
export interface PhenotypeRecords {
  traits: TraitColumn[];
  environments: RecordedEnvironment[];
  units: RecordedUnit[];
  /**
   * What the column that tells checks from other lines says of each unit: `check`, `filler`; null when it says nothing.
   */
  kinds: (string | null)[];
  /** Place in `units`, in ascending order. */
  unit: Int32Array;
  /** Place in `traits`; ascending within a unit. */
  trait: Int32Array;
  /** Numbers in the shortest form that reads back the same, words as written. */
  value: string[];
  /** Milliseconds since 1970, NaN without a time. */
  time: Float64Array;
}

/** Records with what the columns of the file say beside them. */
export interface ReadRecords extends PhenotypeRecords {
  /** Headers of the design columns by role. */
  columns: DesignOfRow;
}

/**
 * Reads all observations of a phenotype file with the units that they were made on. A wide file has one unit a row
 * (and, with several experiments side by side, one for each of them); a long file has one for each individual and
 * combination of design columns. Missing values are left out. Null when the file has no header that can be read:
 * use it on files that were checked with the same options.
 */
export async function readPhenotypeRecords(
  source: ByteSource,
  options: PhenotypeOptions = {},
): Promise<ReadRecords | null> {
  const problems = new ProblemCollector();
  const table = await openPhenotypeTable(source, problems, options);
  const header = table.isHeaderless ? null : phenotypeHeader(table, problems);
  if (header === null) return null;
  const collector = createCollector(table, header, options, problems);
  const designs = new Map<number, RowOfDesign>();
  const columns: DesignOfRow = {};
  for (const { role, column } of header.design) columns[role] ??= column.name;
  await table.forEachRow((row) => {
    const design: DesignOfRow = {};
    for (const { role, column } of header.design) {
      const value = designLevel(row.cells[column.index] ?? '');
      if (value !== '') design[role] = value;
    }
    const kind = header.check === null ? '' : designLevel(row.cells[header.check.index] ?? '');
    designs.set(row.line, { design, kind: kind === '' ? null : kind });
    collector.addRow(row);
  });
  return { ...recordsOf(collector.done(), designs), columns };
}

interface RowOfDesign {
  design: DesignOfRow;
  kind: string | null;
}

interface Observation {
  unit: number;
  trait: number;
  value: string;
  time: number;
}

function recordsOf(collected: Collected, designs: ReadonlyMap<number, RowOfDesign>): Omit<ReadRecords, 'columns'> {
  const { header, individuals, traits, design } = collected;
  const hasEnvironments =
    header.shape !== 'wide' && (design.environments.length > 1 || design.environments[0] !== 'not given');
  const environments: RecordedEnvironment[] = hasEnvironments
    ? design.environments.map((name) => ({ name, design: {} }))
    : [{ name: null, design: {} }];
  const units: RecordedUnit[] = [];
  const kinds: (string | null)[] = [];
  const places = new Map<string, number>();
  const observations: Observation[] = [];
  const named = new Set<number>();

  const unitOf = ({ rows }: TraitData, row: number): number => {
    const line = rows.line.at(row);
    const individual = individuals[rows.individual.at(row)];
    const environment = hasEnvironments ? design.cellEnvironment[rows.cell.at(row)] : 0;
    const { design: ofRow, kind } = designs.get(line) ?? { design: {}, kind: null };
    const key =
      header.long === null ? `${line}\t${environment}` : `${individual}\t${environment}\t${JSON.stringify(ofRow)}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, units.length);
    units.push({ line, individual, environment, design: ofRow });
    kinds.push(kind);
    if (!named.has(environment)) environments[environment].design = ofRow;
    named.add(environment);
    return units.length - 1;
  };

  for (const [index, trait] of traits.entries()) {
    for (let row = 0; row < trait.values.length; row++) {
      const unit = unitOf(trait, row);
      const value = valueOf(trait, row);
      if (value !== null)
        observations.push({ unit, trait: index, value, time: trait.rows.time?.at(row) ?? Number.NaN });
    }
  }
  observations.sort((a, b) => a.unit - b.unit || a.trait - b.trait);
  return {
    traits: traits.map((trait) => traitColumn(trait, isCategorical(trait) ? 'categorical' : 'numeric')),
    environments,
    units,
    kinds,
    unit: Int32Array.from(observations, ({ unit }) => unit),
    trait: Int32Array.from(observations, ({ trait }) => trait),
    value: observations.map(({ value }) => value),
    time: Float64Array.from(observations, ({ time }) => time),
  };
}

/** Null when nothing was recorded. */
function valueOf({ values, words }: TraitData, row: number): string | null {
  const value = values.at(row);
  if (!Number.isNaN(value)) return String(value);
  if (words === null || row >= words.codes.length) return null;
  return words.known.words[words.codes.at(row)] ?? null;
}
