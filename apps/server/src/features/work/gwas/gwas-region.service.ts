import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { FileType } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import type { GwasRegion, gwasRegionQuery } from '@heterosis/contracts/work/gwas';
import { firstGenes, type GeneTable } from '@heterosis/file-formats/tables/genes/gene-table';
import { chromosomeKey } from '@heterosis/file-formats/tables/linkage-map/chromosome-name';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { linkageDisequilibrium } from '@heterosis/statgen/association/linkage-disequilibrium';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, type FileRow, findFile, findNewestFile, readCalls } from '../../data/files/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { perTrait, requireResultKey } from '../runs/results/index.ts';
import { gwas } from './gwas.kind.ts';

/** Markers of a region that are drawn with their r²; more lie upon each other. */
const MOST_MARKERS = 5000;
/** Genes that a browser draws below them. */
const MOST_GENES = 400;

/** Of the region, between markers of a map: closer ones mostly have the same cM, and rates of 0 that say nothing. */
const SHORTEST_SHARE = 1 / 1000;

interface RegionRow extends Record<string, unknown> {
  id: string;
  pos: number;
  place: number;
  p: number | null;
  neg_log10_p: number | null;
  beta: number | null;
  sd: number | null;
}

type Region = z.output<typeof gwasRegionQuery>;

/** `GET …/gwas/{id}/region`: a part of a chromosome with r² to its lead marker, genes and recombination rate. */
export async function getRegion(
  { services, access: { projectId } }: ProjectCall,
  { id, query: region }: InputOf<typeof gwasApi.getRegion>,
): Promise<GwasRegion> {
  const { db, storage, tables } = services;
  const run = await getNamedRun(gwas, db, projectId, id);
  const result = perTrait.requireRow(run, region.trait);
  const table = requireResultKey(region.trait, result, 'table');
  const all = await tables.query<RegionRow>(
    table,
    (table) =>
      `select id, pos, place, p, neg_log10_p, beta, sd from ${table} where chr = $1 and pos between $2 and $3 order by place`,
    [region.chr, region.start, region.end],
  );
  const strongest = all.reduce((best, row, index) => (height(row) > height(all[best]) ? index : best), 0);
  const asked = region.lead === undefined ? -1 : all.findIndex((row) => row.id === region.lead);
  const lead = asked >= 0 ? asked : strongest;
  const rows = around(all, lead);
  const genotype = run.genotype_id === null ? undefined : await findFile(db, projectId, run.genotype_id);
  const individuals = JSON.parse(
    new TextDecoder().decode(await readObject(storage, requireResultKey(region.trait, result, 'individuals'))),
  ) as { positions: number[] };
  const r2 =
    genotype === undefined || rows.length === 0
      ? null
      : await r2With(storage, genotype, rows, { lead: all[lead] as RegionRow, individuals: individuals.positions });
  const genes = await newest(services, projectId, 'GENES');
  const map = await newest(services, projectId, 'LINKAGE_MAP');
  const positions = (): Promise<{ id: string; pos: number }[]> =>
    tables.query(table, (name) => `select id, pos from ${name} where chr = $1`, [region.chr]);
  return {
    lead: all[lead]?.id ?? null,
    total: all.length,
    markers: rows.map((row) => ({
      id: row.id,
      pos: row.pos,
      p: row.p ?? 1,
      neg_log10_p: row.neg_log10_p ?? 0,
      beta: row.beta,
      sd: row.sd,
      r2: r2?.get(row.place) ?? null,
    })),
    genes: genes && genesIn(genes.file, unpackRecord<GeneTable>(genes.bytes), region),
    recombination: map && (await ratesIn(map.file, unpackRecord<LinkageMap>(map.bytes), region, positions)),
  };
}

const height = (row: RegionRow | undefined): number => row?.neg_log10_p ?? -1;

/** As many markers as are drawn, the lead in their middle. */
function around(rows: RegionRow[], lead: number): RegionRow[] {
  if (rows.length <= MOST_MARKERS) return rows;
  const first = Math.min(rows.length - MOST_MARKERS, Math.max(0, lead - MOST_MARKERS / 2));
  return rows.slice(first, first + MOST_MARKERS);
}

/** r² of each marker with the lead over the individuals of the run, by place in the panel. */
async function r2With(
  storage: Services['storage'],
  genotype: FileRow,
  rows: readonly RegionRow[],
  { lead, individuals }: { lead: RegionRow; individuals: readonly number[] },
): Promise<Map<number, number>> {
  const first = rows[0]?.place ?? 0;
  const count = (rows.at(-1)?.place ?? first) - first + 1;
  const calls = await readCalls(storage, genotype, { first, count });
  const selection = { panelSize: calls.panelSize, individuals: Int32Array.from(individuals) };
  const values = linkageDisequilibrium(calls, count, selection, lead.place - first);
  return new Map(
    rows.flatMap(({ place }): [number, number][] => {
      const value = values[place - first] ?? Number.NaN;
      return Number.isNaN(value) ? [] : [[place, Math.min(1, value)]];
    }),
  );
}

/** The latest file of this type, with what its check has written for runs. */
async function newest(
  { db, storage }: Services,
  projectId: string,
  fileType: FileType,
): Promise<{ file: FileRow; bytes: Uint8Array } | null> {
  const file = await findNewestFile(db, projectId, fileType);
  return file === undefined ? null : { file, bytes: await readObject(storage, derivedKey(file, 'table')) };
}

const reference = ({ id, name }: FileRow) => ({ id, name });

function genesIn(file: FileRow, table: GeneTable, { chr, start, end }: Region): NonNullable<GwasRegion['genes']> {
  const key = chromosomeKey(chr);
  const chromosome = table.chromosomes.findIndex((name) => chromosomeKey(name) === key);
  const data: NonNullable<GwasRegion['genes']>['data'] = [];
  let total = 0;
  const first = firstGenes(table);
  for (let gene = first[chromosome] ?? 0; gene < (first[chromosome + 1] ?? 0); gene++) {
    const [from = 0, to = 0] = [table.start[gene], table.end[gene]];
    if (from > end || to < start || ++total > MOST_GENES) continue;
    data.push({
      id: table.ids[gene] ?? '',
      name: table.names[gene] ?? '',
      start: from,
      end: to,
      strand: table.strand[gene] ?? 0,
      description: table.descriptions[gene] ?? '',
    });
  }
  return { file: reference(file), total, data };
}

/** cM per Mb between neighbouring markers of the map; where it gives no bp, the tested marker of that name does. */
async function ratesIn(
  file: FileRow,
  map: LinkageMap,
  { chr, start, end }: Region,
  tested: () => Promise<{ id: string; pos: number }[]>,
): Promise<NonNullable<GwasRegion['recombination']>> {
  const key = chromosomeKey(chr);
  const mapped = map.chromosome.flatMap((name, marker) => {
    const [bp = Number.NaN, cm = Number.NaN] = [map.positionBp[marker], map.positionCm[marker]];
    return chromosomeKey(name) === key && Number.isFinite(cm) ? [{ id: map.markerId[marker], bp, cm }] : [];
  });
  const known = mapped.every(({ bp }) => bp > 0) ? [] : await tested();
  const positions = new Map<string | undefined, number>(known.map(({ id, pos }) => [id, pos]));
  const places = mapped
    .map(({ id, bp, cm }) => ({ bp: bp > 0 ? bp : (positions.get(id) ?? 0), cm }))
    .filter(({ bp }) => bp > 0)
    .sort((a, b) => a.bp - b.bp);
  let last = -Infinity;
  const spaced = places.filter(({ bp }) => {
    const isNext = bp - last >= (end - start) * SHORTEST_SHARE;
    if (isNext) last = bp;
    return isNext;
  });
  const data = spaced.flatMap((from, index) => {
    const to = spaced[index + 1];
    if (to === undefined || to.bp < start || from.bp > end) return [];
    // A map that runs against the assembly there says nothing about a rate.
    return [{ start: from.bp, end: to.bp, cm_per_mb: Math.max(0, ((to.cm - from.cm) / (to.bp - from.bp)) * 1e6) }];
  });
  return { file: reference(file), data };
}
