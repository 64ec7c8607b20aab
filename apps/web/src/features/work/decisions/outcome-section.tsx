import type { DecisionDetail, DecisionOutcome } from '@heterosis/contracts/work/decisions';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatCount, formatDay, formatStatistic, sharedDecimals } from '../../../lib/format/format.ts';
import { outcomeQuery } from './decisions.api.ts';
import { MarkWord } from './mark-buttons.tsx';

/** What came of a closed decision, by the newest trial analysis since. */
export function OutcomeSection({ projectId, decision }: { projectId: string; decision: DecisionDetail }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(outcomeQuery(projectId, decision.id, decision.state === 'CLOSED'));
  return (
    <Section
      title={t('decisions.outcome')}
      note={
        data?.run && data.run_at ? (
          <>
            {t('decisions.since', { day: formatDay(data.run_at) })}{' '}
            <Link
              className="hx-link"
              to="/projects/$projectId/trialAnalyses/$trialAnalysisId"
              params={{ projectId, trialAnalysisId: data.run.id } as never}
            >
              {data.run.name}
            </Link>
          </>
        ) : (
          t('decisions.nothingSince')
        )
      }
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.traits.map((trait) => (
        <TraitOutcome
          key={trait.trait}
          outcome={trait}
          isLow={decision.columns.some((column) => column.trait === trait.trait && !column.is_higher_better)}
        />
      ))}
    </Section>
  );
}

/** Lines named in the sentence of regret. */
const NAMED = 10;

type Trait = DecisionOutcome['traits'][number];

function TraitOutcome({ outcome, isLow }: { outcome: Trait; isLow: boolean }) {
  const { t } = useTranslation();
  const unit = outcome.unit === null ? '' : ` ${outcome.unit}`;
  const withUnit = (value: number | null): string => (value === null ? '–' : `${formatStatistic(value)}${unit}`);
  const unnamed = outcome.regretted.length - NAMED;
  const decimals = sharedDecimals(outcome.lines.flatMap(({ before, since }) => [before, since]));
  const number = (id: 'before' | 'since', header: string): DataColumn<Trait['lines'][number]> => ({
    ...{ id, header, unit: outcome.unit ?? undefined, numeric: true, width: 150 },
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} decimals={decimals} />,
  });
  return (
    <div>
      <h3>{isLow ? t('word.lowerIsBetter', { trait: outcome.trait }) : outcome.trait}</h3>
      <FactsStrip
        facts={[
          { label: t('decisions.expected'), value: withUnit(outcome.expected_gain), hint: t('decisions.expectedHint') },
          { label: t('decisions.realized'), value: withUnit(outcome.realized_gain), hint: t('decisions.realizedHint') },
          {
            label: t('decisions.accuracy'),
            value: formatStatistic(outcome.accuracy),
            hint: t('decisions.accuracyHint'),
          },
          { label: t('decisions.regret'), value: withUnit(outcome.regret), hint: t('decisions.regretHint') },
          {
            label: t('decisions.tested'),
            value: t('decisions.testedOf', {
              advanced: formatCount(outcome.advanced),
              others: formatCount(outcome.others),
            }),
          },
        ]}
      />
      {outcome.regretted.length > 0 && (
        <p>
          {t('decisions.regretted', {
            count: outcome.regretted.length,
            names: [
              ...outcome.regretted.slice(0, NAMED),
              ...(unnamed > 0 ? [t('word.andCountMore', { count: unnamed })] : []),
            ].join(', '),
          })}
        </p>
      )}
      <DataTable
        id="decision-outcome"
        label={outcome.trait}
        columns={[
          { id: 'name', header: t('decisions.line'), value: (row) => row.name },
          {
            id: 'mark',
            header: t('decisions.decided'),
            value: (row) => t(`decisions.mark.${row.mark}`),
            cell: (row) => <MarkWord mark={row.mark} />,
            ...{ width: 140, narrow: true },
          },
          number('before', t('decisions.before')),
          number('since', t('decisions.sinceThen')),
        ]}
        rows={outcome.lines.filter(({ since }) => since !== null)}
        rowId={(row) => row.name}
        defaultSort={{ column: 'since', descending: !isLow }}
        maxHeight="24rem"
        csvName={outcome.trait}
      />
    </div>
  );
}
