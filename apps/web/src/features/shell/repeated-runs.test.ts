import { allTogether, everyOption } from '@heterosis/contracts/options/every-option.test-data';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { installBrowser } from '../../testing/browser.ts';

// What the modules below need of a browser is read when they are loaded.
installBrowser();
const { covariateChoice, weightChoice } = await import('../work/run-dialog/index.ts');
const { modelBody, modelValues } = await import('../work/models/model-form.ts');
const { predictionBody, predictionValues } = await import('../work/predictions/prediction-form.ts');
const { gwasBody, gwasValues } = await import('../work/gwas/dialog/gwas-form.ts');
const { checkBody, checkValues } = await import('../work/parentage-checks/check-form.ts');
const { planBody, planValues } = await import('../work/crossing-plans/plan-form.ts');
const { crossingBody, crossingValues } = await import('../work/crossing-simulations/use-crossing-form.ts');
const { programmeBody, programmeValues } = await import('../work/programmes/use-programme-form.ts');
const { stackBody, stackValues } = await import('../work/stacking-plans/stack-form.ts');
const { trialBody, trialValues } = await import('../work/trial-analyses/trial-form.ts');

const AGAIN = 'Yield (again)';
const t = (() => AGAIN) as unknown as TFunction;
const ID = (last: number): string => `01900000-0000-7000-8000-00000000000${last}`;
const TRAITS = ['yield', 'height'];
const RENAMES = [{ from: 'L-1', to: 'L1' }];

/** What the dialog knows of the columns of the files before it has read them. */
const unread = {
  ...{ availableTraits: [], availableCovariates: [], availableGroups: [], codeLike: [], traits: TRAITS },
  covariance: null,
};

interface Asked extends Record<string, unknown> {
  name: string;
}

interface Kind {
  /** Values of its own options, where they are others than everywhere. */
  own?: Readonly<Record<string, unknown>>;
  /** The inputs of a request with these options. */
  inputs: (options: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The request of the dialog that repeats a run, before anything is changed. */
  again: (run: never) => unknown;
}

const ofTraits = ({ covariate_kinds: kinds, standard_errors: errors }: Readonly<Record<string, unknown>>) => ({
  ...{ genotype_id: ID(1), phenotype_id: ID(2), traits: TRAITS, renames: RENAMES },
  // What a request means that does not say it.
  weights: errors === undefined ? 'none' : 'se',
  ...(kinds === undefined ? {} : { covariates: Object.keys(kinds as object) }),
});

const FEW = { qtl: 5, effects: 'equal', mean: 3, variance: 2, dominance: 0.5 };
const ARCHITECTURE = { trait: 'yield', ...FEW };
const SCHEME = {
  ...{ name: 'One', cycles: 1, error: { environment: 1, plot: 1 }, start: [] },
  cycle: TRAITS.map((trait) => ({
    ...{ do: 'phenotype', population: 'founders', trait, environments: 1, replicates: 1, as: trait },
  })),
};

const KINDS: Record<RunKind, Kind> = {
  model: {
    inputs: (options) => ({
      ...ofTraits(options),
      ...(options['dominance_effect'] ||
      options['fixed'] ||
      options['compared_models'] ||
      options['model_type'] ||
      options['fixed_markers']
        ? {}
        : { pedigree_id: ID(3) }),
    }),
    again: (run: Parameters<typeof modelValues>[0]) => {
      const values = modelValues(run, t);
      const choice = { ...covariateChoice(unread, values), weighing: weightChoice(unread, values) };
      return modelBody(values, { renames: values.renames }, { ...choice, leaveOut: values.leave_out });
    },
  },
  prediction: {
    own: { exclusions: { only_samples: ['L1', 'L2'], max_sample_heterozygosity: 0.2, duplicates: true } },
    inputs: () => ({ model_id: ID(4), genotype_id: ID(1) }),
    again: (run: Parameters<typeof predictionValues>[0]) =>
      predictionBody(predictionValues(run, AGAIN), { isSparse: false, takesRecords: true }),
  },
  gwas: {
    inputs: ofTraits,
    again: (run: Parameters<typeof gwasValues>[0]) => {
      const values = gwasValues(run, [], t);
      const choice = { ...covariateChoice(unread, values), weighing: weightChoice(unread, values) };
      return gwasBody(values, { renames: values.renames }, choice);
    },
  },
  trial_analysis: {
    own: {
      overrides: [{ environment: 'Bonn', trait: 'yield', model: 'rowcol' }],
      set_aside: [{ environment: 'Bonn', row: 1, column: 2, reason: 'Deer' }],
    },
    inputs: () => ({ phenotype_ids: [ID(2)], genotype_id: ID(1), pedigree_id: ID(3), traits: TRAITS }),
    again: (run: NonNullable<Parameters<typeof trialValues>[0]>) => trialBody(trialValues(run, AGAIN), run),
  },
  parentage_check: {
    inputs: ({ pedigree }) => ({ genotype_id: ID(1), ...(pedigree === 'file' ? { pedigree_id: ID(3) } : {}) }),
    again: (run: Parameters<typeof checkValues>[0]) => checkBody(checkValues(run, AGAIN)),
  },
  crossing_plan: {
    inputs: ({ candidates_from: from, made_from: made }) => ({
      ...{ model_id: ID(4), pedigree_id: ID(3), traits: TRAITS },
      ...(from === 'model' ? { population: null } : { genotype_id: ID(1), linkage_map_id: ID(5) }),
      ...(Array.isArray(made) && made.includes('crossing_tables') ? {} : { crossing_table_id: ID(6) }),
    }),
    again: (run: Parameters<typeof planValues>[0]) => planBody(planValues(run, AGAIN), TRAITS),
  },
  crossing_simulation: {
    inputs: ({ bp_per_cm }) => ({
      ...{ model_id: ID(4), genotype_id: ID(1), crossing_table_id: ID(6), renames: RENAMES },
      ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
    }),
    again: (run: Parameters<typeof crossingValues>[0]) => crossingBody(crossingValues(run, AGAIN), TRAITS),
  },
  stacking_plan: {
    own: { targets: [{ marker: 'm1', allele: 'A' }], donors: ['L1', 'L2'], recurrent: 'L3' },
    inputs: ({ bp_per_cm }) => ({
      ...{ genotype_id: ID(1), donors: ['L1'], targets: [{ marker: 'm2', allele: 'C' }] },
      ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
    }),
    again: (run: Parameters<typeof stackValues>[0]) => stackBody(stackValues(run, AGAIN)),
  },
  programme: {
    own: { schemes: [SCHEME], founders: ['L1', 'L2'], architecture: [ARCHITECTURE, { trait: 'height', ...FEW }] },
    inputs: ({ architecture, bp_per_cm }) => ({
      ...{ genotype_id: ID(1), schemes: [SCHEME] },
      ...(architecture === undefined ? { model_id: ID(4), traits: TRAITS } : {}),
      ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
    }),
    again: (run: Parameters<typeof programmeValues>[0]) => programmeBody(programmeValues(run, AGAIN), []),
  },
};

/** A run that was asked for, as its page knows it. */
function runOf(asked: Asked): object {
  const { seed = 1, dominance_effect, pedigree, traits = [], ...parameters } = asked;
  const file = (id: unknown) => ({ id, name: 'a file' });
  const inputs = Object.entries(parameters).flatMap(([key, id]): [string, unknown][] => {
    if (key.endsWith('_ids') && Array.isArray(id)) return [[`${key.slice(0, -'_ids'.length)}s`, id.map(file)]];
    return key.endsWith('_id') ? [[key.slice(0, -'_id'.length), file(id)]] : [];
  });
  return {
    ...{ id: ID(9), name: 'Yield', traits, include_dominance_effects: dominance_effect, compared_with: pedigree },
    ...Object.fromEntries(inputs),
    provenance: { seed, parameters },
  };
}

test.each(Object.entries(KINDS))(
  'a %s that is repeated asks for all that was asked',
  (kind, { own, inputs, again }) => {
    const { options: table, endpoints } = RUN_CONTRACTS[RUN_KINDS[kind as RunKind].path];
    const { body: schema } = endpoints.createRun;
    const requests = [...everyOption(table, own), allTogether(table, own)];
    for (const options of requests) {
      const asked = { ...inputs(options), ...options, ...pickNull(inputs(options)), name: AGAIN };
      const read = schema.safeParse(asked);
      expect(read.error, JSON.stringify(options)).toBeUndefined();
      const repeated = again(runOf(read.data as Asked) as never);
      expect(plain(schema.parse(repeated)), JSON.stringify(options)).toEqual(plain(read.data));
    }
    expect(requests.length).toBeGreaterThan(3);
  },
);

/** Without what is undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What inputs decide whatever was asked. */
const pickNull = (inputs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value === null));
