import * as z from 'zod';
import { id, trait } from '../common.ts';
import { GENE_ACTIONS, GWAS_OPTIONS } from '../options/gwas.ts';
import { MODEL_OPTIONS } from '../options/models.ts';
import { bodyShape } from '../options/option-schemas.ts';

const { n_fold, n_repetition, compared_models, cycles, chains, model_type } = MODEL_OPTIONS;
const { test, stepwise, permutations } = GWAS_OPTIONS;

/** `POST /projects/{p}/estimate`: what a run on these inputs takes, before it is started. */
export const estimateBody = z.object({
  analysis: z.enum(['train', 'gwas']).describe('`train`: training and cross-validation of a model.'),
  genotype_id: id,
  phenotype_id: id,
  traits: z.array(trait).min(1).max(1000),
  dominance: z.boolean().default(false),
  weights: z.enum(['none', 'se', 'full']).default('none').describe('What is known of the errors of the values.'),
  residual_lines: z.boolean().default(false).describe('With a variance of lines beside known errors.'),
  multi_trait: z
    .boolean()
    .default(false)
    .describe('With the traits fitted together; of a GWAS, with tests on the traits together.'),
  single_step: z.boolean().default(false).describe('With a pedigree.'),
  ...bodyShape({ n_fold, n_repetition, compared_models, cycles, chains, model_type, test }, {}),
  loco: z.boolean().default(false).describe('Of a GWAS: leaving one chromosome out.'),
  permutations: z
    .number()
    .int()
    .min(0)
    .max(permutations.max)
    .default(0)
    .describe('Of a GWAS: permutations of each trait; 0 for none.'),
  gene_action: z
    .array(z.enum(GENE_ACTIONS))
    .max(GENE_ACTIONS.length)
    .default([])
    .describe('Of a GWAS of polyploids: gene actions that are tested beside copies of A2.'),
  stepwise: z.number().int().min(0).max(stepwise.max).default(0).describe('Of a GWAS: steps of a multi-locus model.'),
});

const engine = z
  .enum(['individuals', 'markers'])
  .describe('Computed from the kinship of the individuals (n × n), or from the equations of the markers (m × m).');

/** How a result was computed. */
export const engineChoice = z
  .object({
    name: engine,
    reason: z.string(),
    pruned: z
      .object({ r2: z.number(), markers: z.number().int() })
      .optional()
      .describe('Of a GWAS whose kinship is that of the markers left by LD pruning: the largest r², and how many.'),
  })
  .meta({ id: 'EngineChoice', description: 'How it was computed, and why so; the numbers do not depend on it.' });

export const runEstimate = z
  .object({
    engine,
    reason: z.string().describe('Why so, in one sentence.'),
    seconds: z.number().describe('Of computing, on a server with nothing else to do.'),
    memory_mb: z.number().int(),
    disk_mb: z.number().int().describe('Results and temporary files.'),
    pruning: z
      .object({
        markers: z.number().int().describe('Of the genotype.'),
        at_most: z.number().int().describe('As many fit into memory; the estimate is that of this number.'),
      })
      .nullable()
      .describe(
        'Null where all markers fit into memory. Otherwise they are first pruned by LD, to r² 0.95, then 0.8 and 0.5, until so few are left; how many, is known only then. A GWAS prunes those of its kinship, and tests all.',
      ),
  })
  .meta({ id: 'RunEstimate' });
export type RunEstimate = z.infer<typeof runEstimate>;
