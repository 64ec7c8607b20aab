import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { UpdatedTrait } from '@heterosis/contracts/people/traits';
import { createCrossingPlanBody } from '@heterosis/contracts/work/crossing-plans';
import { createCrossingSimulationBody } from '@heterosis/contracts/work/crossing-simulations';
import { createGwasBody } from '@heterosis/contracts/work/gwas';
import { createModelBody } from '@heterosis/contracts/work/models';
import { createParentageCheckBody } from '@heterosis/contracts/work/parentage-checks';
import { createPredictionBody } from '@heterosis/contracts/work/predictions';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import { createTrialAnalysisBody } from '@heterosis/contracts/work/trial-analyses';
import { sql } from 'kysely';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Principal } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { ofProject, type UploadForm, uploadGermplasm } from '../../data/germplasm/index.ts';
import { openFile } from '../../data/trials/index.ts';
import { ensureUser, findUserByEmail, updateEmailVerified, updateUserName } from '../../people/accounts/index.ts';
import { insertCrop } from '../../people/crops/index.ts';
import { insertOrganization } from '../../people/organizations/index.ts';
import { changeTraits, insertProject } from '../../people/projects/index.ts';
import { createCrossingPlan } from '../../work/crossing-plans/index.ts';
import { createCrossingSimulation } from '../../work/crossing-simulations/index.ts';
import { createGwas } from '../../work/gwas/index.ts';
import { createModel, requireModel } from '../../work/models/index.ts';
import { createParentageCheck } from '../../work/parentage-checks/index.ts';
import { createPrediction } from '../../work/predictions/index.ts';
import { createTrialAnalysis } from '../../work/trial-analyses/index.ts';
import { DATA, findByName, keepParents, until, untilReady, upload, type Visitor } from './demo-files.ts';
import { createTetraploids } from './tetraploids.ts';

export const DEMO_EMAIL = 'demo@heterosis.example';

const NAMES = {
  user: 'Demo breeder',
  organization: 'Heterosis demo',
  crop: 'Maize',
  project: 'Maize diversity panel',
  partner: 'Barley network (demo)',
  trialCrop: 'Barley',
  trials: 'Barley variety trials',
  tetraploidCrop: 'Potato',
  tetraploids: 'Simulated tetraploids',
  genotype: 'genotypes.vcf.gz',
  phased: 'genotypes_phased.vcf.gz',
  crosses: 'crosses.csv',
  phenotype: 'phenotypes.csv',
  germplasm: 'germplasm.csv',
  pedigree: 'pedigree.csv',
  barley: 'barley.csv',
  barleyCrosses: 'barley_crosses.csv',
  hybrids: 'hybrid_trials.csv',
};

const RUN_NAMES = {
  model: 'Ear height, flowering and ear diameter',
  prediction: 'Breeding values of the panel',
  gwas: 'Ear height, flowering and ear diameter',
  parentage_check: 'Pedigrees of the panel',
  crossing_plan: 'Crosses of next season',
  crossing_simulation: 'Half diallel of eight lines',
  trial_analysis: 'Hybrids in six counties',
} satisfies Partial<Record<RunKind, string>>;

/** The first of the trials that are opened from the file of hybrids. */
const TRIAL = 'hybrid_trials C1';

/** Parents of the crossing tables. */
const PARENTS = {
  panel: ['B73', 'MO17', 'OH43', 'CML247', 'KI11', 'TX303', 'NC358', 'B97'],
  trials: ['WisconsinBarbless', 'Trebi', 'Glabron', 'Manchuria', 'Peatland', 'Svansota', 'Velvet'],
};

const TRAITS = ['EarHT', 'dpoll', 'EarDia'];
/** Early flowering and low ears are wanted. */
const TRAIT_SETTINGS: UpdatedTrait[] = [
  { name: 'EarHT', direction: 'lower', unit: 'cm', weight: 1 },
  { name: 'dpoll', direction: 'lower', unit: 'd', weight: 1 },
  { name: 'EarDia', direction: 'higher', unit: 'mm', weight: 2 },
];
const LOW_TRAITS = TRAIT_SETTINGS.filter(({ direction }) => direction === 'lower').map(({ name }) => name);
/** Some lines were genotyped from other seed than was crossed. */
const WRONG_CALLS = 0.02;
/** Recorded when the demo is complete. After that it is never created again, even if a user deletes it. */
const DONE = 'demo.created';

/** The demo user in each project. */
interface Visitors {
  panel: Visitor;
  trials: Visitor;
  tetraploids: Visitor;
}

/**
 * Fills an empty database with the maize panel, with trials of barley and with simulated tetraploids, through the same
 * services and jobs as a user: files, a model on three traits, its prediction, a GWAS, a parentage check, a crossing
 * plan, a crossing simulation and the analysis of a series of field trials, which are also opened with their maps. A
 * worker must be running. If interrupted, the next start completes it. Returns whether there is a demo user to sign in
 * as.
 */
export async function createDemo(services: Services, signal: AbortSignal): Promise<boolean> {
  const { db } = services;
  const visitors = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('heterosis demo', 0))`.execute(trx);
    return (await isWanted(trx)) ? await moveIn(trx) : undefined;
  });
  if (visitors === undefined) return (await findUserByEmail(db, DEMO_EMAIL)) !== undefined;

  const visitor = visitors.panel;
  // Before the phenotypes of the panel: dialogs offer the newest file.
  const hybrids = await upload(services, visitor, NAMES.hybrids, 'PHENOTYPE');
  const genotype = await upload(services, visitor, NAMES.genotype, 'GENOTYPE');
  const phenotype = await upload(services, visitor, NAMES.phenotype, 'PHENOTYPE');
  const phased = await upload(services, visitor, NAMES.phased, 'GENOTYPE');
  const crosses = await upload(services, visitor, NAMES.crosses, 'CROSSING_TABLE');
  const pedigree = await upload(services, visitor, NAMES.pedigree, 'PEDIGREE');
  const yields = await upload(services, visitors.trials, NAMES.barley, 'PHENOTYPE');
  const barleyCrosses = await upload(services, visitors.trials, NAMES.barleyCrosses, 'CROSSING_TABLE');
  await untilReady(services, visitor, [hybrids, genotype, phenotype, phased, crosses, pedigree], signal);
  await untilReady(services, visitors.trials, [yields, barleyCrosses], signal);
  await importGermplasm(services, visitor, signal);
  await keepParents(services, visitor, PARENTS.panel);
  await keepParents(services, visitors.trials, PARENTS.trials);

  const { principal, access } = visitor;
  const { organizationId, projectId } = access;
  await changeTraits(services, access, TRAIT_SETTINGS);
  await openTrials(services, visitor, hybrids);
  const inputs = { genotype_id: genotype, phenotype_id: phenotype, traits: TRAITS };
  const model =
    (await findByName(db, 'models', access, RUN_NAMES.model)) ??
    (
      await createModel(
        { services, access, principal },
        { body: createModelBody.parse({ ...inputs, name: RUN_NAMES.model }) },
      )
    ).id;
  if ((await findByName(db, 'gwas', access, RUN_NAMES.gwas)) === undefined)
    await createGwas(
      { services, access, principal },
      { body: createGwasBody.parse({ ...inputs, name: RUN_NAMES.gwas }) },
    );
  if ((await findByName(db, 'parentage_checks', access, RUN_NAMES.parentage_check)) === undefined)
    await createParentageCheck(
      { services, access, principal },
      {
        body: createParentageCheckBody.parse({
          ...{ name: RUN_NAMES.parentage_check, genotype_id: genotype, error_rate: WRONG_CALLS },
        }),
      },
    );
  if ((await findByName(db, 'trial_analyses', access, RUN_NAMES.trial_analysis)) === undefined)
    await createTrialAnalysis(
      { services, access, principal },
      {
        body: createTrialAnalysisBody.parse({
          ...{ name: RUN_NAMES.trial_analysis, phenotype_ids: [hybrids], traits: ['Yield'] },
        }),
      },
    );
  await until(
    () => requireModel(db, projectId, model),
    ({ trait_rows }) => trait_rows.every(({ status }) => status !== 'TRAINING'),
    signal,
  );
  if ((await findByName(db, 'predictions', access, RUN_NAMES.prediction)) === undefined)
    await createPrediction(
      { services, access, principal },
      { body: createPredictionBody.parse({ name: RUN_NAMES.prediction, model_id: model, genotype_id: phased }) },
    );
  if ((await findByName(db, 'crossing_plans', access, RUN_NAMES.crossing_plan)) === undefined)
    await createCrossingPlan(
      { services, access, principal },
      {
        body: createCrossingPlanBody.parse({
          name: RUN_NAMES.crossing_plan,
          model_id: model,
          genotype_id: phased,
          low_traits: LOW_TRAITS,
        }),
      },
    );
  if ((await findByName(db, 'crossing_simulations', access, RUN_NAMES.crossing_simulation)) === undefined)
    await createCrossingSimulation(
      { services, access, principal },
      {
        body: createCrossingSimulationBody.parse({
          name: RUN_NAMES.crossing_simulation,
          model_id: model,
          genotype_id: phased,
          crossing_table_id: crosses,
          low_traits: LOW_TRAITS,
        }),
      },
    );
  await createTetraploids(services, visitors.tetraploids, signal);

  await recordAuditEvent(db, { action: DONE, organizationId, projectId });
  return true;
}

/** The six trials of the hybrids as trials with maps and values; their years are not published. */
async function openTrials(services: Services, { access, principal }: Visitor, fileId: string): Promise<void> {
  if ((await findByName(services.db, 'trials', access, TRIAL)) !== undefined) return;
  await openFile({ services, access, principal }, { body: { file_id: fileId, season: 'published 1999' } });
}

/** The lines of the panel with the pedigrees that are published. Once they are there, this changes nothing. */
async function importGermplasm(services: Services, { principal, access }: Visitor, signal: AbortSignal): Promise<void> {
  const germplasm = await ofProject(services.db, access);
  const form: UploadForm = async (store) => ({
    fileName: NAMES.germplasm,
    stored: await store(createReadStream(join(DATA, NAMES.germplasm))),
    fields: {},
  });
  await uploadGermplasm({ services, principal, germplasm }, form, { signal });
}

/** True in an empty database, and when a demo was begun but not completed. */
async function isWanted(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean; is_begun: boolean; is_done: boolean }>`
    select not exists (select from users) as is_empty,
      exists (select from users where email = ${DEMO_EMAIL}) as is_begun,
      exists (select from audit_events where action = ${DONE}) as is_done
  `.execute(db);
  const [state] = rows;
  return state !== undefined && !state.is_done && (state.is_empty || state.is_begun);
}

/**
 * Creates the demo user, crops and projects, or finds those that exist. They lie in two organizations: people work for
 * several, and clients of BrAPI find two entries of everything, also of programs.
 */
async function moveIn(db: Queryable): Promise<Visitors> {
  const { id: userId } = await ensureUser(db, DEMO_EMAIL);
  await updateUserName(db, userId, NAMES.user);
  await updateEmailVerified(db, userId);
  const principal: Principal = {
    userId,
    email: DEMO_EMAIL,
    sessionId: null,
    scopes: null,
    projectIds: null,
    isFresh: false,
    lacksSecondFactor: false,
  };
  const existing = await db
    .selectFrom('projects')
    .select(['id', 'name', 'organization_id'])
    .where('created_by', '=', userId)
    .execute();
  const organizations = new Map<string, string>();
  const visitorOf = async (organization: string, name: string, crop: string): Promise<Visitor> => {
    const known = existing.find((project) => project.name === name);
    const organizationId =
      known?.organization_id ?? organizations.get(organization) ?? (await insertOrganization(db, organization, userId));
    organizations.set(organization, organizationId);
    const projectId =
      known?.id ??
      (await insertProject(db, {
        ...{ name, organization_id: organizationId, created_by: userId },
        crop_id: (await insertCrop(db, organizationId, crop, userId)).id,
      }));
    return {
      principal,
      access: {
        ...{ projectId, organizationId, readOnly: false, billingState: 'active' },
        ...{ role: 'OWNER', projectRole: 'OWNER', organizationRole: 'OWNER' },
      },
    };
  };
  return {
    panel: await visitorOf(NAMES.organization, NAMES.project, NAMES.crop),
    trials: await visitorOf(NAMES.partner, NAMES.trials, NAMES.trialCrop),
    tetraploids: await visitorOf(NAMES.organization, NAMES.tetraploids, NAMES.tetraploidCrop),
  };
}
