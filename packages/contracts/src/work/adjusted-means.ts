import * as z from 'zod';

const varianceComponent = z.object({
  variance: z.number(),
  se: z.number().nullable().describe('Standard error from the average information; null at the bound 0.'),
});

/** How the values of a trait were combined into adjusted means, and their sources of variation. */
export const meansSummary = z
  .object({
    trait: z.string(),
    unit: z.string().nullable(),
    model: z
      .string()
      .nullable()
      .describe('Terms of the fixed model that was fitted; null when no individual has several observations.'),
    n: z.number().int().describe('Individuals with a mean.'),
    observations: z.number().int(),
    not_estimable: z
      .number()
      .int()
      .describe('Individuals whose replicates share no individual with the rest: no mean.'),
    groups: z.number().int().describe('Groups of individuals that share no environment; 1 when all are connected.'),
    environments: z.number().int(),
    checks: z.array(z.string()).describe('Individuals whose effects are fixed in the mixed model.'),
    residual: z
      .object({ variance: z.number(), degrees: z.number().int() })
      .nullable()
      .describe('Residual mean square of the fixed model.'),
    components: z
      .object({
        line: varianceComponent,
        line_by_environment: varianceComponent.nullable().describe('Null when it cannot be told from the residual.'),
        residual: varianceComponent,
        log_likelihood: z.number(),
        converged: z.boolean(),
      })
      .nullable()
      .describe('By REML with random lines; environments, replicates, blocks and checks fixed.'),
    without_components: z
      .enum(['single_values', 'too_few', 'too_many_cells', 'not_computed'])
      .nullable()
      .describe('Why there are no components.'),
    h2_entry_mean: z.number().nullable().describe('1 − MS(error)/MS(lines).'),
    h2_cullis: z
      .number()
      .nullable()
      .describe('1 − mean variance of a difference of two BLUPs / 2σ²g (Cullis, Smith & Coombes 2006).'),
    h2_basis: z
      .enum(['cullis', 'entry-mean'])
      .nullable()
      .optional()
      .describe(
        'Which of the two the accuracy of an evaluation takes: Cullis where it exists; null without either, absent from files checked by a version before 1.3.',
      ),
  })
  .meta({ id: 'MeansSummary' });
export type MeansSummaryBody = z.infer<typeof meansSummary>;

/**
 * `GET …/files/{id}/means?trait=`: the adjusted means of a trait; `means.csv` of the same file is the table of all
 * traits.
 */
export const traitMeansQuery = z.object({ trait: z.string().max(256) });
export const meanFlag = z.enum(['missing', 'not_estimable', 'single_value', 'other_group']);
export const traitMeans = z
  .object({
    trait: z.string(),
    unit: z.string().nullable(),
    data: z.array(
      z.object({
        individual: z.string(),
        n: z.number().int().describe('Observations behind the mean.'),
        mean: z.number().nullable(),
        se: z.number().nullable().describe('Standard error under the fixed model.'),
        flag: meanFlag.nullable(),
      }),
    ),
    environments: z
      .array(
        z.object({
          name: z.string(),
          n: z.number().int(),
          min: z.number(),
          lower_quartile: z.number(),
          median: z.number(),
          upper_quartile: z.number(),
          max: z.number(),
        }),
      )
      .describe('The observations of the trait in each environment.'),
  })
  .meta({ id: 'TraitMeans' });
export type TraitMeansBody = z.infer<typeof traitMeans>;
