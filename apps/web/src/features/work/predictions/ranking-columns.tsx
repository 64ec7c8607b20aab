import type { TFunction } from 'i18next';
import type { CSSProperties } from 'react';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { ReliabilityBar } from '../../../components/table/reliability-bar.tsx';
import { formatDecimals, formatShare, sharedDecimals } from '../../../lib/format/format.ts';
import { inInterval } from '../../data/germplasm/index.ts';
import classes from './ranking.module.css';
import { INDEX, meanReliability, type ResultRow, wantedPercentile } from './ranking.ts';

export interface RankedTraits {
  traits: readonly string[];
  lowTraits: readonly string[];
  unitOf: (trait: string) => string | undefined;
  hasIndex: boolean;
  /** Mean kinship of a line to the chosen ones; undefined while none is chosen, or where kinships are not known. */
  kinship: ((name: string) => number | undefined) | undefined;
}

/** A line in a row: index, each trait with its percentile and own record, one reliability, kinship to the chosen. */
export function rankingColumns(
  rows: readonly ResultRow[],
  ranked: RankedTraits,
  t: TFunction,
): DataColumn<ResultRow>[] {
  const { traits, hasIndex, kinship } = ranked;
  return [
    { id: 'individual', header: t('word.individual'), value: (row) => row.individual, minWidth: 110 },
    ...(hasIndex
      ? [
          {
            id: INDEX,
            header: t('predictions.index'),
            hint: t('predictions.indexHint'),
            value: (row: ResultRow) => row.index,
            ...(rows.some(({ index_se: se }) => se !== null)
              ? {
                  exported: [
                    { header: t('predictions.index'), value: (row: ResultRow) => row.index },
                    {
                      header: t('word.seOf', { what: t('predictions.index') }),
                      value: (row: ResultRow) => row.index_se,
                    },
                  ],
                }
              : {}),
            cell: (row: ResultRow) => (
              <span title={row.index_se === null ? undefined : inInterval(row.index, row.index_se)}>
                <NumberCell value={row.index} decimals={2} />
              </span>
            ),
            numeric: true,
            width: 80,
            narrow: true,
          },
        ]
      : []),
    ...traits.map((_, at) => traitColumn(rows, ranked, at, t)),
    ...traits.flatMap((_, at) => genotypicColumn(rows, ranked, at, t)),
    ...(rows.some((row) => meanReliability(row) !== null)
      ? [
          {
            id: 'reliability',
            header: t('word.reliability'),
            hint: `${t('predictions.reliabilityHint')} ${t('models.reliabilityHint')}`,
            value: meanReliability,
            exported: traits.map((trait, at) => ({
              header: `${t('word.reliability')} ${trait}`,
              value: (row: ResultRow) => row.reliability[at],
            })),
            cell: (row: ResultRow) => <ReliabilityBar value={meanReliability(row)} />,
            numeric: true,
            width: 148,
            sortable: false,
          },
        ]
      : []),
    ...(kinship === undefined
      ? []
      : [
          {
            id: 'kinship',
            header: t('predictions.kinship'),
            hint: t('predictions.kinshipHint'),
            value: ({ individual }: ResultRow) => kinship(individual),
            cell: ({ individual }: ResultRow) => <NumberCell value={kinship(individual)} decimals={2} />,
            numeric: true,
            width: 96,
          },
        ]),
  ];
}

function traitColumn(
  rows: readonly ResultRow[],
  { traits, lowTraits, unitOf, hasIndex }: RankedTraits,
  at: number,
  t: TFunction,
): DataColumn<ResultRow> {
  const trait = traits[at] ?? '';
  const isLow = lowTraits.includes(trait);
  const decimals = sharedDecimals(rows.map((row) => row.gebv[at]));
  const hasRecords = rows.some(({ observed }) => observed !== null);
  return {
    id: trait,
    header: t('predictions.gebvOf', { trait }),
    unit: unitOf(trait),
    hint: [
      t(isLow ? 'predictions.gebvHintLow' : 'predictions.gebvHint'),
      ...(hasRecords ? [t('predictions.recordHint')] : []),
    ].join(' '),
    value: (row) => row.gebv[at],
    exported: [
      { header: t('predictions.gebvOf', { trait }), unit: unitOf(trait), value: (row) => row.gebv[at] },
      {
        header: t('word.seOf', { what: t('predictions.gebvOf', { trait }) }),
        unit: unitOf(trait),
        value: (row) => row.se[at],
      },
      { header: t('predictions.percentileOf', { trait }), value: (row) => row.percentile[at] },
      ...(hasRecords
        ? [
            {
              header: t('predictions.recordOf', { trait }),
              unit: unitOf(trait),
              value: (row: ResultRow) => row.observed?.[at],
            },
          ]
        : []),
    ],
    cell: (row) => {
      const percentile = wantedPercentile(row.percentile[at] ?? 0, isLow);
      const record = row.observed?.[at];
      const better = t('predictions.better', { share: formatShare(percentile) });
      return (
        <span className={hasRecords ? classes.value : undefined}>
          <span
            className={classes.gebv}
            style={{ '--percentile': percentile } as CSSProperties}
            title={[inInterval(row.gebv[at] ?? null, row.se[at] ?? null), better].join(', ')}
          >
            <NumberCell value={row.gebv[at]} decimals={decimals} />
          </span>
          {hasRecords && (
            <span className={classes.record}>
              {record == null ? (
                <span title={t('predictions.noRecord')}>{t('predictions.noRecordShort')}</span>
              ) : (
                formatDecimals(record, decimals)
              )}
            </span>
          )}
        </span>
      );
    },
    numeric: true,
    width: hasRecords ? 130 : 110,
    narrow: at === 0 && !hasIndex,
  };
}

function genotypicColumn(
  rows: readonly ResultRow[],
  { traits, unitOf }: RankedTraits,
  at: number,
  t: TFunction,
): DataColumn<ResultRow>[] {
  if (rows.every((row) => (row.genotypic[at] ?? null) === null)) return [];
  const trait = traits[at] ?? '';
  const decimals = sharedDecimals(rows.map((row) => row.gebv[at]));
  return [
    {
      id: `genotypic ${trait}`,
      header: t('predictions.genotypicOf', { trait }),
      hint: t('models.genotypicHint'),
      unit: unitOf(trait),
      value: (row) => row.genotypic[at],
      cell: (row) => <NumberCell value={row.genotypic[at]} decimals={decimals} />,
      numeric: true,
      width: 150,
      sortable: false,
    },
  ];
}
