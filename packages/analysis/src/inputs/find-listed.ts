import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { ambiguityText, didYouMean } from '@heterosis/file-formats/names/match-names';
import { createNameResolver } from '@heterosis/file-formats/names/name-resolver';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { type FileProblem, ProblemCollector, type ProblemDetails } from '@heterosis/file-formats/problem';
import { AnalysisError } from '../context.ts';
import type { ListedName } from './name-list.ts';
import { markerRanges } from './open-panel.ts';

/** The list that a name comes from, as the command line calls it. */
export type ListOfNames = 'only-samples' | 'leave-out-samples' | 'leave-out-markers';

/** A list names samples or markers that the genotype lacks. The message tells the first; `problems` has all. */
export class UnknownNames extends AnalysisError {
  readonly list: ListOfNames;
  readonly problems: readonly FileProblem[];

  constructor(list: ListOfNames, { problems, totals }: ReturnType<ProblemCollector['report']>) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const others = totals.errors - 1;
    super(
      'analysis/unknown-names',
      `Line ${first.line} of the list: ${first.message}${unknownToo(others)}`,
      first.suggestion ?? 'Check the spelling, or take the name off the list.',
    );
    this.name = 'UnknownNames';
    this.list = list;
    this.problems = errors;
  }
}

/**
 * Places of the listed samples: by exact name, otherwise ignoring case and punctuation if only one fits.
 *
 * @throws UnknownNames with E-LO-UNKNOWN and E-NAME-AMBIG
 */
export function findListedSamples(
  samples: readonly string[],
  listed: readonly ListedName[],
  list: ListOfNames,
): { places: number[]; warnings: FileProblem[] } {
  const problems = new ProblemCollector();
  const places = placesOfSamples(samples, listed, problems, (details) => problems.error('E-LO-UNKNOWN', details));
  const report = problems.report();
  if (report.totals.errors > 0) throw new UnknownNames(list, report);
  return { places, warnings: report.problems.filter(({ severity }) => severity === 'warning') };
}

/**
 * Ascending places of the listed samples; W-NAME-FOLDED and E-NAME-AMBIG go to `problems`, unknown names to a
 * callback.
 */
export function placesOfSamples(
  samples: readonly string[],
  listed: readonly ListedName[],
  problems: ProblemCollector,
  onUnknown: (details: ProblemDetails) => void,
): number[] {
  const resolver = createNameResolver(samples);
  const place = new Map(samples.map((name, i) => [name, i]));
  const chosen = new Set<number>();
  for (const { name, line } of listed) {
    const resolution = resolver.resolve(name);
    const at = { line, value: name };
    if (resolution.status === 'found') {
      chosen.add(place.get(resolution.name) ?? -1);
      if (resolution.how !== 'folded') continue;
      problems.warning('W-NAME-FOLDED', {
        ...at,
        message: `"${name}" was taken as "${resolution.name}": they differ only in case, blanks or punctuation.`,
        suggestion: `Write "${resolution.name}", or confirm when this is right.`,
      });
    } else if (resolution.status === 'ambiguous') {
      problems.error('E-NAME-AMBIG', { ...at, ...ambiguityText(name, resolution.candidates) });
    } else {
      onUnknown({
        ...at,
        message: `The genotype has no individual "${name}".`,
        suggestion:
          didYouMean(resolver.suggest(name).map((suggestion) => suggestion.name)) ??
          'Check the spelling, or take the name off the list.',
      });
    }
  }
  return [...chosen].sort((a, b) => a - b);
}

/**
 * Places of the listed markers, by exact id; all of them where an id repeats. Reads the ids block by block.
 *
 * @throws UnknownNames with E-LO-UNKNOWN
 */
export async function findListedMarkers(panel: PanelBlocks, listed: readonly ListedName[]): Promise<number[]> {
  const { found, similar } = await lookUpMarkers(panel, new Set(listed.map(({ name }) => name)));
  const problems = new ProblemCollector();
  for (const { name, line } of listed) {
    if (found.has(name)) continue;
    const near = similar.get(name);
    problems.error('E-LO-UNKNOWN', {
      line,
      value: name,
      message: `The genotype has no marker "${name}".`,
      suggestion: near === undefined ? 'Marker names are compared letter by letter.' : `Did you mean "${near}"?`,
    });
  }
  const report = problems.report();
  if (report.totals.errors > 0) throw new UnknownNames('leave-out-markers', report);
  return [...found.values()].flat().sort((a, b) => a - b);
}

/**
 * Places of markers by exact id, all of them where an id repeats, and for ids not found one that differs only in case,
 * blanks or punctuation. Reads the ids block by block.
 */
export async function lookUpMarkers(
  panel: Pick<PanelBlocks, 'markerCount' | 'readMarkers'>,
  wanted: ReadonlySet<string>,
): Promise<{ found: Map<string, number[]>; similar: Map<string, string> }> {
  const folded = new Map([...wanted].map((name) => [foldName(name), name]));
  const found = new Map<string, number[]>();
  const similar = new Map<string, string>();
  for (const { first, count } of markerRanges(panel.markerCount)) {
    const { id } = await panel.readMarkers(first, count);
    for (const [k, name] of id.entries()) {
      if (wanted.has(name)) {
        const places = found.get(name);
        if (places === undefined) found.set(name, [first + k]);
        else places.push(first + k);
      } else {
        const meant = folded.get(foldName(name));
        if (meant !== undefined) similar.set(meant, name);
      }
    }
  }
  return { found, similar };
}

function unknownToo(others: number): string {
  if (others === 0) return '';
  return others === 1 ? ' One more name is not in it either.' : ` ${others} more names are not in it either.`;
}
