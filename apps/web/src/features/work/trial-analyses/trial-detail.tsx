import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialAnalysisDetail, TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals, formatStatistic } from '../../../lib/format/format.ts';
import { type TrialPlace, trialPlotsQuery } from './trial-analyses.api.ts';
import classes from './trial-analyses.module.css';
import { TrialField } from './trial-field.tsx';
import { TrialFigures } from './trial-figures.tsx';
import { TrialMeans } from './trial-means.tsx';
import { TrialModels } from './trial-models.tsx';
import type { TrialChanges } from './use-trial-changes.ts';
import { WaitingFigures } from './waiting-figures.tsx';

const DECIMALS = 2;

/** One trial and trait: what was found, the field, whether the model fits, and the means. */
export function TrialDetail(props: {
  run: TrialAnalysisDetail;
  place: TrialPlace;
  strip: TrialStrip;
  unit: string | null;
  changes: TrialChanges | undefined;
  /** Shows a line over all trials; absent without a series. */
  onLine: ((line: string) => void) | undefined;
}) {
  const { run, place, strip, unit, changes } = props;
  const isAnalysed = strip.state === 'ANALYSED';
  const { data: trial, error, refetch } = useQuery({ ...trialPlotsQuery(place), enabled: isAnalysed });
  const name = `${run.name} ${place.environment} ${place.trait}`;
  const { checks = [] } = run.provenance.parameters;
  if (!isAnalysed)
    return (
      <Notice kind="warning">
        {strip.reason} {strip.action}
      </Notice>
    );
  return (
    <Section title={place.environment} note={strip.sentence ?? undefined}>
      <div className={classes.parts}>
        {strip.suspicions.length > 0 && (
          <Notice kind="warning">
            <ul className={classes.suspicions}>
              {strip.suspicions.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Notice>
        )}
        <TrialFacts strip={strip} />
        {error ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        ) : trial ? (
          <>
            <TrialField
              key={`${place.environment} ${place.trait}`}
              trial={trial}
              name={name}
              csvUrl={run.plots_urls[place.trait] ?? undefined}
              changes={changes}
            />
            <TrialFigures place={place} trial={trial} name={name} />
          </>
        ) : (
          <WaitingFigures />
        )}
        <TrialMeans place={place} strip={strip} unit={unit} checks={checks} name={name} onLine={props.onLine} />
        <TrialModels place={place} strip={strip} changes={changes} />
      </div>
    </Section>
  );
}

function TrialFacts({ strip }: { strip: TrialStrip }) {
  const { t } = useTranslation();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const facts: Fact[] = [
    {
      label: textOf('model', 'label'),
      value: strip.model === null ? '–' : textOf('model', 'labels', strip.model),
      hint: t(`trial_analyses.chosenBy.${strip.chosen_by}`),
    },
    ...(['cullis', 'piepho', 'plot'] as const).map((kind): Fact => {
      const value = strip.h2?.[kind] ?? null;
      return {
        label: t(`trial_analyses.h2.${kind}`),
        value: formatDecimals(value, DECIMALS),
        hint: [t(`trial_analyses.h2.${kind}Hint`), value === null ? strip.h2_reasons[kind] : undefined]
          .filter((text) => text !== undefined)
          .join(' '),
      };
    }),
    ...dimensionFact(strip, t),
    ...correlationFact(strip, t),
    { label: t('trial_analyses.sed'), value: formatStatistic(strip.mean_sed), hint: t('trial_analyses.sedHint') },
  ];
  return <FactsStrip facts={facts} />;
}

/** How much of the field's trend the model took: the sum over its smooth terms. */
function dimensionFact({ effective_dimensions: dimensions }: TrialStrip, t: TFunction): Fact[] {
  const smooth = Object.entries(dimensions).filter(([name]) => name.startsWith('spline') || name === 'trends');
  if (smooth.length === 0) return [];
  const sum = smooth.reduce((total, [, value]) => total + value, 0);
  return [
    {
      label: t('trial_analyses.dimension'),
      value: formatDecimals(sum, 1),
      hint: t('trial_analyses.dimensionHint'),
    },
  ];
}

function correlationFact({ correlations }: TrialStrip, t: TFunction): Fact[] {
  if (correlations === null) return [];
  const { row, column } = correlations;
  return [
    {
      label: t('trial_analyses.neighbours'),
      value: t('trial_analyses.neighboursValue', {
        row: formatDecimals(row, DECIMALS),
        column: formatDecimals(column, DECIMALS),
      }),
      hint: t('trial_analyses.neighboursHint'),
    },
  ];
}
