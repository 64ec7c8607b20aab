import { type Coancestries, MAX_PEDIGREE_SIZE, type Pedigree } from '@heterosis/contracts/pedigree';
import { descentOf } from '@heterosis/file-formats/tables/pedigree/descent';
import { type Inbreeding, inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree, type Pedigree as SortedPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { Services } from '../../platform/http/app.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { GermplasmScope } from '../germplasm/index.ts';
import { countInScope, listAncestors, listPedigree, type PedigreeRow } from './pedigree.queries.ts';

/** Whose graph is asked for. */
export interface PedigreeRequest {
  seeds: GermplasmScope;
  within: GermplasmScope;
  around?: string | undefined;
}

/**
 * A pedigree with the inbreeding of everybody. Sorting and coefficients of 20,000 individuals take about as long as
 * writing them as JSON, so that the request itself computes them.
 */
export async function getPedigree({ db }: Services, { seeds, within, around }: PedigreeRequest): Promise<Pedigree> {
  const total = await countInScope(db, seeds);
  const found = await listPedigree(db, { seeds, within, around, limit: MAX_PEDIGREE_SIZE });
  if (around !== undefined && found.length === 0) throw notFound();
  const isCut = found.length > MAX_PEDIGREE_SIZE || (around === undefined && total > found.length);
  const rows = found.slice(0, MAX_PEDIGREE_SIZE);
  const { pedigree, inbreeding, maternal, paternal } = sorted(rows);
  return {
    total,
    cut: isCut,
    individuals: rows.map(({ id, name, collection, cross_type, selfing_generations }, i) => ({
      ...{ id, name, collection, cross_type, selfing_generations },
      maternal: maternal[i] ?? null,
      paternal: paternal[i] ?? null,
      generation: pedigree.generation[pedigree.place[i] ?? 0] ?? 0,
      inbreeding: isCut ? null : (inbreeding.coefficients[pedigree.place[i] ?? 0] ?? null),
    })),
  };
}

/** Coancestries of some germplasm, by all of their ancestors. */
export async function getCoancestries(
  { db }: Services,
  within: GermplasmScope,
  ids: readonly string[],
): Promise<Coancestries> {
  const wanted = [...new Set(ids)];
  const rows = await listAncestors(db, within, wanted, MAX_PEDIGREE_SIZE);
  if (rows.length > MAX_PEDIGREE_SIZE) {
    throw new Problem('pedigree/too-large', `These germplasm have more than ${MAX_PEDIGREE_SIZE} ancestors.`);
  }
  const placeOf = new Map(rows.map(({ id }, row) => [id, row]));
  if (wanted.some((id) => !placeOf.has(id))) throw notFound();
  const { pedigree, inbreeding } = sorted(rows);
  const places = Int32Array.from(wanted, (id) => pedigree.place[placeOf.get(id) ?? 0] ?? 0);
  const { data } = relationshipsAmong(pedigree, inbreeding, places);
  return { ids: wanted, values: Array.from(data, (value) => value / 2) };
}

const notFound = (): Problem => new Problem('request/not-found', 'There is no such germplasm.');

interface Sorted {
  pedigree: SortedPedigree;
  inbreeding: Inbreeding;
  /** Positions of the parents among the rows as shown; the one plant of a selfing or a doubled haploid is both. */
  maternal: (number | null)[];
  paternal: (number | null)[];
}

function sorted(rows: readonly PedigreeRow[]): Sorted {
  const n = rows.length;
  const placeOf = new Map(rows.map(({ id }, row) => [id, row]));
  const positions = { maternal: new Int32Array(n).fill(-1), paternal: new Int32Array(n).fill(-1) };
  const selfings = new Float64Array(n);
  for (const [i, row] of rows.entries()) {
    const place = (id: string | null): number | null => (id === null ? null : (placeOf.get(id) ?? null));
    const [mother, father] = [place(row.maternal_id), place(row.paternal_id)];
    const content = { crossType: row.cross_type, selfingGenerations: row.selfing_generations };
    // A clone of two plants cannot be one; the parents are kept as those of a cross.
    const descent = descentOf(mother, father, content) ?? { maternal: mother, paternal: father, selfings: 0 };
    positions.maternal[i] = descent.maternal ?? -1;
    positions.paternal[i] = descent.paternal ?? -1;
    selfings[i] = descent.selfings;
  }
  const pedigree = withoutLoop(rows, () => createPedigree({ ...positions, selfings }));
  const shown = (values: Int32Array): (number | null)[] => Array.from(values, (place) => (place < 0 ? null : place));
  return {
    pedigree,
    inbreeding: inbreedingOf(pedigree),
    maternal: shown(positions.maternal),
    paternal: shown(positions.paternal),
  };
}

/** Uploads and changes refuse loops; one that two of them made at once is named. */
function withoutLoop(rows: readonly PedigreeRow[], create: () => SortedPedigree): SortedPedigree {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof StatgenError && error.code === 'pedigree-loop')) throw error;
    const names = String(error.details['loop'])
      .split(' ')
      .map((place) => rows[Number(place)]?.name ?? '?');
    throw new Problem('pedigree/loop', `The pedigree runs in a circle: ${names.join(' ← ')}.`, { cause: error });
  }
}
