import type { NewTrialObservation, RefusedObservation } from '@heterosis/contracts/data/trial-observations';
import { misfitOf, type ProjectTrait, storedValue } from '@heterosis/contracts/people/traits';
import { isMissing } from '@heterosis/file-formats/tables/text/cell-values';
import type { PlotRow } from './layout.ts';
import type { Cell } from './observations.queries.ts';

/** What values are held against. */
interface Known {
  /** By number. */
  plots: ReadonlyMap<number, Pick<PlotRow, 'kind'>>;
  /** Those of the project, by name. */
  traits: ReadonlyMap<string, Pick<ProjectTrait, 'scale'>>;
  /** Observations of the trial, by id: those of the request, and those that it corrects. */
  observations: ReadonlyMap<string, Cell & { value: string | null; observed_at: string }>;
}

type Settled = Omit<NewTrialObservation, 'value'> & { value: string | null };

/**
 * Values as they are stored, without those that are stored already, and why any is refused.
 *
 * Only one without errors may be stored.
 */
export function settleValues(
  wanted: readonly NewTrialObservation[],
  { plots, traits, observations }: Known,
): { fresh: Settled[]; known: number; errors: RefusedObservation[] } {
  const errors: RefusedObservation[] = [];
  const fresh = new Map<string, Settled>();
  let known = 0;
  for (const [index, one] of wanted.entries()) {
    const refuse = (code: RefusedObservation['code'], message: string): void => {
      errors.push({ index, id: one.id, plot: one.plot, trait: one.trait, code, message });
    };
    const plot = plots.get(one.plot);
    const trait = traits.get(one.trait);
    const text = one.value === null || isMissing(String(one.value).trim()) ? null : String(one.value);
    const scale = trait?.scale ?? null;
    const settled = { ...one, value: text === null ? null : numberOr(storedValue(scale, text), scale) };
    const before = observations.get(one.id) ?? fresh.get(one.id);
    if (before !== undefined) {
      if (isSame(before, settled)) known++;
      else refuse('id-reused', `The id of this value of "${one.trait}" on plot ${one.plot} is that of another value.`);
      continue;
    }
    const misfit = text === null ? null : misfitOf(scale, text);
    const stranger = one.corrects
      .map((id) => observations.get(id) ?? wanted.find((other) => other.id === id))
      .find((other) => other !== undefined && (other.plot !== one.plot || other.trait !== one.trait));
    if (plot === undefined) refuse('unknown-plot', `The trial has no plot ${one.plot}.`);
    else if (plot.kind === 'FILLER' || plot.kind === 'BORDER')
      refuse('not-planted', `Plot ${one.plot} is a ${plot.kind.toLowerCase()}, of which no value is kept.`);
    else if (trait === undefined)
      refuse('unknown-trait', `The project has no trait "${one.trait}". Add it to the list of traits first.`);
    else if (misfit !== null) refuse('misfit', `"${one.trait}" on plot ${one.plot}: ${text} ${misfit}.`);
    else if (stranger !== undefined)
      refuse('corrects-other', `"${one.trait}" on plot ${one.plot} cannot correct a value of another plot or trait.`);
    else fresh.set(one.id, settled);
  }
  return { fresh: [...fresh.values()], known, errors };
}

/** Numbers in the shortest form that reads back the same. */
const numberOr = (text: string, scale: ProjectTrait['scale']): string =>
  (scale?.kind === 'numeric' || scale?.kind === 'integer') && Number.isFinite(Number(text))
    ? String(Number(text))
    : text;

const isSame = (
  before: Cell & { value: string | null; observed_at: string },
  { plot, trait, value, observed_at }: Settled,
): boolean =>
  before.plot === plot &&
  before.trait === trait &&
  before.value === value &&
  Date.parse(before.observed_at) === Date.parse(observed_at);
