import type { LeftOut } from '@heterosis/contracts/work/exclusions';
import type { TFunction } from 'i18next';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import { formatTick } from '../../../lib/format/format.ts';

/** What lists and rules left out of a run, for its facts: how many, by which rule, and a file with the names. */
export function leftOutFact(t: TFunction, run: { left_out: LeftOut | null; left_out_csv_url: string | null }): Fact[] {
  const { left_out: leftOut, left_out_csv_url: url } = run;
  if (leftOut === null) return [];
  const samples = leftOut.samples_read - leftOut.samples_kept;
  const markers = leftOut.markers_read - leftOut.markers_kept;
  const said = [
    t('exclusions.individuals', { count: samples }),
    ...(markers > 0 ? [t('exclusions.markersLeftOut', { count: markers })] : []),
  ].join(', ');
  const hint = leftOut.rules
    .map(({ rule, limit, count, skipped }) => {
      const name = t(`exclusions.rule.${rule}`, { limit: limit === null ? '' : formatTick(limit) });
      return `${name}: ${skipped === undefined ? count : t('exclusions.notSearched')}`;
    })
    .join('\n');
  const value =
    url === null ? (
      said
    ) : (
      <a className="hx-link" href={url} download>
        {said}
      </a>
    );
  return [{ label: t('exclusions.leftOut'), value, hint, isVital: true }];
}
