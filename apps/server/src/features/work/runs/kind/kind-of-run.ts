import type { FeatureRoutes, WorkerServices } from '../../../../platform/http/app.ts';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import type { RunKindDefinition } from './run-kind.ts';
import type { RunsOnInput } from './runs-on-input.ts';

/** All that the feature of a kind of run brings. */
export interface KindOfRun {
  definition: RunKindDefinition;
  /** `consumers` are all kinds, any of which may take runs of this one as inputs. */
  routes(consumers: readonly RunsOnInput[]): FeatureRoutes;
  jobs(services: WorkerServices): JobRegistration[];
}
