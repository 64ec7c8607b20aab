import { assistantRoutes } from '../features/assistant/index.ts';
import {
  brapiImportRoutes,
  brapiRoutes,
  crossesPlannedRegistration,
  fileCollectedRegistration,
  importRegistration,
} from '../features/brapi/index.ts';
import { binRoutes, deletedPlaceRoutes } from '../features/data/bin/index.ts';
import { fieldBookRoutes } from '../features/data/field-books/index.ts';
import {
  checkFileRegistration,
  fileRoutes,
  folderRoutes,
  phaseFileRegistration,
  uploadRoutes,
} from '../features/data/files/index.ts';
import {
  convertFileRegistration,
  convertFileRoutes,
  germplasmRoutes,
  germplasmUploadRoutes,
  settleUploadRegistration,
} from '../features/data/germplasm/index.ts';
import { listRoutes } from '../features/data/lists/index.ts';
import { passportRoutes } from '../features/data/passports/index.ts';
import { pedigreeRoutes } from '../features/data/pedigree/index.ts';
import { searchRoutes } from '../features/data/search/index.ts';
import { plotPhotoRoutes, trialRoutes, valueFileRoutes } from '../features/data/trials/index.ts';
import { exampleRoutes } from '../features/operation/demo/index.ts';
import { operationRoutes, type Repeatable, runMetrics } from '../features/operation/operators/index.ts';
import { dataPackageRoutes, importPackageRegistration } from '../features/operation/packages/index.ts';
import { accountRoutes, isOperator, photoRoutes } from '../features/people/accounts/index.ts';
import { auditRoutes } from '../features/people/audit/index.ts';
import {
  authenticate,
  authenticateGuest,
  authRoutes,
  connectionRoutes,
  createKeyRing,
  createProviders,
  isStillSignedIn,
  jwksRoutes,
  oidcRoutes,
  openidProviderRoutes,
  ownSessionRoutes,
  proofRoutes,
  secondFactorRoutes,
  tellOperatorRegistration,
} from '../features/people/auth/index.ts';
import {
  billingRoutes,
  createBilling,
  endSubscription,
  stripeWebhookRoutes,
} from '../features/people/billing/index.ts';
import { commentRoutes, sendCommentMailRegistration } from '../features/people/comments/index.ts';
import { cropRoutes } from '../features/people/crops/index.ts';
import { homeRoutes } from '../features/people/home/index.ts';
import { invitationRoutes, sendInvitationMailRegistration } from '../features/people/invitations/index.ts';
import { notificationRoutes } from '../features/people/notifications/index.ts';
import {
  findOrganizationAccess,
  logoRoutes,
  memberRoutes,
  organizationRoutes,
} from '../features/people/organizations/index.ts';
import {
  createActivityRecorder,
  findProjectAccess,
  listVisibleScopes,
  projectMemberRoutes,
  projectRoutes,
  projectTraitRoutes,
} from '../features/people/projects/index.ts';
import { shareLinkRoutes } from '../features/people/share-links/index.ts';
import { tableViewRoutes } from '../features/people/table-views/index.ts';
import {
  deliverWebhookRegistration,
  sendWebhookMailRegistration,
  webhookRoutes,
} from '../features/people/webhooks/index.ts';
import { crossingPlanFeature } from '../features/work/crossing-plans/index.ts';
import { crossingSimulationFeature } from '../features/work/crossing-simulations/index.ts';
import { decisionRoutes } from '../features/work/decisions/index.ts';
import { gwasFeature } from '../features/work/gwas/index.ts';
import { hybridRoutes, makeHybridsRegistration } from '../features/work/hybrids/index.ts';
import { matchingRoutes } from '../features/work/matching/index.ts';
import { matchModel, modelFeature } from '../features/work/models/index.ts';
import { parentageCheckFeature } from '../features/work/parentage-checks/index.ts';
import { predictionFeature } from '../features/work/predictions/index.ts';
import { programmePlanRoutes } from '../features/work/programme-plans/index.ts';
import { programmeFeature } from '../features/work/programmes/index.ts';
import { readReport, reportRoutes } from '../features/work/reports/index.ts';
import { type KindOfRun, runsOnInput } from '../features/work/runs/kind/index.ts';
import { sendRunMailRegistration } from '../features/work/runs/work/index.ts';
import { stackingPlanFeature } from '../features/work/stacking-plans/index.ts';
import { trialAnalysisFeature } from '../features/work/trial-analyses/index.ts';
import type { AccessControl } from '../platform/http/access.ts';
import type { FeatureRoutes, Services, WorkerServices } from '../platform/http/app.ts';
import type { JobRegistration } from '../platform/job-queue/job.ts';

/** Every kind of run, in the order of the API page. */
export const KINDS: readonly KindOfRun[] = [
  modelFeature,
  predictionFeature,
  gwasFeature,
  trialAnalysisFeature,
  parentageCheckFeature,
  crossingPlanFeature,
  crossingSimulationFeature,
  stackingPlanFeature,
  programmeFeature,
];

const mailRegistrations = (services: Services): JobRegistration[] => [
  sendInvitationMailRegistration(services),
  tellOperatorRegistration(services),
  sendRunMailRegistration(services),
  sendCommentMailRegistration(services),
  sendWebhookMailRegistration(services),
];

/** What operators may repeat. */
export const repeatable = (services: Services, kinds: readonly KindOfRun[] = KINDS): Repeatable => ({
  kinds: kinds.map(({ definition }) => definition),
  mailJobs: mailRegistrations(services).map(({ definition }) => definition),
});

/** Routes of all features in the order of the API page, and the access control. */
export function wireFeatures(
  services: Services,
  kinds: readonly KindOfRun[] = KINDS,
): {
  features: FeatureRoutes[];
  rootFeatures: FeatureRoutes[];
  access: AccessControl;
} {
  const { db, config, logger } = services;
  const keys = createKeyRing(db, config.secretKey);
  const findProvider = createProviders(services, keys);
  const reachProject: AccessControl['findProjectAccess'] = (principal, id) => findProjectAccess(db, principal, id);
  const billing = createBilling(config);
  const definitions = kinds.map(({ definition }) => definition);
  const consumers = definitions.map((definition) => runsOnInput(definition));
  return {
    features: [
      authRoutes({ keys, findProjectAccess: reachProject }),
      oidcRoutes(keys),
      connectionRoutes({ findProvider, findProjectAccess: reachProject }),
      ownSessionRoutes,
      proofRoutes,
      secondFactorRoutes,
      accountRoutes,
      photoRoutes,
      organizationRoutes(endSubscription(billing.driver)),
      logoRoutes,
      memberRoutes,
      auditRoutes,
      webhookRoutes,
      billingRoutes(billing.driver),
      stripeWebhookRoutes(billing),
      cropRoutes,
      projectRoutes(definitions),
      projectMemberRoutes,
      projectTraitRoutes,
      homeRoutes(definitions),
      tableViewRoutes,
      notificationRoutes,
      ...invitationRoutes(keys),
      folderRoutes,
      uploadRoutes,
      fileRoutes(consumers),
      ...germplasmRoutes(definitions),
      germplasmUploadRoutes,
      commentRoutes,
      shareLinkRoutes((its, thing) => readReport(its, definitions, { ...thing, audience: 'link' })),
      listRoutes,
      trialRoutes,
      decisionRoutes,
      reportRoutes(definitions),
      passportRoutes(definitions),
      valueFileRoutes,
      plotPhotoRoutes,
      fieldBookRoutes,
      convertFileRoutes,
      pedigreeRoutes,
      searchRoutes,
      matchingRoutes(matchModel),
      hybridRoutes,
      brapiImportRoutes,
      ...kinds.map(({ routes }) => routes(consumers)),
      programmePlanRoutes,
      binRoutes,
      deletedPlaceRoutes,
      exampleRoutes,
      dataPackageRoutes,
      operationRoutes(repeatable(services, kinds)),
      runMetrics,
    ],
    rootFeatures: [
      jwksRoutes(keys),
      openidProviderRoutes(findProvider),
      brapiRoutes((request) => authenticate(db, keys, request)),
      assistantRoutes({ findProjectAccess: reachProject }),
    ],
    access: {
      authenticate: (request) => authenticateGuest({ config, keys }, request) ?? authenticate(db, keys, request),
      findOrganizationAccess: (principal, id) => findOrganizationAccess(db, principal, id),
      findProjectAccess: reachProject,
      isOperator: ({ userId }) => isOperator(db, userId),
      recordActivity: createActivityRecorder(db, logger),
      listVisibleScopes: (principal) => listVisibleScopes(db, principal),
      isStillSignedIn: (principal, request) => isStillSignedIn(db, keys, principal, request),
    },
  };
}

/** Jobs of all features with their handlers; every worker runs them all. */
export function jobRegistrations(services: WorkerServices, kinds: readonly KindOfRun[] = KINDS): JobRegistration[] {
  return [
    checkFileRegistration(services),
    phaseFileRegistration(services),
    settleUploadRegistration(services),
    makeHybridsRegistration(services),
    convertFileRegistration(services),
    fileCollectedRegistration(services),
    crossesPlannedRegistration(services),
    importRegistration(services),
    importPackageRegistration(services),
    ...kinds.flatMap(({ jobs }) => jobs(services)),
    ...mailRegistrations(services),
    deliverWebhookRegistration(services),
  ];
}
