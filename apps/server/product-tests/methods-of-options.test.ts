import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { allTogether, everyOption } from '@heterosis/contracts/options/every-option.test-data';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import { expect, test } from 'vitest';
import { planMethods } from '../src/features/work/crossing-plans/methods-paragraph.ts';
import { crossingMethods } from '../src/features/work/crossing-simulations/methods-paragraph.ts';
import { methodsParagraph } from '../src/features/work/gwas/methods-paragraph.ts';
import { modelMethods } from '../src/features/work/models/methods-paragraph.ts';
import { parentageMethods } from '../src/features/work/parentage-checks/methods-paragraph.ts';
import { predictionMethods } from '../src/features/work/predictions/methods-paragraph.ts';
import { programmeMethods } from '../src/features/work/programmes/methods-paragraph.ts';
import { stackingMethods } from '../src/features/work/stacking-plans/methods-paragraph.ts';
import { trialMethods } from '../src/features/work/trial-analyses/methods-paragraph.ts';

const TRAITS = ['yield', 'height'];
/** Figures that paragraphs name, whatever was asked. */
const REPORT = { crosses: 2, parents: 3, coancestry: 0.1, cap: 0.2, meets_cap: true, made_pairs: 4, progeny: 5 };
const COUNTS = { markers: 6, shared: 7, model_markers: 8, effect_markers: 9 };

const detailOf = (parameters: object) => ({
  ...{ traits: TRAITS, model: null, pedigree: null, linkage_map: null, fit: {}, evaluation: {}, left_out: null },
  report: { ...REPORT, ...COUNTS },
  provenance: {
    seed: 1,
    software_version: '1.0.0',
    input_sha256: {},
    parameters: { low_traits: [], bp_per_cm: 1e6, ...parameters },
  },
});

const METHODS: Record<RunPath, (run: never) => string> = {
  models: modelMethods,
  predictions: predictionMethods,
  gwas: (run: ReturnType<typeof detailOf>) => {
    const { parameters } = run.provenance;
    return methodsParagraph({ fixed: 0, thresh_callrate: 0.9, ...parameters, parameters, trait_rows: [] } as never);
  },
  trial_analyses: (run: ReturnType<typeof detailOf>) =>
    trialMethods({
      parameters: { model: 'auto', ...run.provenance.parameters },
      trait_rows: [],
      has_genotype: true,
    } as never),
  parentage_checks: parentageMethods,
  crossing_plans: planMethods,
  crossing_simulations: crossingMethods,
  stacking_plans: stackingMethods,
  programmes: programmeMethods,
};

test.each(Object.entries(METHODS))(
  'the methods paragraph of %s says what its table says of options',
  (path, methods) => {
    const { options } = RUN_CONTRACTS[path as RunPath];
    const all = [...everyOption(options), allTogether(options)];
    const silent = all.flatMap((asked) => {
      const said = methods(detailOf(asked) as never);
      const { leave_out, n_fold, n_repetition, ...others }: Record<string, string> = sentencesOf(options, asked);
      // Folds are those of random groups; with whole groups there are none.
      const sentences = leave_out === undefined ? { ...others, n_fold, n_repetition } : { ...others, leave_out };
      return Object.entries(sentences).flatMap(([name, sentence = '']) => (said.includes(sentence) ? [] : [name]));
    });
    expect([...new Set(silent)]).toEqual([]);
  },
);
