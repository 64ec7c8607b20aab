import * as z from 'zod';
import { description, id, name, pageQuery, paper, timestamp, trait } from '../common.ts';

/** State of a run, or of one trait of a run. */
export const runStatus = z.enum(['PROCESSING', 'SUCCESS', 'ERROR']);
export type RunStatus = z.infer<typeof runStatus>;

/** What came out of a run, in a few words. */
export const keyFigure = z
  .string()
  .nullable()
  .describe('The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one.');

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
  'simulate',
  'phase',
  'write',
]);
export type Stage = z.infer<typeof stage>;

/** Progress of a trait. */
export const progress = z
  .object({
    stage,
    done: z.number().describe('Units done of `total`; each stage counts its own (markers, folds …).'),
    total: z.number(),
    started_at: timestamp.nullable().describe('Start of this stage; null while the run waits.'),
    runs_before: z
      .number()
      .int()
      .nullable()
      .describe('While the run waits: the number of runs that begin before it, over all users of the same workers.'),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof progress>;

/**
 * Why a trait ended in ERROR: a stable code, a sentence for breeders, and what to do. A map of strings.
 */
export const errorExtra = z.record(z.string(), z.string()).meta({
  id: 'ErrorExtra',
  description: 'Why it failed: `code`, `message` (a sentence) and `action` (what to do).',
});
export type ErrorExtra = z.infer<typeof errorExtra>;

/**
 * Whether a run that ended with this code may succeed if started again unchanged: it was stopped, or the failure did
 * not come from its files and settings.
 */
export const isRetryable = (code: string): boolean => /^(compute|server|jobs|storage)\/|^runs\/cancelled$/.test(code);

/** Provenance of a run: enough to repeat it bit for bit. */
export const provenance = z.object({
  created_by: z.string().nullable(),
  seed: z.number().int().nullable().describe('Null when nothing is random.'),
  software_version: z.string(),
  input_sha256: z.record(z.string(), z.string()).describe('Input role → SHA-256 of the original file.'),
  parameters: z
    .record(z.string(), z.unknown())
    .describe('The same parameters, inputs, seed and version give the same bytes.'),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  seconds: z.number().nullable().describe('From start to end.'),
});
export type Provenance = z.infer<typeof provenance>;

/** `GET …/{run}/{id}/citation`: how what has ended is cited, where nobody registers DOIs. */
export const citation = z
  .object({
    text: z.string().describe('For a list of references.'),
    bibtex: z.string(),
    address: z.url().describe('The page of the result. It stays the same, whatever the result is called.'),
    sha256: z
      .string()
      .describe(
        'Of a run: the SHA-256 of its kind, traits, parameters, seed, version and inputs, from which its results follow byte for byte. Of a decision: that of its minutes.',
      ),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citation>;

/** `GET …/{run}/{id}/report`. */
export const reportQuery = z.object({ page: paper.default('A4') });
export type ReportQuery = z.output<typeof reportQuery>;

/** A name in the phenotype file or crossing table mapped to a name in the genotype, in this run only. */
export const rename = z.object({
  from: z.string().min(1).max(255).describe('Name in the phenotype file or crossing table.'),
  to: z.string().min(1).max(255).describe('Name in the genotype file.'),
});
export const renames = z
  .array(rename)
  .max(10_000)
  .describe('Names that stand for names of the genotype, in this run only.');

/** Trait → value. */
export const byTrait = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** Query of lists of runs on a genotype and a phenotype file. */
export const listRunsQuery = pageQuery.extend({
  genotype_id: id.optional(),
  phenotype_id: id.optional(),
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
});

/** Query of a route about one trait of a run. */
export const traitQuery = z.object({ trait });

/** State and origin of a run that is computed in one step, as lists show them. */
export const oneStepState = {
  status: runStatus,
  error_extra: errorExtra.nullable().describe('Null unless the state is ERROR.'),
  progress: progress.nullable(),
  traits: z.array(z.string()),
  created_by: z.string().nullable(),
  key_figure: keyFigure,
  created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A new name or description of a run; absent fields stay unchanged. */
export const updateRunBody = z.object({ name: name.optional(), description: description.nullable().optional() });
