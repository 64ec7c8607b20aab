import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { PlotKind } from '@heterosis/file-formats/tables/phenotype/plot-kind';

/** A position as a client or another server writes it. */
export interface WrittenPosition {
  /** Levels that the unit lies in. */
  levels: readonly { name: string | null | undefined; code: string | null | undefined }[];
  x: string | null | undefined;
  xType: string | null | undefined;
  y: string | null | undefined;
  yType: string | null | undefined;
}

const REPLICATES = new Set(['rep', 'replicate', 'replication']);
/** Places that count plots; the standard also has degrees and measured distances. */
const ROW = /^(?:grid|planted)_row$/i;
const COLUMN = /^(?:grid_col(?:umn)?|planted_individual)$/i;
const WHOLE = /^-?\d+$/;

/**
 * Replicate, block, row and column of a unit. Coordinates without a type are column and row where both are whole
 * numbers; a block within a block is named by both.
 */
export function designOfPosition({ levels, x, xType, y, yType }: WrittenPosition): DesignOfRow {
  const design: DesignOfRow = {};
  const codeOf = (isMeant: (name: string) => boolean): string | undefined =>
    levels.find(({ name, code }) => isMeant(name?.toLowerCase() ?? '') && code != null && code !== '')?.code ??
    undefined;
  const replicate = codeOf((name) => REPLICATES.has(name));
  const blocks = [codeOf((name) => name === 'block'), codeOf((name) => /^sub-?block$/.test(name))];
  const block = blocks.filter((code) => code !== undefined).join(' / ');
  if (replicate !== undefined) design.replicate = replicate;
  if (block !== '') design.block = block;
  const isUntyped = [xType, yType].every((type) => type == null || type === '');
  const areWhole = [x, y].every((value) => WHOLE.test(value ?? ''));
  for (const [value, type, usual] of [
    [x, xType, 'column'],
    [y, yType, 'row'],
  ] as const) {
    if (value == null || value === '') continue;
    if (ROW.test(type ?? '')) design.row = value;
    else if (COLUMN.test(type ?? '')) design.column = value;
    else if (isUntyped && areWhole) design[usual] = value;
  }
  return design;
}

/** What the standard calls the kinds of plots. */
export const ENTRY_TYPES: Record<PlotKind, string> = { entry: 'TEST', check: 'CHECK', filler: 'FILLER' };
