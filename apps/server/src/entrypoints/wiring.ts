import { accountRoutes } from '../features/accounts/index.ts';
import { authenticate, authRoutes, createKeyRing, isStillSignedIn, jwksRoute } from '../features/auth/index.ts';
import { binRoutes } from '../features/bin/index.ts';
import { cropRoutes } from '../features/crops/index.ts';
import {
  crossingSimulationJobRegistrations,
  crossingSimulationRoutes,
  crossingSimulations,
} from '../features/crossing-simulations/index.ts';
import {
  checkFileRegistration,
  fileRoutes,
  folderRoutes,
  phaseFileRegistration,
  uploadRoutes,
} from '../features/files/index.ts';
import { gwas, gwasJobRegistrations, gwasRoutes } from '../features/gwas/index.ts';
import { invitationRoutes } from '../features/invitations/index.ts';
import { matchingRoutes } from '../features/matching/index.ts';
import { matchModel, modelJobRegistrations, modelRoutes, models } from '../features/models/index.ts';
import { findOrganizationAccess, organizationRoutes } from '../features/organizations/index.ts';
import { predictionJobRegistrations, predictionRoutes, predictions } from '../features/predictions/index.ts';
import { findProjectAccess, listVisibleScopes, projectRoutes } from '../features/projects/index.ts';
import {
  type RunKindDefinition,
  type RunWorkerServices,
  runMetrics,
  runsOnInput,
  sendRunMailRegistration,
} from '../features/runs/index.ts';
import type { AccessControl } from '../platform/http/access.ts';
import type { FeatureRoutes, Services } from '../platform/http/app.ts';
import type { JobRegistration } from '../platform/job-queue/job.ts';

/** Services that job handlers receive. */
export type WorkerServices = RunWorkerServices;

/** Every kind of run, for those features that must know of all of them. */
const KINDS: readonly RunKindDefinition[] = [models, predictions, gwas, crossingSimulations];

/** Routes of all features in the order of the API page, and the access control. */
export function wireFeatures({ db, config }: Services): {
  features: FeatureRoutes[];
  rootFeatures: FeatureRoutes[];
  access: AccessControl;
} {
  const keys = createKeyRing(db, config.secretKey);
  const users = KINDS.map((kind) => runsOnInput(kind));
  return {
    features: [
      authRoutes(keys),
      accountRoutes,
      organizationRoutes,
      cropRoutes,
      projectRoutes(KINDS),
      invitationRoutes,
      folderRoutes,
      uploadRoutes,
      fileRoutes(users),
      matchingRoutes(matchModel),
      modelRoutes(users),
      predictionRoutes,
      gwasRoutes,
      crossingSimulationRoutes,
      binRoutes,
      runMetrics,
    ],
    rootFeatures: [jwksRoute(keys)],
    access: {
      authenticate: (request) => authenticate(db, keys, request),
      findOrganizationAccess: (principal, id) => findOrganizationAccess(db, principal, id),
      findProjectAccess: (principal, id) => findProjectAccess(db, principal, id),
      listVisibleScopes: (principal) => listVisibleScopes(db, principal),
      isStillSignedIn: (principal, request) => isStillSignedIn(db, keys, principal, request),
    },
  };
}

/** Jobs of all features with their handlers; every worker runs them all. */
export function jobRegistrations(services: WorkerServices): JobRegistration[] {
  return [
    checkFileRegistration(services),
    phaseFileRegistration(services),
    ...modelJobRegistrations(services),
    ...predictionJobRegistrations(services),
    ...gwasJobRegistrations(services),
    ...crossingSimulationJobRegistrations(services),
    sendRunMailRegistration(services),
  ];
}
