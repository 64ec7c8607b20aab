import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { LinkProps } from '@tanstack/react-router';
import { runLink } from '../../../lib/browser/run-kinds.ts';

export interface TourStop {
  /** Of its texts: `tour.stops.<name>`. */
  name: 'overview' | 'data' | 'trials' | 'accuracy' | 'loci' | 'ranking' | 'crosses';
  link: Pick<LinkProps, 'to' | 'params'>;
}

/** The stops of the tour that a project has results for, in the order of the work. */
export function tourStops(projectId: string, { newest, results, recent }: ProjectOverview): TourStop[] {
  const newestRun = (kind: RunKind): string | undefined =>
    recent.find((run) => run.kind === kind && run.state === 'success')?.id;
  const run = (name: TourStop['name'], kind: RunKind, id: string | undefined): TourStop[] =>
    id === undefined ? [] : [{ name, link: runLink(kind, projectId, id) }];
  const genotype = (fileId: string): TourStop => ({
    name: 'data',
    link: { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId } },
  });
  return [
    { name: 'overview', link: { to: '/projects/$projectId', params: { projectId } } },
    ...(newest.genotype_id === null ? [] : [genotype(newest.genotype_id)]),
    ...run('trials', 'trial_analysis', newestRun('trial_analysis')),
    ...run('accuracy', 'model', results.accuracies[0]?.model.id),
    ...run('loci', 'gwas', results.associations[0]?.gwas.id),
    ...run('ranking', 'prediction', newestRun('prediction')),
    ...run('crosses', 'crossing_plan', newestRun('crossing_plan')),
  ];
}
