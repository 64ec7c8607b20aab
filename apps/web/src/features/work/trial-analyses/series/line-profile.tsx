import { type Profile, profileOption } from '@heterosis/charts/profile';
import type { TrialLine, TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { formatStatistic } from '../../../../lib/format/format.ts';
import { withUnit } from '../../../data/files/index.ts';
import { trialLineQuery } from '../trial-analyses.api.ts';

const HEIGHT = 340;
/** More checks would hide the line. */
const MOST_CHECKS = 3;

/** A line across all environments beside its checks: what the series predicts, each with its standard error. */
export function LineProfile(props: {
  projectId: string;
  analysisId: string;
  series: TrialSeries;
  line: string;
  checks: readonly string[];
  name: string;
  label: string;
  onLine: (line: string) => void;
}) {
  const { projectId, analysisId, series, line, name } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const checks = props.checks.filter((check) => check !== line && series.lines.line.includes(check));
  const names = [line, ...checks.slice(0, MOST_CHECKS)];
  const queries = useQueries({
    queries: names.map((one) => trialLineQuery(projectId, analysisId, series.trait, one)),
  });
  const loaded = queries.flatMap(({ data }) => data ?? []);
  const isComplete = loaded.length === names.length;
  const y = withUnit(t('trial_analyses.effect'), series.unit);
  const profiles = loaded.map((one) => profileOf(one, series.environments));
  const option = useMemo(
    () => profileOption(series.environments, profiles, { y, format: formatStatistic }, colors),
    // One dependency a line; how many there are is in the key of the figure.
    [series, y, colors, names.join('\n'), isComplete],
  );
  const failed = queries.find(({ error }) => error !== null);
  if (failed) return <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!isComplete) return <FigureSkeleton height={HEIGHT} />;
  return (
    <Figure
      title={props.label}
      caption={t(checks.length > 0 ? 'trial_analyses.profileCaption' : 'trial_analyses.profileAlone')}
      label={`${props.label}: ${line}`}
      option={option}
      height={HEIGHT}
      fileName={`${name} ${line}`}
      tools={
        <Select
          size="xs"
          searchable
          limit={100}
          allowDeselect={false}
          aria-label={t('trial_analyses.chooseLine')}
          data={series.lines.line}
          value={line}
          onChange={(next) => next && props.onLine(next)}
          w={220}
        />
      }
      table={{
        head: [t('trial_analyses.trial'), ...names.flatMap((one) => [one, t('word.seOf', { what: one })])],
        rows: series.environments.map((environment, place) => [
          environment,
          ...profiles.flatMap(({ values, errors }) => [values[place] ?? null, errors[place] ?? null]),
        ]),
        format: formatStatistic,
      }}
    />
  );
}

/** In the order of the environments of the series. */
function profileOf({ line, environments }: TrialLine, order: readonly string[]): Profile {
  const at = new Map(environments.map((one) => [one.environment, one]));
  return {
    name: line,
    values: order.map((environment) => at.get(environment)?.value ?? null),
    errors: order.map((environment) => at.get(environment)?.value_se ?? null),
  };
}
