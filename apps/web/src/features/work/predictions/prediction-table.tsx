import type { PredictionDetail, PredictionResults } from '@heterosis/contracts/work/predictions';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { ReliabilityBar } from '../../../components/table/reliability-bar.tsx';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import { useSelection } from '../../../components/table/use-selection.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { sharedDecimals } from '../../../lib/format/format.ts';
import { CrossBestDialog, useUnitOf } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { useMayWrite, useTraitSettings } from '../../people/projects/index.ts';
import { modelRuns } from '../models/index.ts';
import { PredictionFigures } from './prediction-figures.tsx';
import { bestOfPrediction, predictionResultsQuery } from './predictions.api.ts';

export type ResultRow = PredictionResults['data'][number];

/** Index of the project's traits, as the API names it in a sort. */
const INDEX = 'index';

/** The predicted values once it is known what is wanted of the traits: the first order is that. */
export function PredictionTable({ projectId, prediction }: { projectId: string; prediction: PredictionDetail }) {
  const settings = useTraitSettings(projectId);
  if (!settings) return <ResultsSkeleton />;
  const wanted = prediction.traits.map(settings);
  const hasIndex = wanted.filter(({ weight }) => weight > 0).length > 1;
  const lowTraits = wanted.filter(({ direction }) => direction === 'lower').map(({ name }) => name);
  return <Results projectId={projectId} prediction={prediction} hasIndex={hasIndex} lowTraits={lowTraits} />;
}

function Results(props: {
  projectId: string;
  prediction: PredictionDetail;
  hasIndex: boolean;
  lowTraits: readonly string[];
}) {
  const { projectId, prediction, hasIndex, lowTraits } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const modal = useModal();
  const mayWrite = useMayWrite(projectId);
  const [crossing, setCrossing] = useState<{ chosen: readonly string[] }>();
  const selection = useSelection();
  const [main = 'individual'] = prediction.traits;
  const { table, first, search } = useEndlessTable({
    defaultSort: hasIndex
      ? { column: INDEX, descending: true }
      : { column: main, descending: !lowTraits.includes(main) },
    query: ({ search: text, sortText }) =>
      predictionResultsQuery(projectId, prediction.id, { search: text, sort: sortText }),
  });
  const model = useQuery({
    ...modelRuns.detail(projectId, prediction.model?.id ?? ''),
    enabled: prediction.model !== null,
  });
  const unitOf = useUnitOf(projectId, model.data?.phenotype);
  const hasReliability = first?.data.some((row) => row.reliability.some((one) => one !== null)) ?? true;
  const columns = useColumns({ first, prediction, hasReliability, hasIndex, unitOf });
  const rankings = [
    ...(hasIndex ? [{ id: INDEX, label: t('crossBest.index') }] : []),
    ...prediction.traits.map((trait) => ({
      id: trait,
      label: lowTraits.includes(trait) ? t('word.lowerIsBetter', { trait }) : trait,
    })),
  ];
  return (
    <>
      <PredictionFigures
        projectId={projectId}
        prediction={prediction}
        total={first?.total}
        unitOf={unitOf}
        ranking={hasIndex ? INDEX : main}
        isLow={!hasIndex && lowTraits.includes(main)}
        selection={selection}
      />
      <Section
        title={t('predictions.results')}
        note={hasReliability ? t('predictions.resultsNote') : t('predictions.noReliability')}
        action={
          mayWrite && (
            <>
              <Button size="xs" variant="default" onClick={() => modal.open('trait-settings')}>
                {t('traits.open')}
              </Button>
              <Button size="xs" onClick={() => setCrossing({ chosen: [] })}>
                {t('crossBest.open')}
              </Button>
            </>
          )
        }
      >
        <SelectionBar selection={selection} noun="individual" fileName={prediction.name}>
          <KeepAsList projectId={projectId} kind="germplasm" names={selection.ids} />
          {mayWrite && (
            <Button size="compact-xs" variant="default" onClick={() => setCrossing({ chosen: [...selection.ids] })}>
              {t('crossBest.openChosen')}
            </Button>
          )}
        </SelectionBar>
        <DataTable
          id="prediction-results"
          searchLabel={t('models.searchIndividuals')}
          label={t('predictions.results')}
          columns={columns}
          {...table}
          rowId={(row) => row.individual}
          total={first?.total}
          csvName={prediction.name}
          csvUrl={search || hasIndex ? undefined : (prediction.csv_url ?? undefined)}
          maxHeight="34rem"
          selection={selection}
        />
      </Section>
      {crossing && (
        <CrossBestDialog
          projectId={projectId}
          source={{
            name: prediction.name,
            chosen: crossing.chosen,
            rankings,
            readBest: (ranking, count) =>
              bestOfPrediction(client, projectId, prediction.id, {
                sort: lowTraits.includes(ranking) ? ranking : `-${ranking}`,
                count,
              }),
            modelId: prediction.model?.id,
            genotypeId: prediction.genotype?.id,
          }}
          onClose={() => setCrossing(undefined)}
        />
      )}
    </>
  );
}

function useColumns(options: {
  first: PredictionResults | undefined;
  prediction: PredictionDetail;
  hasReliability: boolean;
  hasIndex: boolean;
  unitOf: (trait: string) => string | undefined;
}): DataColumn<ResultRow>[] {
  const { first, prediction, hasReliability, hasIndex, unitOf } = options;
  const { t } = useTranslation();
  return useMemo(
    (): DataColumn<ResultRow>[] => [
      { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
      ...(hasIndex
        ? [
            {
              id: INDEX,
              header: t('predictions.index'),
              hint: t('predictions.indexHint'),
              value: (row: ResultRow) => row.index,
              cell: (row: ResultRow) => <NumberCell value={row.index} decimals={2} />,
              numeric: true,
              width: 90,
              narrow: true,
            },
          ]
        : []),
      ...(first?.traits ?? prediction.traits).flatMap((trait, index): DataColumn<ResultRow>[] => {
        const decimals = sharedDecimals(first?.data.map((row) => row.gebv[index]) ?? []);
        return [
          {
            id: trait,
            header: t('predictions.gebvOf', { trait }),
            unit: unitOf(trait),
            value: (row) => row.gebv[index],
            cell: (row) => <NumberCell value={row.gebv[index]} decimals={decimals} />,
            numeric: true,
            width: 130,
            narrow: index === 0 && !hasIndex,
          },
          ...(hasReliability
            ? [
                {
                  id: `reliability ${trait}`,
                  header: t('word.reliability'),
                  hint: t('models.reliabilityOf', { trait }),
                  value: (row: ResultRow) => row.reliability[index],
                  exported: [
                    {
                      header: `${t('word.reliability')} ${trait}`,
                      value: (row: ResultRow) => row.reliability[index],
                    },
                  ],
                  cell: (row: ResultRow) => <ReliabilityBar value={row.reliability[index] ?? null} />,
                  numeric: true,
                  width: 150,
                  sortable: false,
                },
              ]
            : []),
          ...(first?.data.some((row) => row.genotypic[index] !== null)
            ? [
                {
                  id: `genotypic ${trait}`,
                  header: t('predictions.genotypicOf', { trait }),
                  hint: t('models.genotypicHint'),
                  unit: unitOf(trait),
                  value: (row: ResultRow) => row.genotypic[index],
                  cell: (row: ResultRow) => <NumberCell value={row.genotypic[index]} decimals={decimals} />,
                  numeric: true,
                  width: 170,
                  sortable: false,
                },
              ]
            : []),
        ];
      }),
    ],
    [first, hasReliability, hasIndex, prediction.traits, unitOf, t],
  );
}
