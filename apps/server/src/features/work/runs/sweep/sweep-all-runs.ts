import type { Services } from '../../../../platform/http/app.ts';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import { endRunsOfDeletedProjects } from './sweep-bin.ts';
import { sweepLostRuns } from './sweep-lost-runs.ts';
import { sweepRuns } from './sweep-runs.ts';
import { sweepScratch } from './sweep-scratch.ts';

/** What has to be swept every minute, because leftovers of runs are large. */
export const sweepAllRuns = (
  services: Services,
  registrations: readonly JobRegistration[],
): (() => Promise<void>)[] => [
  () => endRunsOfDeletedProjects(services),
  () => sweepLostRuns(services, registrations),
  () => sweepRuns(services),
  () => sweepScratch(services),
];
