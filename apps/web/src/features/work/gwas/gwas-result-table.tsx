import { type GenomeAxis, type GenomeView, wholeChromosome } from '@heterosis/charts/genome/genome-axis';
import type { GwasThresholds } from '@heterosis/charts/genome/gwas-thresholds';
import type { GwasDetail, GwasRow } from '@heterosis/contracts/work/gwas';
import { JOINT_TRAIT, partsOfResult } from '@heterosis/contracts/work/gwas-names';
import { NativeSelect } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable, type DataTableProps } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import type { PageSelection } from '../../../components/table/use-selection.ts';
import { formatLargestP, formatMb } from '../../../lib/format/format.ts';
import { gwasResultsQuery } from './gwas.api.ts';
import type { ChromosomeRange, Region } from './view-in-address.ts';

/** Round p-values that are offered as filters beside the thresholds. */
const ROUND_P = [0.05, 0.01, 0.001];
/** For those who are led to the table. */
export const RESULT_TABLE_ID = 'gwas-markers';
/** In place of the index of a chromosome. */
const SEVERAL = 'several';

/** The markers, strongest first: of the part of the genome that the plot shows, up to a p-value. */
export function GwasResultTable(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  /** Undefined until it is known. */
  genome: GenomeAxis | undefined;
  /** What the plot shows. */
  part: Region | ChromosomeRange | undefined;
  thresholds: GwasThresholds;
  onView: (view: GenomeView | undefined) => void;
  markerId: string | undefined;
  onMarker: (id: string) => void;
  selection: PageSelection;
  /** First marker of the clump whose markers are shown; undefined for all markers. */
  clump: string | undefined;
  onClump: (id: string | undefined) => void;
}) {
  const { projectId, gwas, trait, genome, part, thresholds, onView, markerId, onMarker, selection, clump, onClump } =
    props;
  const { t } = useTranslation();
  const { action } = partsOfResult(gwas, trait);
  const [maxP, setMaxP] = useState<number>();
  const { table, search } = useEndlessTable({
    defaultSort: { column: 'p', descending: false },
    fixedDirection: 'ascending',
    query: ({ search: text, sort }) =>
      gwasResultsQuery(projectId, gwas.id, {
        trait,
        search: text,
        part,
        maxP,
        clump,
        sort: sort?.column === 'pos' ? 'position' : 'p',
      }),
  });
  const isFiltered = search !== '' || part !== undefined || maxP !== undefined || clump !== undefined;
  return (
    <Section
      title={t('word.markers')}
      note={
        action === null || action === 'additive' ? t('gwas.resultsNote') : t('gwas.resultsNoteOfAction', { action })
      }
    >
      <span id={RESULT_TABLE_ID} />
      <DataTable
        id={`gwas-results-${trait === JOINT_TRAIT ? 'joint' : action === null ? gwas.test : 'action'}`}
        label={t('word.markers')}
        columns={useColumns(gwas, trait)}
        {...table}
        rowId={rowId}
        selection={selection}
        onOpen={(row) => onMarker(row.id)}
        isMarked={(row) => row.id === markerId}
        searchLabel={t('word.searchMarkers')}
        total={isFiltered ? undefined : gwas.summary[trait]?.m}
        csvName={`${gwas.name} ${trait}`}
        csvUrl={isFiltered ? undefined : (gwas.result_urls[trait] ?? undefined)}
        maxHeight="28rem"
        savedFilters={savedLargestP(maxP, setMaxP, thresholds)}
        filters={
          <>
            <NativeSelect
              size="xs"
              maw="16rem"
              aria-label={t('gwas.chromosomeShown')}
              value={
                part === undefined || !genome ? '' : 'to_chr' in part ? SEVERAL : String(genome.names.indexOf(part.chr))
              }
              onChange={(event) => {
                const { value } = event.currentTarget;
                if (value === SEVERAL) return;
                onView(value === '' || !genome ? undefined : wholeChromosome(genome, Number(value)));
              }}
              data={[
                { value: '', label: t('word.allChromosomes') },
                ...(part && 'to_chr' in part
                  ? [{ value: SEVERAL, label: t('gwas.chromosomesFromTo', { from: part.chr, to: part.to_chr }) }]
                  : []),
                ...(genome?.names ?? []).map((name, index) => ({
                  value: String(index),
                  label:
                    genome && part?.chr === name && !('to_chr' in part) && !isWhole(part, genome, index)
                      ? t('gwas.region', { chr: name, start: formatMb(part.start), end: formatMb(part.end) })
                      : t('gwas.onChromosome', { chr: name }),
                })),
              ]}
            />
            {clump !== undefined && (
              <NativeSelect
                size="xs"
                aria-label={t('gwas.clump')}
                value={clump}
                onChange={(event) => onClump(event.currentTarget.value || undefined)}
                data={[
                  { value: '', label: t('gwas.anyClump') },
                  { value: clump, label: t('gwas.ofClump', { marker: clump }) },
                ]}
              />
            )}
            <NativeSelect
              size="xs"
              aria-label={t('gwas.largestP')}
              value={maxP === undefined ? '' : String(maxP)}
              onChange={(event) => setMaxP(Number(event.currentTarget.value) || undefined)}
              data={[
                { value: '', label: t('gwas.anyP') },
                ...ROUND_P.map((p) => ({ value: String(p), label: `p ≤ ${p}` })),
                { value: String(thresholds.suggestive), label: named(t('gwas.suggestive'), thresholds.suggestive) },
                ...(thresholds.fdr === undefined
                  ? []
                  : [{ value: String(thresholds.fdr), label: named(t('gwas.fdr'), thresholds.fdr) }]),
                { value: String(thresholds.bonferroni), label: named(t('gwas.bonferroni'), thresholds.bonferroni) },
                ...(thresholds.permutations === undefined
                  ? []
                  : [
                      {
                        value: String(thresholds.permutations.p),
                        label: named(t('gwas.permutationsShort'), thresholds.permutations.p),
                      },
                    ]),
              ]}
            />
          </>
        }
      />
    </Section>
  );
}

/** Room for 6.51 × 10⁻⁸. */
const STATISTIC_PX = 108;
const CHARACTER_PX = 8;
const DEGREES_PX = 64;
const CLUMP_PX = 130;

/** `1` needs little room, the name of a scaffold more. */
const chromosomeWidth = (characters: number): number => Math.min(160, Math.max(70, characters * CHARACTER_PX + 20));

/** A threshold is kept by its name: another scan has another value of it. */
function savedLargestP(
  maxP: number | undefined,
  setMaxP: (p: number | undefined) => void,
  { suggestive, fdr, bonferroni, permutations }: GwasThresholds,
): NonNullable<DataTableProps<GwasRow>['savedFilters']> {
  const byName: Record<string, number | undefined> = { suggestive, fdr, bonferroni, permutations: permutations?.p };
  const name = Object.keys(byName).find((one) => maxP !== undefined && byName[one] === maxP);
  return {
    values: { max_p: name ?? (maxP === undefined ? '' : String(maxP)) },
    apply: ({ max_p: saved = '' }) => setMaxP(saved in byName ? byName[saved] : Number(saved) || undefined),
  };
}

const rowId = (row: GwasRow): string => row.id;

const named = (name: string, p: number): string => `${formatLargestP(p)} (${name})`;

function isWhole(region: Region, genome: GenomeAxis, chromosome: number): boolean {
  const whole = wholeChromosome(genome, chromosome);
  return region.start <= 0 && region.end >= Math.floor(whole.end - whole.start);
}

/** The test on all traits, and the effect on each. */
function jointColumns(traits: readonly string[], t: TFunction): DataColumn<GwasRow>[] {
  const number = (id: string, header: string, value: (row: GwasRow) => number | null | undefined) => ({
    ...{ id, header, value, numeric: true, width: STATISTIC_PX, sortable: false },
    cell: (row: GwasRow) => <NumberCell value={value(row)} />,
  });
  return [
    { ...number('chi2', t('gwas.joint.chi2'), ({ joint }) => joint?.chi2), hidden: true },
    ...traits.map((trait, k) =>
      number(`effect_${k}`, t('gwas.joint.effectOn', { trait }), ({ joint }) => joint?.effects[k]?.effect),
    ),
  ];
}

/** The test under a gene action. */
function actionColumns(t: TFunction): DataColumn<GwasRow>[] {
  return [
    {
      ...{ id: 'f', header: 'F', numeric: true, width: STATISTIC_PX, sortable: false },
      value: ({ gene_action }) => gene_action?.f,
      cell: ({ gene_action }) => <NumberCell value={gene_action?.f} />,
    },
    {
      ...{ id: 'df', header: t('gwas.action.df'), numeric: true, width: DEGREES_PX, sortable: false },
      value: ({ gene_action }) => gene_action?.df,
    },
  ];
}

/** p by P3D, beside the exact one. */
const p3dColumn = (t: TFunction): DataColumn<GwasRow> => ({
  ...{ id: 'p3d_p', header: t('gwas.action.p3dP'), numeric: true, width: STATISTIC_PX, sortable: false },
  value: ({ gene_action }) => gene_action?.p3d.p,
  cell: ({ gene_action }) => <NumberCell value={gene_action?.p3d.p} kind="p-value" />,
});

function useColumns(gwas: GwasDetail, trait: string): DataColumn<GwasRow>[] {
  const { t } = useTranslation();
  const { action } = partsOfResult(gwas, trait);
  const isOfAction = action !== null;
  // These have several effects, and no one number of them.
  const hasEffects = action === 'general' || action === 'diplo-general';
  const longest = (gwas.chromosomes[trait] ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const number = (
    id: keyof GwasRow & ('score' | 'LRT' | 'beta' | 'sd' | 'h2' | 'freqA2' | 'pve' | 'dom_effect' | 'dom_se'),
    header: string,
  ): DataColumn<GwasRow> => ({
    id,
    header,
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} />,
    numeric: true,
    width: STATISTIC_PX,
    sortable: false,
  });
  // β, SE and p say what the statistic says; with it the table is too wide for most screens.
  const statistic = isOfAction
    ? actionColumns(t)
    : gwas.test === 'LRT'
      ? [{ ...number('LRT', 'LRT'), hidden: true }]
      : gwas.test === 'SCORE'
        ? [{ ...number('score', t('gwas.score')), hidden: true }]
        : [];
  return [
    { id: 'id', header: t('word.marker'), value: (row) => row.id, minWidth: 140, sortable: false },
    { id: 'chr', header: t('marker.chr'), value: (row) => row.chr, width: chromosomeWidth(longest), sortable: false },
    {
      id: 'pos',
      header: t('marker.pos'),
      unit: 'Mb',
      value: (row) => row.pos,
      exported: [{ header: t('marker.pos'), unit: 'bp', value: (row) => row.pos }],
      cell: (row) => <NumberCell value={row.pos} kind="position" />,
      numeric: true,
      width: 112,
    },
    { id: 'A1', header: 'A1', value: (row) => row.A1, width: 56, sortable: false },
    { id: 'A2', header: t('word.a2Effect'), value: (row) => row.A2, width: 88, sortable: false },
    number('freqA2', t('word.freqA2')),
    ...(trait === JOINT_TRAIT
      ? jointColumns(gwas.traits, t)
      : [...(hasEffects ? [] : [number('beta', 'β'), number('sd', 'SE')]), ...statistic]),
    ...((gwas.test === 'SCORE' && !isOfAction) || trait === JOINT_TRAIT
      ? []
      : [
          { ...number('h2', 'h²'), hidden: true },
          {
            id: 'at_bound',
            header: t('gwas.atBound'),
            value: (row: GwasRow) => (row.at_bound ? t('word.yes') : ''),
            width: STATISTIC_PX,
            sortable: false,
            hidden: true,
          },
        ]),
    {
      id: 'p',
      header: isOfAction ? t('gwas.action.exactP') : 'p',
      value: (row) => row.p,
      cell: (row) => <NumberCell value={row.p} kind="p-value" />,
      numeric: true,
      width: STATISTIC_PX,
      narrow: true,
    },
    ...(isOfAction ? [p3dColumn(t)] : []),
    {
      id: 'q',
      header: t('gwas.q'),
      value: (row) => row.q,
      cell: (row) => <NumberCell value={row.q} kind="p-value" />,
      numeric: true,
      width: STATISTIC_PX,
      sortable: false,
    },
    ...(trait === JOINT_TRAIT ? [] : [number('pve', t('word.pve'))]),
    ...(gwas.summary[trait]?.clumps === undefined
      ? []
      : [
          {
            id: 'clump',
            header: t('gwas.clump'),
            value: (row: GwasRow) => row.clump ?? '',
            width: CLUMP_PX,
            sortable: false,
          },
        ]),
    ...(gwas.dominance && gwas.traits.includes(trait)
      ? [
          number('dom_effect', t('gwas.dominanceEffect')),
          { ...number('dom_se', t('gwas.dominanceSe')), hidden: true },
          {
            id: 'dom_p',
            header: t('gwas.dominanceP'),
            value: (row: GwasRow) => row.dom_p,
            cell: (row: GwasRow) => <NumberCell value={row.dom_p} kind="p-value" />,
            numeric: true,
            width: STATISTIC_PX,
            sortable: false,
          },
        ]
      : []),
  ];
}
