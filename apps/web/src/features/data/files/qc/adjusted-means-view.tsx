import { boxesOption } from '@heterosis/charts/boxes';
import { orderedMeansOption } from '@heterosis/charts/ordered-means';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { MeansSummaryBody, TraitMeansBody } from '@heterosis/contracts/work/adjusted-means';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import classes from '../../../../components/page/figures.module.css';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatCount, formatStatistic, sharedDecimals } from '../../../../lib/format/format.ts';
import { traitMeansQuery } from '../files.api.ts';

interface Props {
  projectId: string;
  file: FileDetail;
  means: MeansSummaryBody[];
}

const nameOf = ({ trait, unit }: Pick<MeansSummaryBody, 'trait' | 'unit'>): string =>
  unit ? `${trait} (${unit})` : trait;

/** The adjusted means of a phenotype file: what varies in each trait, and the means of the one chosen. */
export function AdjustedMeansView({ projectId, file, means }: Props) {
  const [chosen, setChosen] = useState((means.find(({ components }) => components !== null) ?? means[0])?.trait);
  const summary = means.find(({ trait }) => trait === chosen);
  return (
    <>
      <VarianceTable file={file} means={means} chosen={chosen} onChoose={setChosen} />
      {summary && <MeansOfTrait projectId={projectId} file={file} summary={summary} />}
    </>
  );
}

function VarianceTable(props: {
  file: FileDetail;
  means: MeansSummaryBody[];
  chosen: string | undefined;
  onChoose: (trait: string) => void;
}) {
  const { file, means, chosen, onChoose } = props;
  const { t } = useTranslation();
  const component = (
    id: 'line' | 'line_by_environment' | 'residual',
    header: string,
  ): DataColumn<MeansSummaryBody>[] => [
    {
      id,
      header,
      hint: t('files.means.componentHint'),
      value: (row) => row.components?.[id]?.variance,
      cell: (row) => <WithError {...row.components?.[id]} />,
      numeric: true,
      width: 150,
    },
    {
      id: `${id}_se`,
      header: t('word.seOf', { what: header }),
      value: (row) => row.components?.[id]?.se,
      cell: (row) => <NumberCell value={row.components?.[id]?.se} />,
      numeric: true,
      width: 150,
      hidden: true,
    },
  ];
  const share = (id: 'h2_entry_mean' | 'h2_cullis', header: string, hint: string): DataColumn<MeansSummaryBody> => ({
    id,
    header,
    hint,
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} decimals={3} />,
    numeric: true,
    width: 140,
    narrow: id === 'h2_cullis',
  });
  const columns: DataColumn<MeansSummaryBody>[] = [
    { id: 'trait', header: t('word.trait'), value: nameOf },
    {
      id: 'n',
      header: t('files.means.lines'),
      hint: t('files.means.linesHint'),
      value: (row) => row.n,
      cell: (row) => <NumberCell value={row.n} kind="count" />,
      numeric: true,
      width: 80,
    },
    share('h2_entry_mean', t('word.h2EntryMean'), t('files.means.entryMeanHint')),
    share('h2_cullis', t('word.h2Cullis'), t('files.means.cullisHint')),
    ...component('line', 'σ²g'),
    ...(means.some(({ components }) => components?.line_by_environment)
      ? component('line_by_environment', 'σ²ge')
      : []),
    ...component('residual', 'σ²e'),
  ];
  return (
    <DataTable
      id="variance-components"
      label={t('files.means.components')}
      columns={columns}
      rows={means}
      rowId={(row) => row.trait}
      onOpen={(row) => onChoose(row.trait)}
      isMarked={(row) => row.trait === chosen && means.length > 1}
      hasSearch={means.length > 8}
      csvName={`${file.name} variance components`}
      maxHeight="22rem"
    />
  );
}

function WithError({ variance, se }: { variance?: number; se?: number | null }) {
  if (variance === undefined) return <NumberCell value={null} />;
  return (
    <span className="hx-tabular" title={`${variance}${se == null ? '' : ` ± ${se}`}`}>
      {formatStatistic(variance)}
      {se == null ? '' : ` ± ${formatStatistic(se)}`}
    </span>
  );
}

const SHOWN_CHECKS = 6;

function MeansOfTrait({ projectId, file, summary }: Omit<Props, 'means'> & { summary: MeansSummaryBody }) {
  const { t } = useTranslation();
  const query = useQuery(traitMeansQuery(projectId, file.id, summary.trait));
  const notes = [
    summary.model === null
      ? t('files.means.single')
      : t('files.means.model', { model: summary.model, observations: formatCount(summary.observations) }),
    summary.checks.length > 0
      ? t('files.means.checks', {
          names: summary.checks.slice(0, SHOWN_CHECKS).join(', ') + (summary.checks.length > SHOWN_CHECKS ? ', …' : ''),
        })
      : '',
    summary.not_estimable > 0 ? t('files.means.notEstimable', { count: summary.not_estimable }) : '',
    summary.groups > 1 ? t('files.means.groups', { count: summary.groups }) : '',
    summary.without_components === null || summary.model === null
      ? ''
      : t(`files.means.without.${summary.without_components}`),
  ];
  return (
    <Section title={nameOf(summary)} note={notes.filter((note) => note !== '').join(' ')}>
      {query.error ? (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <>
          <Pictures file={file} summary={summary} means={query.data} />
          <MeansTable file={file} summary={summary} means={query.data} />
        </>
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Section>
  );
}

interface PartProps {
  file: FileDetail;
  summary: MeansSummaryBody;
  means: TraitMeansBody;
}

function Pictures({ file, summary, means }: PartProps) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const name = nameOf(summary);
  const ordered = useMemo(() => {
    const checks = new Set(summary.checks);
    const points = means.data.flatMap(({ individual, mean, se }) =>
      mean === null ? [] : [{ name: individual, mean, se, isMarked: checks.has(individual) }],
    );
    const labels = {
      x: t('files.means.byMean'),
      y: name,
      plain: t('files.means.line'),
      marked: t('files.means.check'),
      format: formatStatistic,
    };
    return orderedMeansOption(points, labels, colors);
  }, [means, summary, name, colors, t]);
  const boxes = useMemo(() => {
    const { environments } = means;
    const labels = { x: t('files.mapping.role.environment'), y: name, n: 'n =', format: formatStatistic };
    return boxesOption(
      environments.map((one) => ({
        name: one.name,
        n: one.n,
        numbers: [one.min, one.lower_quartile, one.median, one.upper_quartile, one.max],
      })),
      labels,
      colors,
    );
  }, [means, name, colors, t]);
  return (
    <div className={classes.figures}>
      <Figure
        title={t('files.means.ordered')}
        caption={t('files.means.orderedCaption')}
        label={t('files.means.orderedOf', { trait: summary.trait })}
        option={ordered}
        height={320}
        fileName={`${file.name} ${summary.trait} means`}
        table={() => ({
          head: [t('word.individual'), name, t('files.means.se')],
          rows: means.data
            .flatMap(({ individual, mean, se }) => (mean === null ? [] : [{ individual, mean, se }]))
            .sort((a, b) => a.mean - b.mean)
            .map(({ individual, mean, se }) => [individual, mean, se]),
          format: formatStatistic,
        })}
      />
      {means.environments.length > 1 && (
        <Figure
          title={t('files.means.byEnvironment')}
          caption={t('files.means.byEnvironmentCaption')}
          label={t('files.means.byEnvironmentOf', { trait: summary.trait })}
          option={boxes}
          height={320}
          fileName={`${file.name} ${summary.trait} environments`}
          table={{
            head: [
              t('files.mapping.role.environment'),
              'n',
              t('files.phenotype.min'),
              t('files.means.lowerQuartile'),
              t('files.means.median'),
              t('files.means.upperQuartile'),
              t('files.phenotype.max'),
            ],
            rows: means.environments.map((one) => [
              one.name,
              one.n,
              one.min,
              one.lower_quartile,
              one.median,
              one.upper_quartile,
              one.max,
            ]),
            format: formatStatistic,
          }}
        />
      )}
    </div>
  );
}

type MeanRow = TraitMeansBody['data'][number];

function MeansTable({ file, summary, means }: PartProps) {
  const { t } = useTranslation();
  const columns = useMemo((): DataColumn<MeanRow>[] => {
    const decimals = sharedDecimals(means.data.map(({ mean }) => mean));
    return [
      { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
      {
        id: 'mean',
        header: t('word.mean'),
        ...(summary.unit ? { unit: summary.unit } : {}),
        value: (row) => row.mean,
        cell: (row) => <NumberCell value={row.mean} decimals={decimals} />,
        numeric: true,
        narrow: true,
        width: 140,
      },
      {
        id: 'se',
        header: t('files.means.se'),
        hint: t('files.means.seHint'),
        value: (row) => row.se,
        cell: (row) => <NumberCell value={row.se} />,
        numeric: true,
        width: 140,
      },
      {
        id: 'n',
        header: 'n',
        hint: t('files.phenotype.observationsOf', { trait: summary.trait }),
        value: (row) => row.n,
        cell: (row) => <NumberCell value={row.n} kind="count" />,
        numeric: true,
        width: 80,
      },
      {
        id: 'flag',
        header: t('files.means.flag'),
        value: (row) => (row.flag === null ? null : t(`files.means.flags.${row.flag}`)),
        hidden: means.data.every(({ flag }) => flag === null),
      },
    ];
  }, [means, summary, t]);
  return (
    <DataTable
      id="adjusted-means"
      label={t('files.means.title')}
      columns={columns}
      rows={means.data}
      rowId={(row) => row.individual}
      defaultSort={{ column: 'mean', descending: true }}
      csvName={`${file.name} ${summary.trait} means`}
      maxHeight="34rem"
    />
  );
}
