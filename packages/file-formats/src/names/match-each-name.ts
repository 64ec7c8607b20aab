import { type MatchOptions, matchNames, type NameMatches } from './match-names.ts';
import { createNameResolver } from './name-resolver.ts';
import { foldName } from './normalize-name.ts';

/**
 * Matches each right-hand name as if it were alone, for lists in which several spellings of one name may stand, such as
 * the parents of a crossing table: `B73` and `b-73` both find `B73`. A left-hand name may so be in `both` more than
 * once. Otherwise as {@link matchNames}.
 */
export function matchEachName(
  left: readonly string[],
  right: readonly string[],
  options: MatchOptions = {},
): NameMatches {
  const { names = [], synonyms = [] } = options.catalogue ?? {};
  const { resolve } = createNameResolver(names, synonyms);
  /** Lists in which no two names could mean the same; nearly always there is one. */
  const rounds: string[][] = [];
  const seen = new Map<string, number>();
  const renamed = new Map(options.renames?.map(({ from, to }) => [from, to]));
  for (const name of new Set(right)) {
    const meaning = resolve(name);
    const fold = foldName(renamed.get(name) ?? (meaning.status === 'found' ? meaning.name : name));
    const round = seen.get(fold) ?? 0;
    seen.set(fold, round + 1);
    (rounds[round] ??= []).push(name);
  }
  const [first = matchNames(left, [], options), ...others] = rounds.map((round) => matchNames(left, round, options));
  const matched = new Set(others.flatMap(({ both }) => both.map((pair) => pair.left)));
  return {
    both: [first, ...others].flatMap(({ both }) => both),
    onlyLeft: first.onlyLeft.filter((name) => !matched.has(name)),
    onlyRight: [first, ...others].flatMap(({ onlyRight }) => onlyRight),
    suggestions: [first, ...others].flatMap(({ suggestions }) => suggestions),
    ambiguous: [first, ...others].flatMap(({ ambiguous }, round) =>
      ambiguous.filter(({ side }) => round === 0 || side === 'right'),
    ),
    suffixStripping: first.suffixStripping,
  };
}
