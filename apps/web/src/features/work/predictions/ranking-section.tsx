import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Headline } from '../../../components/page/headline.tsx';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { searchRows, sortRows } from '../../../components/table/data-table-model.ts';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import { useSelection } from '../../../components/table/use-selection.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { CrossBestDialog, fileQcQuery, useUnitOf } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { useMayWrite, useTraitSettings } from '../../people/projects/index.ts';
import { modelRuns } from '../models/index.ts';
import { IndexLine } from './index-line.tsx';
import { LinePassport } from './line-passport.tsx';
import { allPredictionResultsQuery, bestOfPrediction, PAGE_SIZE, predictionResultsQuery } from './predictions.api.ts';
import classes from './ranking.module.css';
import { INDEX, inRanges, kinshipTo, type Ranges, type ResultRow, rangesAsText, rangesOfText } from './ranking.ts';
import { type RankedTraits, rankingColumns } from './ranking-columns.tsx';
import { MOST_STRIPS, RankingStrips } from './ranking-strips.tsx';
import { TraitsTogether } from './traits-together.tsx';

/** With more individuals the table alone is shown, page by page: a browser would read megabytes for the strips. */
const ALL_UP_TO = 20_000;
/** Named in the sentence above the ranking. */
const NAMED = 3;
/** About as long as names are: they keep the room of those that are read, and are not seen. */
const SOME_NAMES = Array.from({ length: NAMED }, () => 'LINE12');

/** The ranking once it is known what is wanted of the traits: the first order is that. */
export function RankingSection({ projectId, prediction }: { projectId: string; prediction: PredictionDetail }) {
  const settings = useTraitSettings(projectId);
  if (!settings) return <ResultsSkeleton />;
  const wanted = prediction.traits.map(settings);
  const weighted = wanted.filter(({ weight }) => weight > 0);
  const lowTraits = wanted.filter(({ direction }) => direction === 'lower').map(({ name }) => name);
  return (
    <Ranking
      projectId={projectId}
      prediction={prediction}
      hasIndex={weighted.length > 1}
      main={weighted[0]?.name ?? prediction.traits[0] ?? 'individual'}
      lowTraits={lowTraits}
    />
  );
}

interface RankingProps {
  projectId: string;
  prediction: PredictionDetail;
  hasIndex: boolean;
  /** The trait by which lines are ranked where there is no index. */
  main: string;
  lowTraits: readonly string[];
}

function Ranking(props: RankingProps) {
  const { projectId, prediction, hasIndex, main, lowTraits } = props;
  const { traits } = prediction;
  const { t } = useTranslation();
  const [ranges, setRanges] = useState<Ranges>({});
  const selection = useSelection();
  const { all, table, first, search } = useRankedRows(props);
  const kinship = useKinship(projectId, prediction, selection.ids);
  const unitOf = useUnitOfModel(projectId, prediction);
  const ranked: RankedTraits = { traits, lowTraits, unitOf, hasIndex, kinship };
  const columns = useMemo(
    () => rankingColumns(all ?? table.rows ?? [], ranked, t),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what `ranked` holds, not the object of each render
    [all, table.rows, traits, lowTraits, unitOf, hasIndex, kinship, t],
  );
  const { remote } = table;
  const strips = [...(hasIndex ? [INDEX] : []), ...traits.slice(0, MOST_STRIPS)];
  const { sort } = remote;
  const shownRows = useMemo(() => {
    if (all === undefined) return table.rows;
    const column: DataColumn<ResultRow> | undefined = columns.find(({ id }) => id === sort?.column);
    const [names] = columns;
    const found = searchRows(inRanges(all, traits, ranges), names ? [names] : [], search);
    return sortRows(found, column, sort?.descending ?? false);
  }, [all, table.rows, columns, traits, ranges, search, sort?.column, sort?.descending]);
  const best = useMemo(
    () => all && bestFirst(all, columns, hasIndex ? INDEX : main, lowTraits),
    [all, columns, hasIndex, main, lowTraits],
  );
  const line = useLineInAddress();
  const shownLine = (all ?? table.rows)?.find(({ individual }) => individual === line.name) ?? (best ?? shownRows)?.[0];
  const hasReliability = shownRows?.some((row) => row.reliability.some((one) => one !== null)) ?? true;
  return (
    <Section
      title={t('predictions.results')}
      note={hasReliability ? t('predictions.resultsNote') : t('predictions.noReliability')}
      action={<Actions {...props} />}
    >
      {prediction.report !== null && prediction.report.individuals <= ALL_UP_TO && (
        <Headline isWaiting={best === undefined}>
          {t('predictions.headline', {
            count: prediction.report.individuals,
            formatted: formatCount(prediction.report.individuals),
            by: hasIndex ? t('predictions.byIndex') : main,
            best: (best?.map(({ individual }) => individual) ?? SOME_NAMES).slice(0, NAMED).join(', '),
          })}
        </Headline>
      )}
      {hasIndex && <IndexLine projectId={projectId} first={first} traits={traits} />}
      {(prediction.report?.individuals ?? 0) <= ALL_UP_TO && (
        <RankingStrips
          prediction={prediction}
          rows={all}
          shown={strips}
          labelOf={(id) => (hasIndex && id === INDEX ? t('predictions.index') : t('predictions.gebvOf', { trait: id }))}
          ranges={ranges}
          onRanges={setRanges}
        />
      )}
      <SelectionActions {...props} ids={selection.ids} selection={selection} />
      <div className={classes.sides}>
        <DataTable
          id="prediction-results"
          searchLabel={t('models.searchIndividuals')}
          label={t('predictions.results')}
          columns={columns}
          {...(all === undefined ? table : { remote })}
          rows={shownRows}
          rowId={(row) => row.individual}
          onOpen={(row) => line.show(row.individual)}
          isMarked={({ individual }) => individual === shownLine?.individual}
          total={all === undefined ? first?.total : undefined}
          csvName={prediction.name}
          csvUrl={all !== undefined || search || hasIndex ? undefined : (prediction.csv_url ?? undefined)}
          maxHeight="40rem"
          savedFilters={{
            values: rangesAsText(ranges),
            apply: (saved) => setRanges(rangesOfText(saved, strips)),
          }}
          selection={selection}
        />
        <LinePassport
          projectId={projectId}
          prediction={prediction}
          row={shownLine}
          rank={hasIndex && best && shownLine ? best.indexOf(shownLine) + 1 : undefined}
          ranked={ranked}
        />
      </div>
      {all !== undefined && traits.length > 1 && (
        <TraitsTogether prediction={prediction} rows={all} unitOf={unitOf} selection={selection} />
      )}
    </Section>
  );
}

/** All rows where they are few enough, and the pages of the server until then. */
function useRankedRows({ projectId, prediction, hasIndex, main, lowTraits }: RankingProps) {
  const client = useQueryClient();
  const individuals = prediction.report?.individuals ?? 0;
  const whole = useQuery({
    ...allPredictionResultsQuery(client, projectId, prediction.id),
    enabled: individuals <= ALL_UP_TO,
  });
  const all = whole.data?.rows;
  const endless = useEndlessTable({
    defaultSort: hasIndex
      ? { column: INDEX, descending: true }
      : { column: main, descending: !lowTraits.includes(main) },
    query: ({ search, sortText }) => ({
      ...predictionResultsQuery(projectId, prediction.id, { search, sort: sortText }),
      // What fits one page is asked for once.
      enabled: all === undefined && (individuals > PAGE_SIZE || whole.isError),
    }),
  });
  return { ...endless, all, first: whole.data?.first ?? endless.first };
}

/** Lines by the index, or by a trait in the direction that is wanted. */
function bestFirst(
  rows: readonly ResultRow[],
  columns: readonly DataColumn<ResultRow>[],
  by: string,
  lowTraits: readonly string[],
): ResultRow[] {
  return sortRows(
    rows,
    columns.find(({ id }) => id === by),
    !lowTraits.includes(by),
  );
}

/** Mean kinship of a line to the chosen ones, from the quality control of the predicted genotype. */
function useKinship(projectId: string, prediction: PredictionDetail, chosen: ReadonlySet<string>) {
  const { data } = useQuery({
    ...fileQcQuery(projectId, prediction.genotype?.id ?? ''),
    enabled: prediction.genotype !== null && chosen.size > 0,
  });
  return useMemo(() => {
    const known = data?.kind === 'genotype' ? data.kinship : null;
    return known === null || chosen.size === 0 ? undefined : kinshipTo(known, chosen);
  }, [data, chosen]);
}

function useUnitOfModel(projectId: string, prediction: PredictionDetail): (trait: string) => string | undefined {
  const model = useQuery({
    ...modelRuns.detail(projectId, prediction.model?.id ?? ''),
    enabled: prediction.model !== null,
  });
  return useUnitOf(projectId, model.data?.phenotype);
}

/** The line whose passport is open, in the address. */
function useLineInAddress(): { name: string | undefined; show: (name: string) => void } {
  const navigate = useNavigate();
  const { line: name } = useSearch({ strict: false });
  return {
    name,
    show: (line) =>
      void navigate({ to: '.', search: (previous) => ({ ...previous, line }), replace: true, resetScroll: false }),
  };
}

function Actions({ projectId, prediction, ...ranked }: RankingProps) {
  const { t } = useTranslation();
  const modal = useModal();
  const mayWrite = useMayWrite(projectId);
  const [isCrossing, setCrossing] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => modal.open('trait-settings')}>
        {t('traits.open')}
      </Button>
      <Button size="xs" onClick={() => setCrossing(true)}>
        {t('crossBest.open')}
      </Button>
      {isCrossing && (
        <Crossing
          projectId={projectId}
          prediction={prediction}
          {...ranked}
          chosen={[]}
          onClose={() => setCrossing(false)}
        />
      )}
    </>
  );
}

function SelectionActions(
  props: RankingProps & { selection: ReturnType<typeof useSelection>; ids: ReadonlySet<string> },
) {
  const { projectId, prediction, selection, ids } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const [isCrossing, setCrossing] = useState(false);
  return (
    <SelectionBar selection={selection} noun="individual" fileName={prediction.name}>
      <KeepAsList projectId={projectId} kind="germplasm" names={ids} />
      {mayWrite && (
        <Button size="compact-xs" variant="default" onClick={() => setCrossing(true)}>
          {t('crossBest.openChosen')}
        </Button>
      )}
      {isCrossing && <Crossing {...props} chosen={[...ids]} onClose={() => setCrossing(false)} />}
    </SelectionBar>
  );
}

/** Crosses among the chosen lines, or among the best of the ranking. */
function Crossing(props: RankingProps & { chosen: readonly string[]; onClose: () => void }) {
  const { projectId, prediction, hasIndex, lowTraits, chosen, onClose } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <CrossBestDialog
      projectId={projectId}
      source={{
        name: prediction.name,
        chosen,
        rankings: [
          ...(hasIndex ? [{ id: INDEX, label: t('crossBest.index') }] : []),
          ...prediction.traits.map((trait) => ({
            id: trait,
            label: lowTraits.includes(trait) ? t('word.lowerIsBetter', { trait }) : trait,
          })),
        ],
        readBest: (ranking, count) =>
          bestOfPrediction(client, projectId, prediction.id, {
            sort: lowTraits.includes(ranking) ? ranking : `-${ranking}`,
            count,
          }),
        modelId: prediction.model?.id,
        genotypeId: prediction.genotype?.id,
      }}
      onClose={onClose}
    />
  );
}
