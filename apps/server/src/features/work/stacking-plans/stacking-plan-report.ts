import { formatShare, formatStatistic } from '@heterosis/charts/format';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { ReportPart } from '../runs/report/index.ts';
import type { StackingRow } from './stacking-plans.queries.ts';

const right = 'right' as const;

/** The schedule, who carries the targets, and the alternatives. */
export function stackingReportParts({ report }: StackingRow): ReportPart[] {
  if (report === null) return [];
  return [
    {
      what: 'table',
      title: 'Schedule',
      columns: [
        ...[{ title: 'Generation', align: right }, { title: 'Step' }, { title: 'Parents', stretches: true }],
        ...[
          { title: 'Plants', align: right },
          { title: 'Wanted', align: right },
          { title: 'Probability', align: right },
        ],
        ...[
          { title: 'Recurrent parent', align: right },
          { title: 'Cost', align: right },
        ],
      ],
      rows: report.steps.map((step) => [
        ...[String(step.generation), step.step, step.parents.join(' × '), groupedNumber(step.plants)],
        ...[String(step.carriers), step.probability === null ? '–' : formatStatistic(step.probability)],
        ...[
          step.recurrent_share === null ? '–' : formatShare(step.recurrent_share),
          groupedNumber(Math.round(step.cost)),
        ],
      ]),
    },
    {
      what: 'table',
      title: 'Targets',
      width: 'half',
      columns: [
        ...[{ title: 'Marker', stretches: true }, { title: 'Allele' }, { title: 'Chromosome' }],
        ...[{ title: 'cM', align: right }, { title: 'Carried by' }],
      ],
      rows: report.targets.map((target) => [
        ...[target.marker, target.allele, target.chromosome, target.position_cm.toFixed(1)],
        [...target.donors, ...(target.in_recurrent ? [report.recurrent ?? ''] : [])].join(', '),
      ]),
    },
    {
      what: 'table',
      title: 'Alternatives',
      width: 'half',
      columns: [
        ...[
          { title: 'Generations', align: right },
          { title: 'Plants', align: right },
        ],
        { title: 'Largest population', align: right },
      ],
      rows: report.alternatives.map((one) => [
        ...[String(one.generations), groupedNumber(one.plants), groupedNumber(one.largest)],
      ]),
    },
  ];
}
