import { TRAITS } from '@heterosis/analysis/dense/world.test-data';
import type { Command } from '../command.ts';
import { crossCommand } from '../commands/cross.ts';
import { evaluateCommand } from '../commands/evaluate.ts';
import { gwasCommand } from '../commands/gwas.ts';
import { planCommand } from '../commands/plan.ts';
import { predictCommand } from '../commands/predict.ts';
import { trainCommand } from '../commands/train.ts';
import type { Pair } from './pair.test-data.ts';
import { PAIRED_COMMANDS } from './run-pair.test-data.ts';

/** Commands whose options are tried in pairs. */
export const COMMANDS: readonly Command[] = [
  trainCommand,
  evaluateCommand,
  predictCommand,
  gwasCommand,
  crossCommand,
  planCommand,
];
/** Options of a command that have no setting here, and settings that are no options. */
export function unknownOptions({ name, options }: Command): string[] {
  const settings = PAIRED_COMMANDS[name]?.options ?? [];
  const known = Object.keys(options);
  return [...known.filter((one) => !settings.includes(one)), ...settings.filter((one) => !known.includes(one))];
}

/** Every two options, and each alone: in all variants, with a trait that `x` explains and one of noise. */
export function pairsOf({ name, options }: Command): Pair[] {
  const names = Object.keys(options);
  const variants = PAIRED_COMMANDS[name]?.variants ?? [];
  return names.flatMap((one, k) =>
    names
      .slice(k)
      .flatMap((other) =>
        variants.flatMap((variant) =>
          Object.values(TRAITS).map((trait): Pair => ({ command: name, options: [one, other], variant, trait })),
        ),
      ),
  );
}
