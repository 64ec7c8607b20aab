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
  cellOf(cells: readonly string[], extraEnvironment?: string): number;
  /** A number for the whole design of a row, plots included. */
  designOf(cells: readonly string[]): number;
  /** Takes note of what the design columns of a row say of its individual. */
  group(individual: number, cells: readonly string[]): void;
  /** Each design column as groups of individuals. */
  groups(individuals: readonly string[]): GroupColumn[];
}

const ENVIRONMENT_ROLES: readonly DesignRole[] = ['environment', 'location', 'year', 'treatment'];
const REPLICATE_ROLES: readonly DesignRole[] = ['replicate', 'block'];
/** Field Book writes the position of the phone into its `location` column: that is no trial site. */
const COORDINATES = /^-?\d{1,3}\.\d{3,}\s*[;, ]\s*-?\d{1,3}\.\d{3,}/;
const JOINT = '\u0001';
export function createDesign(header: PhenotypeHeader): Design {
  const columnsOf = (roles: readonly DesignRole[]) =>
    header.design.filter(({ role }) => roles.includes(role)).map(({ column }) => column.index);
  const environmentColumns = columnsOf(ENVIRONMENT_ROLES);
  const replicateColumns = columnsOf(REPLICATE_ROLES);
  const allColumns = header.design.map(({ column }) => column.index);
  const environments: string[] = [];
  const environmentIds = new Map<string, number>();
  const cellIds = new Map<string, number>();
  const designIds = new Map<string, number>();
  const cellEnvironment: number[] = [];
  const level = (cell: string) => (isMissing(cell) || COORDINATES.test(cell) ? '' : normalizeName(cell));
  const idOf = (ids: Map<string, number>, key: string) => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, ids.size);
    return ids.size - 1;
  };

  function cellOf(cells: readonly string[], extraEnvironment?: string): number {
    const parts = environmentColumns.map((index) => level(cells[index]));
    if (extraEnvironment !== undefined) parts.push(extraEnvironment);
    const environmentKey = parts.join(JOINT);
    const environment = idOf(environmentIds, environmentKey);
    if (environment === environments.length) {
      environments.push(parts.filter((part) => part !== '').join(' / ') || 'not given');
    }
    const cell = idOf(cellIds, [environmentKey, ...replicateColumns.map((index) => level(cells[index]))].join(JOINT));
    if (cell === cellEnvironment.length) cellEnvironment.push(environment);
    return cell;
  }
  const collectors = header.design.map(({ column }) => ({ column, collector: createGroupCollector() }));
  return {
    environments,
    cellEnvironment,
    cellOf,
    designOf: (cells) => idOf(designIds, allColumns.map((index) => normalizeName(cells[index])).join(JOINT)),
    group: (individual, cells) => {
      for (const { column, collector } of collectors) collector.add(individual, level(cells[column.index]));
    },
    groups: (individuals) =>
      collectors.map(({ column, collector }) => collector.finish({ name: column.name, origin: 'design' }, individuals)),
  };
}

/** True when replicates or blocks are part of the model. */
export function hasReplicates(header: PhenotypeHeader): boolean {
  return header.design.some(({ role }) => REPLICATE_ROLES.includes(role));
}
