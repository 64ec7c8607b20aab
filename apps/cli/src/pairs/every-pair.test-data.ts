import type { Command } from '../command.ts';
import { evaluateCommand } from '../commands/evaluate.ts';
import { gwasCommand } from '../commands/gwas.ts';
import { predictCommand } from '../commands/predict.ts';
import { trainCommand } from '../commands/train.ts';
import { PAIRED_COMMANDS, type Pair } from './run-pair.test-data.ts';

/** Commands whose options are tried in pairs. */
export const COMMANDS: readonly Command[] = [trainCommand, evaluateCommand, predictCommand, gwasCommand];
/** Commands that have no dense definition here yet. */
export const WITHOUT_DEFINITION: readonly string[] = ['cross', 'plan'];

/** Options of a command that have no setting here, and settings that are no options. */
export function unknownOptions({ name, options }: Command): string[] {
  const settings = Object.keys(PAIRED_COMMANDS[name]?.settings ?? {});
  const known = Object.keys(options);
  return [...known.filter((one) => !settings.includes(one)), ...settings.filter((one) => !known.includes(one))];
}

/** Every two options, and each alone: from both engines, with a trait that `x` explains and one of noise. */
export function pairsOf({ name, options }: Command): Pair[] {
  const names = Object.keys(options);
  const engines =
    PAIRED_COMMANDS[name]?.hasEngines === true ? (['individuals', 'markers'] as const) : (['individuals'] as const);
  return names.flatMap((one, k) =>
    names
      .slice(k)
      .flatMap((other) =>
        engines.flatMap((engine) =>
          ['yield', 'noise'].map((trait): Pair => ({ command: name, options: [one, other], engine, trait })),
        ),
      ),
  );
}
