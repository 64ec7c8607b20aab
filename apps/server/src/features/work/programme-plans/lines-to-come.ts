import { MAX_MEMBERS } from '@heterosis/contracts/data/lists';
import { lineNames, type PlannedStep, type stepListBody } from '@heterosis/contracts/work/programmes/programme-plans';
import { filledTemplate } from '@heterosis/statgen/designs/plot-names';
import type * as z from 'zod';
import { Problem } from '../../../platform/http/problem.ts';
import type { DescendedLine } from '../../data/germplasm/index.ts';

/** What lines come from: crosses, or plants without a father. */
export interface Sources {
  parents: { mother: string; father: string | null }[];
  /** How many the scheme has. */
  planned: number;
}

type Body = z.output<typeof stepListBody>;

/**
 * The lines that a step makes, under the names that a template gives them.
 *
 * @param sources null where they are not known
 * @throws Problem `lists/too-long`, and `request/invalid` for a template that gives several lines one name
 */
export function linesToCome(
  programme: string,
  planned: PlannedStep,
  sources: Sources | null,
  { line_names, lines_each }: Pick<Body, 'line_names' | 'lines_each'>,
): DescendedLine[] {
  const template = line_names ?? lineNames(programme, planned);
  const of = sources?.parents ?? [{ mother: null, father: null }];
  const each = lines_each ?? Math.max(1, Math.round(planned.individuals / (sources?.planned ?? 1)));
  const total = of.length * each;
  if (total === 0 || total > MAX_MEMBERS)
    throw new Problem(
      'lists/too-long',
      `A list has 1 to ${MAX_MEMBERS} names; this one would have ${total}. Take fewer lines of each cross, or name them in parts.`,
    );
  requireTemplate(template, { isOne: of.length === 1, each });
  const descent = descentOf(planned);
  return of.flatMap(({ mother, father }, cross) =>
    Array.from({ length: each }, (_, line) => ({
      name: filledTemplate(template, { number: cross * each + line + 1, cross: cross + 1, line: line + 1 }),
      ...{ mother, father, ...descent },
    })),
  );
}

function descentOf({ stage }: PlannedStep): Pick<DescendedLine, 'crossType' | 'selfingGenerations'> {
  return stage.do === 'self'
    ? { crossType: 'SELF', selfingGenerations: stage.generations ?? 1 }
    : { crossType: 'DH', selfingGenerations: null };
}

const PLACEHOLDERS = ['number', 'cross', 'line'];

function requireTemplate(template: string, { isOne, each }: { isOne: boolean; each: number }): void {
  const used = [...template.matchAll(/\{([^{}:]*)[^{}]*\}/g)].map(([, name]) => name ?? '');
  const has = (name: string): boolean => used.includes(name);
  const unknown = used.find((name) => !PLACEHOLDERS.includes(name));
  const tellsApart = has('number') || ((isOne || has('cross')) && (each === 1 || has('line')));
  const reason =
    unknown !== undefined
      ? `There is no {${unknown}}; there are {number}, {cross} and {line}`
      : tellsApart
        ? undefined
        : 'Several lines would have one name: write {number}, or {cross} and {line}, in it';
  if (reason !== undefined)
    throw new Problem('request/invalid', `Names "${template}": ${reason}.`, {
      invalidParams: [{ name: 'body.line_names', reason }],
    });
}
