import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { Services } from '../../../platform/http/app.ts';
import { findFile, readCalls, readSampleNames } from '../../data/files/index.ts';
import type { LocusGenotype } from '../line-values/index.ts';
import type { GwasRow, GwasTraitRow } from './gwas.queries.ts';

interface LocusRow extends Record<string, unknown> {
  id: string;
  chr: string;
  pos: number;
  /** In the genotype file. */
  place: number;
  a1: string;
  a2: string;
  beta: number | null;
  p: number;
}

/** Loci shown of a trait: the strongest marker of each chromosome. */
const LOCI = 5;

/** What some lines have at the strongest hits of each trait, or at its strongest marker where nothing is a hit. */
export async function lociOfLines(
  { db, storage, tables }: Pick<Services, 'db' | 'storage' | 'tables'>,
  run: GwasRow,
  names: readonly string[],
): Promise<LocusGenotype[]> {
  const file = run.genotype_id === null ? undefined : await findFile(db, run.project_id, run.genotype_id);
  if (file === undefined) return [];
  const meant = new Set(names);
  const columns = (await readSampleNames(storage, file)).flatMap((individual, column) =>
    meant.has(normalizeName(individual)) ? [{ individual, column }] : [],
  );
  if (columns.length === 0) return [];
  const loci: LocusGenotype[] = [];
  for (const row of run.trait_rows) {
    const threshold = row.summary?.bonferroni;
    for (const locus of await strongest({ tables }, row)) {
      const { packed } = await readCalls(storage, file, { first: locus.place, count: 1 });
      for (const { individual, column } of columns) {
        const copies = copiesOfA2(packed, column);
        loci.push({
          ...{ individual, trait: row.trait, marker: locus.id, chr: locus.chr, pos: locus.pos, copies },
          genotype: copies === null ? null : inAlleles(locus, copies),
          ...{ effect_allele: locus.a2, effect: locus.beta, p: locus.p },
          is_significant: threshold != null && locus.p <= threshold,
        });
      }
    }
  }
  return loci;
}

async function strongest(
  { tables }: Pick<Services, 'tables'>,
  { summary, result_keys: { table: key } }: GwasTraitRow,
): Promise<LocusRow[]> {
  if (key === undefined || summary === null) return [];
  const hits = await tables.query<LocusRow>(
    key,
    (table) =>
      `select * from (
         select id, chr, pos, place, a1, a2, beta, p, neg_log10_p,
           row_number() over (partition by chr order by neg_log10_p desc, place) as nth
         from ${table} where p <= $1)
       where nth = 1 order by neg_log10_p desc limit ${LOCI}`,
    [summary.bonferroni],
  );
  if (hits.length > 0 || summary.top === null) return hits;
  return await tables.query<LocusRow>(
    key,
    (table) => `select id, chr, pos, place, a1, a2, beta, p from ${table} where id = $1 limit 1`,
    [summary.top.id],
  );
}

/** PLINK 1: 00 is A1/A1, 01 missing, 10 A1/A2, 11 A2/A2. */
function copiesOfA2(packed: Uint8Array, column: number): number | null {
  const code = ((packed[column >> 2] ?? 0) >> (2 * (column & 3))) & 3;
  return code === 1 ? null : code === 0 ? 0 : code - 1;
}

const inAlleles = ({ a1, a2 }: LocusRow, copies: number): string =>
  [a1, a2].flatMap((allele, at) => Array<string>(at === 0 ? 2 - copies : copies).fill(allele)).join('/');
