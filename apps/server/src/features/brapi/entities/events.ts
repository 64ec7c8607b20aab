import type { TrialOfProject } from '../../data/trials/index.ts';
import { splitId } from '../ids.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { studiesAsked } from '../scope.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
import { dayOf } from './core.ts';

/** What happened to all plots of a trial on one day, by the words of ICASA. */
interface TrialEvent {
  id: string;
  type: 'planting' | 'harvest';
  day: string;
  study: PhenotypeStudy;
}

const eventsOf = (study: PhenotypeStudy, { sown_on, harvested_on }: TrialOfProject): TrialEvent[] =>
  (
    [
      ['planting', sown_on],
      ['harvest', harvested_on],
    ] as const
  ).flatMap(([type, day]) => (day === null ? [] : [{ id: `${study.id}-${type}`, type, day, study }]));

/** Sowing and harvest of trials. Clients write them as the dates of a study. */
export const events: ListEntity<TrialEvent> = {
  name: 'events',
  // The standard has no address for one of them.
  id: null,
  hasSearch: false,
  async segments(scope, asked) {
    const units = asked.take('observationUnitDbId')?.map(splitId);
    const isInRange = asked.timeRange('dateRange');
    const found: TrialEvent[] = [];
    for (const study of (await studiesAsked(scope, asked)).filter(isPhenotype)) {
      if (study.trial === undefined) continue;
      const own = units?.filter((unit) => unit?.fileId === study.file.id);
      if (own !== undefined) {
        const records = await scope.files.records(study.file);
        if (!own.some((unit) => records.units[unit?.row ?? -1]?.environment === study.environment)) continue;
      }
      found.push(...eventsOf(study, study.trial).filter(({ day }) => isInRange?.(Date.parse(day)) ?? true));
    }
    return [segmentOf(found)];
  },
  serialize: (_scope, rows) =>
    rows.map(({ id, type, day, study }) =>
      complete('events', {
        eventDbId: id,
        eventType: type,
        eventTypeDbId: type,
        eventDescription: type === 'planting' ? 'The trial was sown.' : 'The trial was harvested.',
        studyDbId: study.id,
        studyName: study.name,
        // All units of the study.
        observationUnitDbIds: null,
        eventDateRange: { discreteDates: [dayOf(day)], startDate: null, endDate: null },
      }),
    ),
};
