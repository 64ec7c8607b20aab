import type {
  ProgrammeDetail,
  ProgrammePoint,
  ProgrammeReport,
  ProgrammeResults,
} from '@heterosis/contracts/work/programmes';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { ProvenanceSection, type RunPartProps, RunWarnings } from '../runs/index.ts';
import { OptimumResults } from './optimum-results.tsx';
import { type Course, courseOption } from './programme-charts.ts';
import classes from './programme-results.module.css';
import { programmeResultsQuery } from './programmes.api.ts';
import { useQuantityName } from './use-quantity-name.ts';

/** Quantities in the order in which people ask for them; others that a scheme reports follow. */
const QUANTITIES = [
  'gain1',
  'mean_gv1',
  'var_gv1',
  'genic_hwe1',
  'accuracy',
  'coancestry',
  'he_neutral',
  'fav_fixed',
  'fav_lost',
  'mean_hybrid',
  'best_hybrid',
  'cost',
  'total_cost',
];
/** Drawn beside each other. */
const SMALL = ['var_gv1', 'genic_hwe1', 'accuracy', 'coancestry', 'fav_fixed', 'fav_lost', 'total_cost'];
const FIRST_SHOWN = 'gain1';
const shownWith = (quantity: string): string[] => [...new Set([quantity, ...SMALL])];
const HEIGHT = 360;
const SMALL_HEIGHT = 240;

/** What the page shows first. */
export const firstResultsQuery = (projectId: string, { id, status, provenance, report }: ProgrammeDetail) => ({
  ...programmeResultsQuery(projectId, id, { stage: undefined, quantities: shownWith(FIRST_SHOWN) }),
  // Of a search once it has found its numbers.
  enabled: status !== 'ERROR' && (provenance.parameters.optimise === undefined || report !== null),
});

export function ProgrammeResultsPart({ projectId, run }: RunPartProps<ProgrammeDetail>) {
  const { report } = run;
  const { optimise: search } = run.provenance.parameters;
  const optimum = report?.optimum;
  const hasFailed = run.status === 'ERROR';
  const first = useQuery(firstResultsQuery(projectId, run));
  // What stands below the figures comes with them, so that it does not move.
  if (first.isLoading)
    return (
      <>
        {report && <Loss report={report} />}
        <SkeletonLines lines={8} />
      </>
    );
  return (
    <>
      {report && <Loss report={report} />}
      {search !== undefined && optimum !== undefined && <OptimumResults name={run.name} {...{ search, optimum }} />}
      {!hasFailed && (search === undefined || report !== null) && <Courses projectId={projectId} run={run} />}
      {report && <Basis report={report} />}
      <ProvenanceSection kind="programme" provenance={run.provenance} />
    </>
  );
}

/** What stands between the founders and the figures: said before them. */
function Loss({ report }: { report: ProgrammeReport }) {
  const { t } = useTranslation();
  return (
    <>
      {report.unphased_founders > 0 && (
        <Notice kind="warning">
          {t('programmes.phaseLost', {
            founders: formatCount(report.unphased_founders),
            calls: formatCount(report.unphased_calls),
          })}
        </Notice>
      )}
      {report.unmapped > 0 && (
        <Notice kind="warning">{t('programmes.unmapped', { markers: formatCount(report.unmapped) })}</Notice>
      )}
      <RunWarnings warnings={report.warnings} />
    </>
  );
}

/** Quantities of the schemes by year: one large, the others small. */
function Courses({ projectId, run }: RunPartProps<ProgrammeDetail>) {
  const { t } = useTranslation();
  const nameOf = useQuantityName();
  const [stage, setStage] = useState<string>();
  const [quantity, setQuantity] = useState(FIRST_SHOWN);
  const [band, setBand] = useState<'mean' | 'replicates'>('mean');
  const wanted = useMemo(() => shownWith(quantity), [quantity]);
  const query = useQuery(programmeResultsQuery(projectId, run.id, { stage, quantities: wanted }));
  const { data } = query;
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (data === undefined) return <SkeletonLines lines={8} />;
  if (data.replicates === 0) return null;
  const stages = [...new Set(data.stages.map((one) => one.stage))];
  const shown = stage ?? data.stage ?? '';
  const known = new Set(data.stages.filter((one) => one.stage === shown).flatMap(({ quantities }) => quantities));
  const offered = [
    ...QUANTITIES.filter((one) => known.has(one) || one === 'cost' || one === 'total_cost'),
    ...[...known].filter((one) => !QUANTITIES.includes(one)),
  ];
  const withGain = known.has('mean_gv1') ? ['gain1', ...offered] : offered;
  const main = coursesOf(data, quantity);
  return (
    <Section
      title={t('programmes.results')}
      note={t('programmes.resultsNote', {
        done: formatCount(data.replicates),
        all: formatCount(run.provenance.parameters.replicates),
      })}
    >
      <div className={classes.tools}>
        <NativeSelect
          label={t('programmes.stage')}
          data={stages}
          value={shown}
          onChange={({ currentTarget }) => setStage(currentTarget.value)}
        />
        <NativeSelect
          label={t('programmes.quantity')}
          data={withGain.map((value) => ({ value, label: nameOf(value) }))}
          value={quantity}
          onChange={({ currentTarget }) => setQuantity(currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('programmes.band')}
          data={[
            { value: 'mean', label: t('programmes.bandOfMean') },
            { value: 'replicates', label: t('programmes.bandOfReplicates') },
          ]}
          value={band}
          onChange={(value) => setBand(value as typeof band)}
        />
      </div>
      <CourseFigure {...{ run, band, quantity }} courses={main} height={HEIGHT} />
      {data.schemes.length > 1 && <Differences results={data} quantity={quantity} />}
      <div className={classes.small}>
        {SMALL.filter((one) => one !== quantity && coursesOf(data, one).some(({ points }) => points.length > 0)).map(
          (one) => (
            <CourseFigure
              key={one}
              {...{ run, band }}
              quantity={one}
              courses={coursesOf(data, one)}
              height={SMALL_HEIGHT}
            />
          ),
        )}
      </div>
    </Section>
  );
}

const coursesOf = ({ schemes }: ProgrammeResults, quantity: string): Course[] =>
  schemes.map(({ name, points }) => ({ name, points: points.filter((point) => point.quantity === quantity) }));

function CourseFigure({
  run,
  band,
  quantity,
  courses,
  height,
}: {
  run: ProgrammeDetail;
  band: 'mean' | 'replicates';
  quantity: string;
  courses: readonly Course[];
  height: number;
}) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const title = useQuantityName()(quantity);
  const option = useMemo(
    () =>
      courseOption(
        courses,
        band,
        {
          year: t('programmes.yearAxis'),
          value: title,
          replicates: (count) => t('programmes.ofReplicates', { count }),
        },
        colors,
      ),
    [courses, band, title, colors, t],
  );
  return (
    <Figure
      title={title}
      caption={t(band === 'mean' ? 'programmes.captionOfMean' : 'programmes.captionOfReplicates')}
      label={t('programmes.chartLabel', { quantity: title, schemes: courses.map(({ name }) => name).join(', ') })}
      option={option}
      height={height}
      fileName={`${run.name} ${quantity}`}
      table={{
        head: [
          t('programmes.scheme'),
          t('programmes.cycle'),
          t('programmes.yearAxis'),
          t('word.mean'),
          t('programmes.se'),
          t('programmes.low'),
          t('programmes.high'),
          t('programmes.replicates'),
        ],
        rows: courses.flatMap(({ name, points }) =>
          points.map((one): (string | number | null)[] => [
            ...[name, one.cycle, one.year, one.mean, one.se, one.low, one.high, one.replicates],
          ]),
        ),
        format: formatStatistic,
      }}
    />
  );
}

/** Each scheme against the first at its last cycle, and how many replicates it still takes. */
function Differences({ results, quantity }: { results: ProgrammeResults; quantity: string }) {
  const { t } = useTranslation();
  const [first] = results.schemes;
  return (
    <ul className={classes.differences}>
      {results.schemes.slice(1).map(({ name, points }) => {
        const last = points.findLast((point) => point.quantity === quantity && point.difference !== null);
        return (
          <li key={name}>
            {last === undefined
              ? t('programmes.noPairs', { name, first: first?.name })
              : differenceInWords(t, { name, first: first?.name ?? '', point: last })}
          </li>
        );
      })}
    </ul>
  );
}

const Z = 1.96;

function differenceInWords(
  t: TFunction,
  { name, first, point }: { name: string; first: string; point: ProgrammePoint },
): string {
  const { mean = 0, se = null, more = null } = point.difference ?? {};
  const words = {
    ...{ name, first, year: point.year ?? point.cycle },
    difference: formatStatistic(mean),
    low: formatStatistic(mean - Z * (se ?? 0)),
    high: formatStatistic(mean + Z * (se ?? 0)),
  };
  const said = t(se === null ? 'programmes.differenceOfOne' : 'programmes.difference', words);
  const clear =
    more === 0
      ? t('programmes.isClear')
      : more === null
        ? t('programmes.neverClear')
        : t('programmes.moreReplicates', { count: more });
  return `${said} ${clear}`;
}

/** What the figures rest on. */
function Basis({ report }: { report: ProgrammeReport }) {
  const { t } = useTranslation();
  return (
    <Section title={t('programmes.basis')}>
      <FactsStrip
        facts={[
          { label: t('programmes.founders'), value: formatCount(report.founders) },
          { label: t('programmes.loci'), value: formatCount(report.loci) },
          ...(report.model_markers === null
            ? []
            : [{ label: t('programmes.modelMarkers'), value: formatCount(report.model_markers) }]),
          { label: t('programmes.filled'), value: formatCount(report.filled_calls) },
          ...report.schemes.map(({ name, years, cost, gain }) => ({
            label: name,
            value: t('programmes.schemeFact', {
              years,
              cost: formatCount(Math.round(cost)),
              gain: gain === null ? '–' : formatStatistic(gain.mean),
            }),
          })),
        ]}
      />
    </Section>
  );
}
