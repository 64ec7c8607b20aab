import { varianceOfAction } from '@heterosis/analysis/gwas/gene-actions/gene-action-table';
import { varianceExplained } from '@heterosis/analysis/gwas/gwas-table';
import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import type { GeneAction } from '@heterosis/contracts/options/gwas';
import type {
  GwasClumps,
  GwasMarker,
  GwasQq,
  GwasRow as GwasResultRow,
  gwasResultsQuery,
} from '@heterosis/contracts/work/gwas';
import { JOINT_TRAIT, partsOfResult } from '@heterosis/contracts/work/gwas-names';
import { chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import { HIGHEST_H2 } from '@heterosis/statgen/association/gene-actions/test-gene-actions';
import { linkageDisequilibrium } from '@heterosis/statgen/association/linkage-disequilibrium';
import { dosageClasses } from '@heterosis/statgen/genotypes/dosage-classes';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { decodeCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { findFile, readCalls } from '../../data/files/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { perTrait, requireResultKey } from '../runs/results/index.ts';
import { gwas } from './gwas.kind.ts';
import type { GwasRow } from './gwas.queries.ts';
import { plotPoints } from './plot-points.ts';

/** Neighbours on each side of a marker. */
const NEIGHBOURS = 100;
const NEIGHBOUR_WINDOW_BP = 5_000_000;

/** A row of the Parquet table. */
interface TableRow extends Record<string, unknown> {
  id: string;
  chr: string;
  chr_index: number;
  pos: number;
  place: number;
  a1: string;
  a2: string;
  freq_a2: number;
  statistic: number | null;
  beta: number | null;
  sd: number | null;
  h2: number | null;
  p: number | null;
  neg_log10_p: number | null;
  q: number | null;
  dom_effect?: number | null;
  dom_se?: number | null;
  dom_p?: number | null;
  clump?: string | null;
}

/** Only traits alone are tested for dominance. */
const hasDominance = ({ parameters, traits }: GwasRow, trait: string): boolean =>
  parameters.dominance === true && traits.includes(trait);

/** The gene action of a result; null for those of a trait and of traits together. */
const actionOf = ({ parameters: { gene_action = [] }, traits }: GwasRow, name: string): GeneAction | null =>
  partsOfResult({ traits, gene_action }, name).action;

function toResultRow(row: TableRow, run: GwasRow, trait: string, n: number): GwasResultRow {
  const { parameters, traits } = run;
  const action = actionOf(run, trait);
  const ownTest = trait === JOINT_TRAIT || action !== null ? null : run.test;
  return {
    ...(trait === JOINT_TRAIT ? { joint: jointOf(row, traits, parameters.multi_trait === 'specific') } : {}),
    ...(action === null ? {} : { gene_action: testsOfAction(row, action) }),
    id: row.id,
    chr: row.chr,
    pos: row.pos,
    A1: row.a1,
    A2: row.a2,
    freqA2: row.freq_a2,
    n,
    score: ownTest === 'SCORE' ? (row.statistic ?? 0) : 0,
    LRT: ownTest === 'LRT' ? (row.statistic ?? 0) : 0,
    beta: row.beta,
    sd: row.sd,
    h2: row.h2,
    p: row.p ?? 1,
    neg_log10_p: row.neg_log10_p ?? 0,
    q: row.q,
    pve: action === null ? explained(row, n) : varianceOfAction(numberIn(row, 'df'), numberIn(row, 'f'), n),
    at_bound:
      (action !== null || run.test !== 'SCORE') && (row.h2 === 0 || row.h2 === LARGEST_H2[action ? 'action' : 'trait']),
    ...(hasDominance(run, trait)
      ? { dom_effect: row.dom_effect ?? null, dom_se: row.dom_se ?? null, dom_p: row.dom_p ?? null }
      : {}),
    ...(parameters.clumps === undefined ? {} : { clump: row.clump ?? null }),
  };
}

const explained = ({ beta, sd }: TableRow, n: number): number | null =>
  beta === null || sd === null ? null : varianceExplained(beta, sd, n);

const numberIn = (row: TableRow, name: string): number => (row[name] as number | null | undefined) ?? 0;

/** What the table of tests under a gene action has besides. */
function testsOfAction(row: TableRow, action: GeneAction): NonNullable<GwasResultRow['gene_action']> {
  const orNull = (name: string): number | null => (row[name] as number | null | undefined) ?? null;
  const negLog10P = numberIn(row, 'p3d_neg_log10_p');
  return {
    ...{ action, df: numberIn(row, 'df'), df2: numberIn(row, 'df2'), f: numberIn(row, 'f') },
    p3d: {
      ...{ beta: orNull('p3d_beta'), sd: orNull('p3d_sd'), f: numberIn(row, 'p3d_f'), h2: numberIn(row, 'p3d_h2') },
      ...{ p: Math.max(10 ** -negLog10P, Number.MIN_VALUE), neg_log10_p: negLog10P },
    },
  };
}

/** What the table of tests on several traits has besides. */
function jointOf(row: TableRow, traits: readonly string[], hasMain: boolean): NonNullable<GwasResultRow['joint']> {
  const number = (name: string): number | null => (row[name] as number | null | undefined) ?? null;
  const withP = (effect: number, se: number) => ({ effect, se, p: chiSquareP((effect / se) ** 2) });
  const [main, mainSe] = [number('main'), number('main_se')];
  return {
    chi2: number('chi2') ?? 0,
    df: number('df') ?? 0,
    main: hasMain && main !== null && mainSe !== null ? withP(main, mainSe) : null,
    effects: traits.map((trait, k) => {
      const [effect, se] = [number(`effect_${k}`), number(`effect_se_${k}`)];
      return { trait, ...(effect === null || se === null ? { effect, se, p: null } : withP(effect, se)) };
    }),
  };
}

const COLUMNS = 'id, chr, chr_index, pos, place, a1, a2, freq_a2, statistic, beta, sd, h2, p, neg_log10_p, q';
/** The upper ends of the ranges in which tests search h²; stored results at the bound hold exactly these numbers. */
const LARGEST_H2 = { trait: 0.99, action: HIGHEST_H2 };

const ACTION_COLUMNS = ['df', 'df2', 'f', 'p3d_beta', 'p3d_sd', 'p3d_f', 'p3d_h2', 'p3d_neg_log10_p'];

const columnsOf = (run: GwasRow, trait: string): string =>
  [
    COLUMNS,
    ...(actionOf(run, trait) === null ? [] : ACTION_COLUMNS),
    ...(trait === JOINT_TRAIT
      ? ['chi2', 'df', 'main', 'main_se', ...run.traits.flatMap((_, k) => [`effect_${k}`, `effect_se_${k}`])]
      : []),
    ...(hasDominance(run, trait) ? ['dom_effect', 'dom_se', 'dom_p'] : []),
    ...(run.parameters.clumps === undefined ? [] : ['clump']),
  ].join(', ');

/** `GET …/gwas/{id}/results`. */
export async function listResults(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  {
    id,
    query: { trait, max_p, min_p, ids, clump, search, sort, limit, cursor, ...part },
  }: InputOf<typeof gwasApi.listResults>,
): Promise<Page<GwasResultRow>> {
  const run = await getNamedRun(gwas, db, projectId, id);
  const result = perTrait.requireRow(run, trait);
  const values: (string | number)[] = [];
  const place = (value: string | number): string => `$${values.push(value)}`;
  const conditions = [
    ...conditionsOfPart(part, result.chromosomes, place),
    ...(max_p === undefined ? [] : [`p <= ${place(max_p)}`]),
    ...(min_p === undefined ? [] : [`p >= ${place(min_p)}`]),
    ...(ids === undefined ? [] : [ids.length === 0 ? 'false' : `id in (${ids.map(place).join(', ')})`]),
    ...(clump === undefined ? [] : [run.parameters.clumps === undefined ? 'false' : `clump = ${place(clump)}`]),
    ...(search === undefined || search === '' ? [] : [`contains(lower(id), ${place(search.toLowerCase())})`]),
  ];
  const after = decodeCursor(cursor, 2);
  // The index in the panel is unique and breaks ties.
  if (after) {
    const [key, last] = [place(Number(after[0])), place(Number(after[1]))];
    conditions.push(sort === 'p' ? `(-neg_log10_p, place) > (${key}, ${last})` : `place > ${last} and ${key} = ${key}`);
  }
  const rows = await tables.query<TableRow>(
    requireResultKey(trait, result, 'table'),
    (table) =>
      `select ${columnsOf(run, trait)} from ${table} ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       order by ${sort === 'p' ? '-neg_log10_p, place' : 'place'} limit ${limit + 1}`,
    values,
  );
  const { data, next_cursor } = toPage(rows, limit, (one) => [sort === 'p' ? -(one.neg_log10_p ?? 0) : 0, one.place]);
  return { data: data.map((one) => toResultRow(one, run, trait, result.summary?.n ?? 0)), next_cursor };
}

/** The part of a genome: a region of one chromosome, or the chromosomes from one to another. */
function conditionsOfPart(
  { chr, to_chr, start, end }: Pick<z.output<typeof gwasResultsQuery>, 'chr' | 'to_chr' | 'start' | 'end'>,
  chromosomes: readonly string[],
  place: (value: string | number) => string,
): string[] {
  if (chr !== undefined && to_chr !== undefined) {
    const [from, to] = [chromosomes.indexOf(chr), chromosomes.indexOf(to_chr)];
    // An unknown name has no markers, like an unknown `chr` alone.
    return from < 0 || to < 0 ? ['false'] : [`chr_index between ${place(from)} and ${place(to)}`];
  }
  return [
    ...(chr === undefined ? [] : [`chr = ${place(chr)}`]),
    ...(start === undefined ? [] : [`pos >= ${place(start)}`]),
    ...(end === undefined ? [] : [`pos <= ${place(end)}`]),
  ];
}

/** `GET …/gwas/{id}/plot`. */
export async function getPlotPoints(
  { services: { db, storage, tables }, access: { projectId } }: ProjectCall,
  { id, query: { trait, chr, start = 0, end } }: InputOf<typeof gwasApi.getPlotPoints>,
): Promise<Download> {
  const result = perTrait.requireRow(await getNamedRun(gwas, db, projectId, id), trait);
  const bytes =
    chr === undefined
      ? await readObject(storage, requireResultKey(trait, result, 'plot'))
      : await readRegionPoints(tables, requireResultKey(trait, result, 'table'), { chr, start, end });
  return { bytes };
}

/** `GET …/gwas/{id}/qq`. */
export async function getQq(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { id, query: { trait } }: InputOf<typeof gwasApi.getQq>,
): Promise<GwasQq> {
  const result = perTrait.requireRow(await getNamedRun(gwas, db, projectId, id), trait);
  return await readJson<GwasQq>(storage, requireResultKey(trait, result, 'qq'));
}

/** `GET …/gwas/{id}/clumps`. */
export async function getClumps(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { id, query: { trait } }: InputOf<typeof gwasApi.getClumps>,
): Promise<GwasClumps> {
  const run = await getNamedRun(gwas, db, projectId, id);
  const result = perTrait.requireRow(run, trait);
  const rule = run.parameters.clumps;
  if (rule === undefined) throw new Problem('runs/no-result', `The hits of "${run.name}" were not put together.`);
  const data = await readJson<GwasClumps['data']>(storage, requireResultKey(trait, result, 'clumps'));
  return { rule, data };
}

/** The clicked marker: phenotypes by genotype class, and LD with its neighbours. */
export async function getMarker(
  { services, access: { projectId } }: ProjectCall,
  { id, query: { trait }, marker }: InputOf<typeof gwasApi.getMarker>,
): Promise<GwasMarker> {
  const { db, storage, tables } = services;
  const run = await getNamedRun(gwas, db, projectId, id);
  const row = perTrait.requireRow(run, trait);
  const n = row.summary?.n ?? 0;
  const key = requireResultKey(trait, row, 'table');
  const [focus] = await tables.query<TableRow>(
    key,
    (table) => `select ${columnsOf(run, trait)} from ${table} where id = $1 limit 1`,
    [marker],
  );
  if (!focus) throw new Problem('gwas/unknown-marker', `"${run.name}" has no result for the marker "${marker}".`);
  const neighbours = await tables.query<TableRow>(
    key,
    (table) =>
      `select ${columnsOf(run, trait)} from ${table} where chr_index = $1 and place between $2 and $3 and abs(pos - $4) <= ${NEIGHBOUR_WINDOW_BP} order by place`,
    [focus.chr_index, focus.place - NEIGHBOURS, focus.place + NEIGHBOURS, focus.pos],
  );
  const genotype = run.genotype_id === null ? undefined : await findFile(db, projectId, run.genotype_id);
  if (!genotype) throw new Problem('models/input-gone', 'The genotype file was deleted, so its calls cannot be shown.');

  const individuals = await readJson<{ positions: number[]; values: (number | null)[] }>(
    storage,
    requireResultKey(trait, row, 'individuals'),
  );
  const first = Math.min(...neighbours.map((one) => one.place));
  const count = Math.max(...neighbours.map((one) => one.place)) - first + 1;
  const calls = await readCalls(storage, genotype, { first, count });
  const selection = { panelSize: calls.panelSize, individuals: Int32Array.from(individuals.positions) };
  const r2 = linkageDisequilibrium(calls, count, selection, focus.place - first);
  const copies = new Uint8Array(individuals.positions.length);
  dosageClasses(calls, focus.place - first, selection, copies);
  const classes = Array.from({ length: calls.ploidy + 1 }, (): number[] => []);
  for (const [index, dosage] of copies.entries()) {
    const value = individuals.values[index];
    if (value !== null && value !== undefined) classes[dosage]?.push(value);
  }
  return {
    row: toResultRow(focus, run, trait, n),
    classes: classes.flatMap((values, dosage) =>
      values.length === 0 ? [] : [{ dosage, genotype: genotypeOf(focus, dosage, calls.ploidy), values }],
    ),
    neighbours: neighbours.flatMap((one) => {
      const value = r2[one.place - first] ?? Number.NaN;
      return Number.isNaN(value)
        ? []
        : [{ id: one.id, pos: one.pos, p: one.p ?? 1, neg_log10_p: one.neg_log10_p ?? 0, r2: Math.min(1, value) }];
    }),
  };
}

const genotypeOf = ({ a1, a2 }: Pick<TableRow, 'a1' | 'a2'>, dosage: number, ploidy: number): string =>
  [...Array<string>(ploidy - dosage).fill(a1), ...Array<string>(dosage).fill(a2)].join('/');

/** Points of the Manhattan plot in one region: all of them, up to the number that a browser draws at once. */
async function readRegionPoints(
  tables: Services['tables'],
  key: string,
  { chr, start, end }: { chr: string; start: number; end: number | undefined },
): Promise<Uint8Array> {
  const rows = await tables.query<{ chr_index: number; pos: number; neg_log10_p: number | null }>(
    key,
    (table) =>
      `select chr_index, pos, neg_log10_p from ${table} where chr = $1 and pos >= $2 ${end === undefined ? '' : 'and pos <= $3'} order by pos, place`,
    end === undefined ? [chr, start] : [chr, start, end],
  );
  const points = plotPoints(
    Int32Array.from(rows, (row) => row.chr_index),
    Float64Array.from(rows, (row) => row.pos),
    Float64Array.from(rows, (row) => row.neg_log10_p ?? Number.NaN),
  );
  return new Uint8Array(points.buffer);
}

const readJson = async <Value>(storage: Services['storage'], key: string): Promise<Value> =>
  JSON.parse(new TextDecoder().decode(await readObject(storage, key))) as Value;
