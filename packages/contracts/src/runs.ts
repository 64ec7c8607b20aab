import * as z from 'zod';
import { description, id, name, pageQuery, timestamp, trait } from './common.ts';

/** State of a run, or of one trait of a run. */
export const runStatus = z.enum(['PROCESSING', 'SUCCESS', 'ERROR']);
export type RunStatus = z.infer<typeof runStatus>;

export const stage = z.enum([
  'queued',
  'read',
  'match',
  'qc',
  'kinship',
  'fit',
  'cross-validate',
  'test',
  'predict',
  'cross',
  'phase',
  'write',
]);
export type Stage = z.infer<typeof stage>;

/** Where a running trait is. */
export const progress = z
  .object({
    stage,
    done: z.number().describe('Of `total`: what the stage counts (markers, folds …).'),
    total: z.number(),
    started_at: timestamp.nullable().describe('When this stage began; null while the run waits.'),
    runs_before: z
      .number()
      .int()
      .nullable()
      .describe(
        'While the run waits: how many begin before it. All runs count that wait for the same workers, whoever started them.',
      ),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof progress>;

/** Why a trait ended in ERROR: stable code, a sentence a breeder understands, what to do. SPEC: a map of strings. */
export const errorExtra = z.record(z.string(), z.string()).meta({
  id: 'ErrorExtra',
  description: 'Why it failed: `code`, `message` (a sentence) and `action` (what to do).',
});
export type ErrorExtra = z.infer<typeof errorExtra>;

/**
 * Whether what ended with this code may go well when it is started again as it is: it was stopped, or the failure was not about its
 * files and settings. The same files and settings give the same end.
 */
export const isRetryable = (code: string): boolean => /^(compute|server|jobs|storage)\/|^runs\/cancelled$/.test(code);

/** Provenance of a run: enough to repeat it bit for bit. */
export const provenance = z.object({
  created_by: z.string().nullable(),
  seed: z.number().int().nullable().describe('Null where nothing is drawn at random.'),
  software_version: z.string(),
  input_sha256: z.record(z.string(), z.string()).describe('Input role → SHA-256 of the original file.'),
  parameters: z
    .record(z.string(), z.unknown())
    .describe('With these, the same inputs and the same seed, the same version gives the same bytes.'),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  seconds: z.number().nullable().describe('From the beginning to the end, in seconds.'),
});
export type Provenance = z.infer<typeof provenance>;

/** A name of the phenotype (or crossing table) to be read as a name of the genotype, for this run only. */
export const rename = z.object({
  from: z.string().min(1).max(255).describe('As the phenotype file or crossing table has it.'),
  to: z.string().min(1).max(255).describe('As the genotype file has it.'),
});
export const renames = z.array(rename).max(10_000).describe('Names to be read as others, for this run only.');

/** Trait → value. */
export const byTrait = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** Query of the lists of models and GWAS. */
export const listRunsQuery = pageQuery.extend({
  genotype_id: id.optional(),
  phenotype_id: id.optional(),
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
});

/** Query of a route about one trait of a run. */
export const traitQuery = z.object({ trait });

/** A new name or description of a run; what is absent stays as it is. */
export const updateRunBody = z.object({ name: name.optional(), description: description.nullable().optional() });
