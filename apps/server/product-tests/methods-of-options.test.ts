import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { allTogether, everyOption } from '@heterosis/contracts/options/every-option.test-data';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { expect, test } from 'vitest';
import { KINDS } from '../src/entrypoints/wiring.ts';

/** Figures that paragraphs name, whatever was asked. */
const REPORT = { crosses: 2, parents: 3, coancestry: 0.1, cap: 0.2, meets_cap: true, made_pairs: 4, progeny: 5 };
const COUNTS = { markers: 6, shared: 7, model_markers: 8, effect_markers: 9 };

/** A run of any kind that was asked for with these options: its row, and what its page knows. */
function runOf(asked: object): object {
  const parameters = { low_traits: [], bp_per_cm: 1e6, model: 'auto', ...asked };
  return {
    ...{ fixed: 0, thresh_callrate: 0.9, trait_rows: [], has_genotype: true, ...asked, parameters },
    ...{ traits: ['yield', 'height'], model: null, pedigree: null, linkage_map: null, fit: {}, evaluation: {} },
    ...{ left_out: null, report: { ...REPORT, ...COUNTS } },
    provenance: { seed: 1, software_version: '1.0.0', input_sha256: {}, parameters },
  };
}

test.each(KINDS.map(({ definition }) => [definition.kind, definition] as const))(
  'the methods paragraph of a %s says what its table says of options',
  (kind, definition) => {
    const { options } = RUN_CONTRACTS[RUN_KINDS[kind].path];
    const all = [...everyOption(options), allTogether(options)];
    const silent = all.flatMap((asked) => {
      const run = runOf(asked) as never;
      const said = definition.methods(run, run);
      const { leave_out, n_fold, n_repetition, ...others }: Record<string, string> = sentencesOf(options, asked);
      // Folds are those of random groups; with whole groups there are none.
      const sentences = leave_out === undefined ? { ...others, n_fold, n_repetition } : { ...others, leave_out };
      return Object.entries(sentences).flatMap(([name, sentence = '']) => (said.includes(sentence) ? [] : [name]));
    });
    expect([...new Set(silent)]).toEqual([]);
  },
);
