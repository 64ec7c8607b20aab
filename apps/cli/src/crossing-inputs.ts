import { readFile } from 'node:fs/promises';
import { type CrossingEffects, effectsOfModel } from '@heterosis/analysis/crossing/crossing-effects';
import { openEffects } from '@heterosis/analysis/crossing/read-crossing-files';
import { openFileSource } from '@heterosis/analysis/inputs/byte-source';
import { parseModelJson } from '@heterosis/analysis/prediction/model-file';
import { type CommandIo, inputError } from './command.ts';

/** The names in a list of traits, all of which must have effects. */
export function knownTraits(
  effects: { traits: readonly { name: string }[] },
  option: string,
  names: readonly string[] = [],
): readonly string[] {
  const known = effects.traits.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw inputError(
    'E-CLI-VALUE',
    `--${option} names "${unknown}", and the effects have no such trait.`,
    `Choose from ${known.join(', ')}.`,
  );
}

/** Marker effects from `--model` or `--effects`, one of which must be given. */
export async function readEffectsOption(
  command: string,
  options: { model: string | undefined; effects: string | undefined },
  io: CommandIo,
): Promise<CrossingEffects> {
  if ((options.model === undefined) === (options.effects === undefined)) {
    throw inputError(
      'E-CLI-MISSING',
      `${command} needs either --model or --effects.`,
      `Run: heterosis ${command} --help`,
    );
  }
  if (options.model !== undefined) return effectsOfModel(parseModelJson(await readFile(options.model, 'utf8')));
  const path = options.effects ?? '';
  const effects = await openEffects(path, io.context);
  io.report(warnings(effects.problems), path);
  return effects.value;
}

/** The genotype file itself, which may hold phase; null for a PLINK prefix, which cannot. */
export async function openOriginal(path: string): Promise<Awaited<ReturnType<typeof openFileSource>> | null> {
  try {
    return await openFileSource(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The warnings among the problems of a file. */
export function warnings<P extends { severity: string }>(problems: readonly P[]): P[] {
  return problems.filter((problem) => problem.severity === 'warning');
}
