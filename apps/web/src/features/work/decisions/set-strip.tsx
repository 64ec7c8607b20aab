import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { setQuery } from './decisions.api.ts';

/** What the lines that are to advance are together: gain, diversity beside that of all candidates, cost. */
export function SetStrip({ projectId, decision }: { projectId: string; decision: DecisionDetail }) {
  const { t } = useTranslation();
  const { data: set } = useQuery(setQuery(projectId, decision.id));
  const none = '–';
  const besideAll = (own: number | null | undefined, all: number | null | undefined): string =>
    own == null ? none : t('decisions.ofAll', { own: formatStatistic(own), all: formatStatistic(all) });
  const hasLines = set !== undefined && set.lines > 0;
  const gains = decision.columns.flatMap((column, c): Fact[] => {
    const gain = set?.gains[c];
    if (!column.in_index) return [];
    const sign = gain == null ? '' : gain > 0 ? '+' : '';
    const unit = column.unit === null ? '' : ` ${column.unit}`;
    return [
      {
        label: t('decisions.gainOf', { trait: column.trait }),
        hint: t('decisions.gainHint'),
        value: hasLines && gain != null ? `${sign}${formatStatistic(gain)}${unit}` : none,
        isVital: true,
      },
    ];
  });
  const facts: Fact[] = [
    {
      label: t('decisions.mark.ADVANCE'),
      value: t('decisions.ofLines', {
        count: set?.lines ?? 0,
        all: decision.line_count - (decision.settings.check === null ? 0 : 1),
      }),
    },
    {
      label: t('decisions.families'),
      hint: t('decisions.familiesHint'),
      value:
        hasLines && set.families !== null && set.effective_families !== null
          ? t('decisions.effective', { count: set.families, effective: formatStatistic(set.effective_families) })
          : none,
    },
    {
      label: t('decisions.coancestry'),
      hint: t('decisions.coancestryHint'),
      value: hasLines ? besideAll(set.coancestry, set.all.coancestry) : none,
    },
    {
      label: t('decisions.statusNumber'),
      hint: t('decisions.statusNumberHint'),
      value: hasLines ? besideAll(set.status_number, set.all.status_number) : none,
    },
    {
      label: t('decisions.cost'),
      value: hasLines
        ? [
            t('decisions.plots', { count: set.plots, formatted: formatCount(set.plots) }),
            ...(set.seed_g === null ? [] : [t('decisions.seed', { grams: formatCount(Math.round(set.seed_g)) })]),
          ].join(', ')
        : none,
      isVital: true,
    },
    ...gains,
  ];
  return <FactsStrip facts={facts} />;
}
