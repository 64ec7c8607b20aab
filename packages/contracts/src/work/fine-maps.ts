import * as z from 'zod';
import { id, timestamp, trait } from '../common.ts';
import { errorExtra, progress, runStatus } from './runs.ts';

/** More markers are not told apart at a time on the server. */
export const MOST_FINE_MAPPED = 2000;
/** Of one GWAS; the oldest gives way. */
export const MOST_FINE_MAPS = 20;

const positionBp = z.number().nonnegative().max(1e12);
const region = {
  trait,
  chr: z.string().max(255),
  start: positionBp.describe('In bp, inclusive.'),
  end: positionBp.describe('In bp, inclusive.'),
};

const settings = {
  effects: z.number().int().min(1).max(50).describe('Largest number of effects. More than there are do no harm.'),
  coverage: z.number().min(0.5).max(0.999).describe('Probability that a credible set holds a marker with an effect.'),
};

/** `POST …/gwas/{id}/fine_maps`. */
export const createFineMapBody = z.object({
  ...region,
  effects: settings.effects.default(10),
  coverage: settings.coverage.default(0.95),
});

export const fineMap = z
  .object({
    id,
    ...region,
    ...settings,
    status: runStatus,
    progress: progress.nullable(),
    error_extra: errorExtra.nullable(),
    created_at: timestamp,
    result: z
      .object({
        n: z.number().int().describe('Individuals.'),
        kinship: z
          .enum(['other chromosomes', 'all markers'])
          .describe('The markers whose relationships stand beside the effects.'),
        variances: z.object({ additive: z.number(), residual: z.number() }),
        converged: z.boolean(),
        sets: z
          .array(
            z.object({
              markers: z.array(z.string()).describe('The most probable first.'),
              coverage: z.number(),
              purity: z.number().describe('Least correlation between two of its markers, in absolute value.'),
              log_bayes_factor: z.number().describe('Of the effect against none.'),
            }),
          )
          .describe('Credible sets, the best supported first.'),
        markers: z
          .array(
            z.object({
              id: z.string(),
              pos: z.number().describe('In bp.'),
              pip: z.number().describe('Posterior probability of an effect.'),
              effect: z.number().describe('Posterior mean, per copy of A2.'),
              set: z.number().int().nullable().describe('Number of its credible set; null outside.'),
            }),
          )
          .describe('By position.'),
        command: z
          .string()
          .nullable()
          .describe(
            'The command that does the same without a server; null where individuals or markers are left out, and with the covariance of means.',
          ),
        methods: z.string().describe('A paragraph for the methods section of a paper.'),
      })
      .nullable()
      .describe('Null until it has ended well.'),
  })
  .meta({ id: 'FineMap' });
export type FineMap = z.infer<typeof fineMap>;
export type FineMapResult = NonNullable<FineMap['result']>;

/** `GET …/gwas/{id}/fine_maps`: newest first, without results. */
export const fineMaps = z
  .object({ data: z.array(fineMap.omit({ result: true })) })
  .meta({ id: 'FineMaps', description: 'Newest first.' });
export const fineMapsQuery = z.object({ trait: trait.optional() });
