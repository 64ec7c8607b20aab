import * as z from 'zod';
import { description, id, name, reference, role, timestamp } from '../common.ts';
import { type FileType, fileType } from '../data/files.ts';
import { runKinds, runPaths } from '../work/run-kinds.ts';
import { keyFigure } from '../work/runs.ts';
import { billingState } from './billing.ts';
import { projectRight } from './rights.ts';

export const project = z
  .object({
    id,
    name: z.string(),
    organization: reference.nullable(),
    crop: reference.nullable(),
    role: z
      .enum([...role.options, 'GUEST'])
      .describe(
        'Your role: the higher of those in the project and in the organization; GUEST for visitors of the demo.',
      ),
    rights: z.array(projectRight).describe('What you may do there now.'),
    last_active_at: timestamp.describe('When somebody last changed something in it, to within minutes.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof project>;

export const projectDetail = project
  .extend({
    description: z.string().nullable(),
    members_read_only: z.boolean().describe('MEMBERs see everything and change nothing.'),
    billing_state: billingState.describe('Of the organization. Not active: the project can only be read.'),
  })
  .meta({ id: 'ProjectDetail' });
export type ProjectDetail = z.infer<typeof projectDetail>;

export const createProjectBody = z.object({ name, organization_id: id, crop_id: id });
export const updateProjectBody = z.object({
  name: name.optional(),
  description: description.nullable().optional(),
  members_read_only: z.boolean().optional(),
});

const recentRun = z.object({
  kind: z.enum([...runKinds, 'import']),
  id,
  name: z.string(),
  state: z
    .enum(['processing', 'success', 'error', 'cancelled'])
    .describe('State of the run: processing while any trait is processing; cancelled when somebody stopped it.'),
  progress: z.number().min(0).max(1).nullable().describe('Completed share, 0–1.'),
  is_waiting: z.boolean().describe('No worker has started it yet.'),
  key_figure: keyFigure,
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type RecentRun = z.infer<typeof recentRun>;

/** The types in lower case, and `other` for files whose type is not known yet. */
const fileCounts = [...fileType.options.map((type) => type.toLowerCase() as Lowercase<FileType>), 'other'] as const;

/** One count per name. */
const countOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((one) => [one, z.number().int()])) as Record<Name, z.ZodInt>;

/** What failed and is still there: invalid files, and runs of which a part failed. Stopped runs are left out. */
const failedThing = recentRun
  .pick({ kind: true, id: true, name: true, created_at: true })
  .extend({ reason: z.string().nullable().describe('Why it failed, in a sentence; null for files: see their check.') });
export type FailedThing = z.infer<typeof failedThing>;

const accuracy = z.object({
  trait: z.string(),
  model: reference,
  r: z.number().nullable().describe('Predictive ability: mean over the repetitions of the cross-validation.'),
  sd: z.number().nullable().describe('Standard deviation over the repetitions.'),
  created_at: timestamp.describe('Of the model.'),
});
export type OverviewAccuracy = z.infer<typeof accuracy>;

const association = z.object({
  trait: z.string(),
  gwas: reference,
  lambda: z.number(),
  hits: z.number().int().describe('Markers below the Bonferroni threshold.'),
  bonferroni: z.number().describe('p-value threshold, 5 % over all tests.'),
  top: z.object({ id: z.string(), chr: z.string(), pos: z.number(), p: z.number() }).nullable(),
});
export type OverviewAssociation = z.infer<typeof association>;

const bestCrosses = z.object({
  simulation: reference,
  crosses: z.number().int(),
  best: z
    .array(z.object({ trait: z.string(), cross: z.string(), usefulness: z.number() }))
    .describe('Of each trait, the cross with the largest usefulness.'),
});

/** The main figures of the newest results. */
const overviewResults = z.object({
  accuracies: z.array(accuracy).describe('By trait: of its newest models, the newest first.'),
  associations: z.array(association).describe('Of each trait its newest GWAS; the smallest p-value first.'),
  ranking: reference
    .extend({ traits: z.array(z.string()) })
    .nullable()
    .describe('The newest prediction that succeeded, which ranks lines by the index of the project.'),
  crosses: bestCrosses.nullable().describe('Of the newest crossing simulation that succeeded.'),
});

export type OverviewResults = z.infer<typeof overviewResults>;

/** `GET /projects/{p}/overview`: the contents of a project and its latest runs. */
export const projectOverview = z
  .object({
    files: z.object(countOf(fileCounts)),
    individuals: z.number().int().describe('Of the largest genotype file.'),
    markers: z.number().int().describe('Of the largest genotype file.'),
    traits: z.array(z.string()),
    newest: z
      .object({ genotype_id: id.nullable(), phenotype_id: id.nullable() })
      .describe('The newest files that can be used; null where there is none.'),
    ...countOf(runPaths),
    failed: z.array(failedThing).describe('The newest ones.'),
    failed_total: z.number().int(),
    results: overviewResults,
    recent: z.array(recentRun),
  })
  .meta({ id: 'ProjectOverview' });
export type ProjectOverview = z.infer<typeof projectOverview>;
