import type { TrialAnalysisDetail, TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../../components/page/facts-strip.tsx';
import classes from '../../../../components/page/figures.module.css';
import { Notice } from '../../../../components/page/notice.tsx';
import { formatCount, formatDecimals, formatStatistic } from '../../../../lib/format/format.ts';
import { trialSeriesQuery } from '../trial-analyses.api.ts';
import { WaitingFigures } from '../waiting-figures.tsx';
import { LineProfile } from './line-profile.tsx';
import { SeriesCorrelations } from './series-correlations.tsx';
import { SeriesFactors } from './series-factors.tsx';
import { SeriesLines } from './series-lines.tsx';

/** All trials of a trait together: how alike they rank the lines, and which lines are good everywhere. */
export function SeriesView(props: { projectId: string; run: TrialAnalysisDetail; trait: string }) {
  const { projectId, run, trait } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { line: wanted } = useSearch({ strict: false });
  const { data: series, error, refetch } = useQuery(trialSeriesQuery(projectId, run.id, trait));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!series) return <WaitingFigures />;
  const line = series.lines.line.find((one) => one === wanted) ?? bestOf(series);
  const choose = (next: string): void =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, line: next }),
      replace: true,
      resetScroll: false,
    });
  const name = `${run.name} ${trait}`;
  const { checks = [] } = run.provenance.parameters;
  return (
    <>
      {series.warnings.map((warning) => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      <SeriesFacts series={series} />
      <div className={classes.figures}>
        <SeriesCorrelations series={series} name={name} />
        <SeriesLines.Figure series={series} name={name} checks={checks} line={line} onLine={choose} />
      </div>
      {line !== undefined && (
        <LineProfile
          {...{ projectId, name, line, checks }}
          analysisId={run.id}
          series={series}
          onLine={choose}
          label={t('trial_analyses.profile')}
        />
      )}
      <SeriesLines.Table series={series} name={name} line={line} onLine={choose} />
      <SeriesFactors series={series} name={name} />
    </>
  );
}

function bestOf({ lines }: TrialSeries): string | undefined {
  const best = lines.overall.reduce<number>(
    (first, value, place) => ((value ?? -Infinity) > (lines.overall[first] ?? -Infinity) ? place : first),
    0,
  );
  return lines.line[best];
}

function SeriesFacts({ series }: { series: TrialSeries }) {
  const { t, i18n } = useTranslation();
  const { structure, relationships, environments, lines, aic, dominance } = series;
  const path = `trial_analyses.relationships.${relationships}`;
  const facts: Fact[] = [
    { label: t('trial_analyses.structure'), value: structure.toUpperCase(), hint: t('trial_analyses.structureHint') },
    {
      label: t('trial_analyses.relationship'),
      value: i18n.exists(path) ? String(t(path as 'trial_analyses.relationships.identity')) : relationships,
    },
    { label: t('trial_analyses.trials'), value: formatCount(environments.length) },
    { label: t('trial_analyses.lines'), value: formatCount(lines.line.length) },
    { label: 'AIC', value: formatDecimals(aic, 1), hint: t('trial_analyses.criterionHint') },
    ...(dominance === null
      ? []
      : [{ label: t('trial_analyses.dominance'), value: formatStatistic(dominance.variance) }]),
  ];
  return <FactsStrip facts={facts} />;
}
