import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import type { Services } from '../../../platform/http/app.ts';
import { findFile, readCalls, readSampleNames } from '../../data/files/index.ts';
import type { LocusGenotype, MarkerEffect } from '../line-values/index.ts';
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
  const individuals = Int32Array.from(columns, ({ column }) => column);
  const classes = new Uint8Array(columns.length);
  const loci: LocusGenotype[] = [];
  // Of a copy of A2: tests under gene actions have other effects, or none.
  for (const row of run.trait_rows.filter(({ summary }) => summary?.gene_action === undefined)) {
    const threshold = row.summary?.bonferroni;
    for (const locus of await strongest({ tables }, row)) {
      const calls = await readCalls(storage, file, { first: locus.place, count: 1 });
      const { panelSize } = calls;
      dosageClasses(calls, 0, { panelSize, individuals }, classes);
      for (const [place, { individual, column }] of columns.entries()) {
        const found = classes[place] ?? NO_CLASS;
        const copies = found === NO_CLASS ? null : found;
        loci.push({
          ...{ individual, trait: row.trait, marker: locus.id, chr: locus.chr, pos: locus.pos, copies },
          genotype: copies === null ? null : inAlleles(locus, copies, calls.ploidyAt(column)),
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

const inAlleles = ({ a1, a2 }: LocusRow, copies: number, ploidy: number): string =>
  [a1, a2].flatMap((allele, at) => Array<string>(at === 0 ? ploidy - copies : copies).fill(allele)).join('/');

/** Effects of the markers that pass the threshold of Bonferroni. */
export async function significantEffects(
  tables: Services['tables'],
  { trait_rows }: GwasRow,
  markers: readonly string[],
): Promise<MarkerEffect[]> {
  const places = markers.map((_, place) => `$${place + 2}`).join(', ');
  const byTrait = await Promise.all(
    trait_rows.map(async ({ trait, summary, result_keys: { table: key } }) => {
      if (key === undefined || summary === null) return [];
      const rows = await tables.query<LocusRow>(
        key,
        (table) => `select id, a1, a2, beta from ${table} where p <= $1 and beta is not null and id in (${places})`,
        [summary.bonferroni, ...markers],
      );
      return rows.map(({ id, a1, a2, beta }) => ({ marker: id, trait, a1, a2, effect: beta ?? 0 }));
    }),
  );
  return byTrait.flat();
}
