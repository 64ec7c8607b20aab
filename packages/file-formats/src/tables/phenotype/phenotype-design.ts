import { normalizeName } from '../../names/normalize-name.ts';
import { isMissing } from '../text/cell-values.ts';
import { createGroupCollector } from './phenotype-groups.ts';
import type { DesignRole, PhenotypeHeader } from './phenotype-header.ts';
import type { GroupColumn } from './phenotype-table.ts';

/** Turns design columns into the numbers of cells and environments. */
export interface Design {
  /** Names of the environments; empty without columns that make one. */
  environments: string[];
  cellEnvironment: number[];
  /** Names of the cells, for messages: `Hai Duong / 2021 / 2`. */
  cellNames: string[];
  /** Name of the group column that tells environments apart, null without columns that make one. */
  environmentColumn: string | null;
  cellOf(cells: readonly string[], extraEnvironment?: string): number;
  /** A number for the whole design of a row, plots included. */
  designOf(cells: readonly string[]): number;
  /** Notes what the design columns of a row say about its individual. */
  group(individual: number, cells: readonly string[]): void;
  /**
   * Each design column as groups of individuals; with several columns that make an environment, their combination too.
   */
  groups(individuals: readonly string[]): GroupColumn[];
  /** One flag per individual, 1 = check; null when no column says so. */
  checks(individualCount: number): Uint8Array | null;
}

const ENVIRONMENT_ROLES: readonly DesignRole[] = ['environment', 'location', 'year', 'treatment'];
const REPLICATE_ROLES: readonly DesignRole[] = ['replicate', 'block'];
/** Cells of a check column that mark a check; every other word marks a test line. */
const CHECK_WORD = /^(?:c|checks?|control|true|yes|y|1)$/i;
/** Field Book writes the position of the phone into its `location` column, which is not a trial site. */
const COORDINATES = /^-?\d{1,3}\.\d{3,}\s*[;, ]\s*-?\d{1,3}\.\d{3,}/;
const JOINT = '\u0001';

/** What a cell of a design column says; empty where it says nothing. */
export const designLevel = (cell: string): string =>
  isMissing(cell) || COORDINATES.test(cell) ? '' : normalizeName(cell);

export function createDesign(header: PhenotypeHeader): Design {
  const columnsOf = (roles: readonly DesignRole[]) =>
    header.design.filter(({ role }) => roles.includes(role)).map(({ column }) => column.index);
  const environmentColumns = columnsOf(ENVIRONMENT_ROLES);
  const environmentNames = header.design
    .filter(({ role }) => ENVIRONMENT_ROLES.includes(role))
    .map(({ column }) => column.name);
  const replicateColumns = columnsOf(REPLICATE_ROLES);
  const allColumns = header.design.map(({ column }) => column.index);
  const environments: string[] = [];
  const environmentIds = new Map<string, number>();
  const cellIds = new Map<string, number>();
  const designIds = new Map<string, number>();
  const cellEnvironment: number[] = [];
  const cellNames: string[] = [];
  const isCheck: number[] = [];
  const idOf = (ids: Map<string, number>, key: string) => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, ids.size);
    return ids.size - 1;
  };

  function cellOf(cells: readonly string[], extraEnvironment?: string): number {
    const parts = environmentColumns.map((index) => designLevel(cells[index]));
    if (extraEnvironment !== undefined) parts.push(extraEnvironment);
    const environmentKey = parts.join(JOINT);
    const environment = idOf(environmentIds, environmentKey);
    if (environment === environments.length) {
      environments.push(parts.filter((part) => part !== '').join(' / ') || 'not given');
    }
    const replicates = replicateColumns.map((index) => designLevel(cells[index]));
    const cell = idOf(cellIds, [environmentKey, ...replicates].join(JOINT));
    if (cell === cellEnvironment.length) {
      cellEnvironment.push(environment);
      cellNames.push([...parts, ...replicates].filter((part) => part !== '').join(' / ') || 'not given');
    }
    return cell;
  }
  const collectors = header.design.map(({ column }) => ({
    name: column.name,
    collector: createGroupCollector(),
    levelOf: (cells: readonly string[]) => designLevel(cells[column.index]),
  }));
  if (environmentColumns.length > 1) {
    collectors.push({
      name: environmentNames.join(' / '),
      collector: createGroupCollector(),
      // As the environments are named.
      levelOf: (cells) =>
        environmentColumns
          .map((index) => designLevel(cells[index]))
          .filter((part) => part !== '')
          .join(' / '),
    });
  }
  return {
    environments,
    cellEnvironment,
    cellNames,
    environmentColumn: environmentNames.length === 0 ? null : environmentNames.join(' / '),
    cellOf,
    designOf: (cells) => idOf(designIds, allColumns.map((index) => designLevel(cells[index])).join(JOINT)),
    group: (individual, cells) => {
      for (const { collector, levelOf } of collectors) collector.add(individual, levelOf(cells));
      if (header.check !== null && CHECK_WORD.test(designLevel(cells[header.check.index]))) isCheck[individual] = 1;
    },
    groups: (individuals) =>
      collectors.map(({ name, collector }) => collector.finish({ name, origin: 'design' }, individuals)),
    checks: (individualCount) =>
      header.check === null ? null : Uint8Array.from({ length: individualCount }, (_, i) => isCheck[i] ?? 0),
  };
}

/** The part of the model below the environment in words, as the file names it; empty without replicates and blocks. */
export function replicateTerms(header: PhenotypeHeader): string {
  const roles = REPLICATE_ROLES.filter((role) => header.design.some((column) => column.role === role));
  return roles.toReversed().join(' in ');
}
