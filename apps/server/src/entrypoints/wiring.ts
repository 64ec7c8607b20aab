import type { ComputePool } from '../platform/compute/compute.ts';
import type { AccessControl } from '../platform/http/access.ts';
import type { FeatureRoutes, Services } from '../platform/http/app.ts';
import type { JobRegistration } from '../platform/job-queue/job.ts';

/** What job handlers work with. */
export interface WorkerServices extends Services {
  compute: ComputePool;
}

/** Routes of every feature, in the order of the API page. */
export async function featureRoutes(_services: Services): Promise<FeatureRoutes[]> {
  return [];
}

/** Jobs of every feature with their handlers; a worker takes them all. */
export function jobRegistrations(_services: WorkerServices): JobRegistration[] {
  return [];
}

/** Who a request comes from and what that person may reach. */
export async function createAccessControl(_services: Services): Promise<AccessControl> {
  return {
    authenticate: async () => undefined,
    findOrganizationAccess: async () => undefined,
    findProjectAccess: async () => undefined,
    listVisibleScopes: async () => ({ organizationIds: [], projectIds: [] }),
  };
}
