import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { StackReport } from './plan-targets.ts';

/** The schedule, a row a population. */
export function scheduleCsv({ steps }: StackReport): Iterable<string> {
  return csvChunks(
    [
      ...['generation', 'step', 'kind', 'parent1', 'parent2', 'plants', 'wanted_plants', 'probability'],
      ...[
        'haplotype1',
        'haplotype2',
        'cost',
        'recurrent_share',
        'recurrent_share_se',
        'random_share',
        'drag_cM',
        'flanks_free',
      ],
    ],
    steps.map((step) => [
      ...[step.generation, step.step, step.kind, step.parents[0], step.parents[1], step.plants, step.carriers],
      ...[step.probability, step.wanted?.[0].join(' '), step.wanted?.[1].join(' '), step.cost],
      ...[step.recurrent_share, step.recurrent_share_se, step.random_share, step.drag_cm, step.flanks_free],
    ]),
  );
}
