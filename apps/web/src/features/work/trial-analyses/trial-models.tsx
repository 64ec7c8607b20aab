import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/figures.module.css';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals, formatStatistic } from '../../../lib/format/format.ts';
import type { TrialPlace } from './trial-analyses.api.ts';
import type { TrialChanges } from './use-trial-changes.ts';

const CRITERION_DECIMALS = 1;
type Alternative = TrialStrip['alternatives'][number];

/** The models that were compared, the choice of another one for this trial, and the variances of the one taken. */
export function TrialModels(props: { place: TrialPlace; strip: TrialStrip; changes: TrialChanges | undefined }) {
  const { place, strip, changes } = props;
  const { environment, trait } = place;
  const { t } = useTranslation();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const least = Math.min(...strip.alternatives.flatMap(({ aic }) => aic ?? []));
  const columns: DataColumn<Alternative>[] = [
    { id: 'model', header: textOf('model', 'label'), value: ({ model }) => textOf('model', 'labels', model) },
    {
      id: 'aic',
      header: t('trial_analyses.aicDifference'),
      hint: t('trial_analyses.criterionHint'),
      value: ({ aic }) => (aic === null ? null : aic - least),
      cell: ({ aic, left_out: leftOut }) =>
        aic === null ? (leftOut ?? '–') : formatDecimals(aic - least, CRITERION_DECIMALS),
      numeric: true,
      width: 130,
      narrow: true,
    },
    {
      id: 'parameters',
      header: t('trial_analyses.parameters'),
      value: ({ parameters }) => parameters,
      numeric: true,
      width: 110,
    },
    {
      id: 'log_likelihood',
      header: t('trial_analyses.logLikelihood'),
      value: ({ log_likelihood: value }) => value,
      cell: ({ log_likelihood: value }) => formatDecimals(value, CRITERION_DECIMALS),
      numeric: true,
      width: 130,
    },
  ];
  return (
    <Section
      title={t('trial_analyses.models')}
      note={t('trial_analyses.modelsNote')}
      action={
        changes && (
          <NativeSelect
            size="xs"
            aria-label={t('trial_analyses.otherModel', { trial: environment })}
            value={changes.modelOf(environment, trait) ?? ''}
            onChange={(event) => {
              const model = event.currentTarget.value;
              const { choices } = TRIAL_ANALYSIS_OPTIONS.model;
              changes.setModel(
                environment,
                trait,
                choices.find((choice) => choice === model),
              );
            }}
            data={[
              { value: '', label: t('trial_analyses.sameModel') },
              ...TRIAL_ANALYSIS_OPTIONS.model.choices
                .filter((choice) => choice !== strip.model)
                .map((value) => ({ value, label: textOf('model', 'labels', value) })),
            ]}
          />
        )
      }
    >
      <div className={classes.figures}>
        {strip.alternatives.length > 1 && (
          <DataTable
            id="trial-alternatives"
            label={t('trial_analyses.models')}
            columns={columns}
            rows={strip.alternatives}
            rowId={({ model }) => model}
            isMarked={({ model }) => model === strip.model}
            defaultSort={{ column: 'aic', descending: false }}
            hasTools={false}
          />
        )}
        <Variances strip={strip} />
      </div>
    </Section>
  );
}

interface Component {
  name: string;
  value: number;
  se: number | null;
  isAtBound: boolean;
  dimension: number | undefined;
}

function Variances({ strip }: { strip: TrialStrip }) {
  const { t, i18n } = useTranslation();
  const rows = Object.entries(strip.variances).map(
    ([name, { value, se, at_bound: isAtBound }]): Component => ({
      ...{ name, value, se, isAtBound },
      dimension: strip.effective_dimensions[name],
    }),
  );
  const nameOf = (name: string): string => {
    const path = `trial_analyses.component.${name}`;
    return i18n.exists(path) ? String(t(path as 'trial_analyses.component.lines')) : name;
  };
  const columns: DataColumn<Component>[] = [
    { id: 'name', header: t('trial_analyses.term'), value: ({ name }) => nameOf(name) },
    {
      id: 'value',
      header: t('trial_analyses.variance'),
      value: ({ value }) => value,
      cell: ({ value, se, isAtBound }) =>
        isAtBound
          ? t('trial_analyses.atBound', { value: formatStatistic(value) })
          : `${formatStatistic(value)}${se === null ? '' : ` ± ${formatStatistic(se)}`}`,
      numeric: true,
      width: 170,
      narrow: true,
    },
    {
      id: 'dimension',
      header: t('trial_analyses.dimensionShort'),
      hint: t('trial_analyses.dimensionHint'),
      value: ({ dimension }) => dimension ?? null,
      cell: ({ dimension }) => formatDecimals(dimension, 1),
      numeric: true,
      width: 110,
    },
  ];
  return (
    <DataTable
      id="trial-variances"
      label={t('trial_analyses.variances')}
      columns={columns}
      rows={rows}
      rowId={({ name }) => name}
      hasTools={false}
    />
  );
}
