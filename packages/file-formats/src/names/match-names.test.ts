import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchNames, nameMatchProblems } from './match-names.ts';

describe('matchNames', () => {
  test('takes the first step that hits and says which it was', () => {
    const matches = matchNames(
      ['B73', 'Mo17', 'NR 010004', 'Naspot-8'],
      ['nr010004', 'B73', 'Missouri 17', 'Naspot8b'],
      {
        catalogue: { synonyms: [['Missouri 17', 'Mo17']] },
      },
    );
    expect(matches.both).toEqual([
      { left: 'B73', right: 'B73', how: 'exact' },
      { left: 'Mo17', right: 'Missouri 17', how: 'synonym' },
      { left: 'NR 010004', right: 'nr010004', how: 'folded' },
    ]);
    expect(matches.onlyLeft).toEqual(['Naspot-8']);
    expect(matches.onlyRight).toEqual(['Naspot8b']);
  });

  test('suggests similar names among those that remain and never applies them', () => {
    const matches = matchNames(['Naspot 11', 'Kabode'], ['Naspot 10', 'Kabodde', 'Tanzania']);
    expect(matches.both).toEqual([]);
    expect(matches.suggestions.map(({ left, right }) => [left, right])).toEqual([
      ['Naspot 11', 'Naspot 10'],
      ['Kabode', 'Kabodde'],
    ]);
    for (const { similarity } of matches.suggestions) expect(similarity).toBeGreaterThanOrEqual(0.57);
  });

  test('suggests first what a spreadsheet or a program without accents has made of a name', () => {
    const matches = matchNames(['001', '012', 'Café-1', 'N0003'], ['1', '12', 'cafe 1', 'N003', '121']);
    expect(matches.both).toEqual([]);
    expect(matches.suggestions.map(({ left, right }) => `${left} ${right}`)).toEqual([
      '001 1',
      '012 12',
      'Café-1 cafe 1',
      'N0003 N003',
    ]);
  });

  test('does not take zeros for nothing where two names would then be the same', () => {
    const { suggestions } = matchNames(['01', '1'], ['001']);
    expect(suggestions.filter(({ similarity }) => similarity > 0.9)).toEqual([]);
  });

  test('does not guess when a name without punctuation fits two names, and names both', () => {
    const matches = matchNames(['NR010004'], ['NR-010004', 'NR 010004']);
    expect(matches.both).toEqual([]);
    expect(matches.ambiguous).toEqual([{ name: 'NR010004', side: 'left', candidates: ['NR 010004', 'NR-010004'] }]);
    expect(matches.onlyRight).toEqual(['NR-010004', 'NR 010004']);
  });

  test('does not fold onto a name that its exact partner already has', () => {
    const matches = matchNames(['11', '1-1'], ['11']);
    expect(matches.both).toEqual([{ left: '11', right: '11', how: 'exact' }]);
    expect(matches.onlyLeft).toEqual(['1-1']);
    expect(matches.ambiguous).toEqual([]);
  });

  test('a name that is one germplasm and another one’s synonym is ambiguous', () => {
    const matches = matchNames(['Alpha', 'Beta'], ['Alpha', 'Beta'], {
      catalogue: { names: ['Alpha'], synonyms: [['Alpha', 'Beta']] },
    });
    expect(matches.both).toEqual([{ left: 'Beta', right: 'Beta', how: 'exact' }]);
    expect(matches.ambiguous).toContainEqual({ name: 'Alpha', side: 'right', candidates: ['Alpha', 'Beta'] });
  });

  test('a synonym of two germplasms is ambiguous', () => {
    const matches = matchNames(['Old'], ['New1', 'New2'], {
      catalogue: {
        synonyms: [
          ['Old', 'New1'],
          ['Old', 'New2'],
        ],
      },
    });
    expect(matches.ambiguous).toEqual([{ name: 'Old', side: 'left', candidates: ['New1', 'New2'] }]);
  });

  test('applies renames before everything else', () => {
    const matches = matchNames(['B73', 'Mo17'], ['B73', 'X1'], { renames: [{ from: 'X1', to: 'Mo17' }] });
    expect(matches.both).toContainEqual({ left: 'Mo17', right: 'X1', how: 'rename' });
    expect(matches.both).toHaveLength(2);
  });

  test('offers to drop sequencing suffixes only when that raises the matches by more than half', () => {
    const offered = matchNames(['A:1001', 'B:1002', 'C'], ['A', 'B', 'C']);
    expect(offered.suffixStripping).toEqual({ matchesNow: 1, matchesStripped: 3 });
    expect(matchNames(['A:1001', 'B:1002', 'C'], ['A', 'B', 'C'], { stripSuffixes: true }).both).toHaveLength(3);
    expect(matchNames(['A:1', 'B', 'C', 'D'], ['A', 'B', 'C', 'D']).suffixStripping).toBeNull();
  });

  test('a repeated name counts once and an empty one matches nothing', () => {
    const matches = matchNames(['B73', ' B73', ''], ['B73', '']);
    expect(matches.both).toHaveLength(1);
    expect(matches.onlyLeft).toEqual(['']);
    expect(matches.onlyRight).toEqual(['']);
  });

  test('matches 10,000 against 10,000 names that share a prefix', () => {
    const left = Array.from({ length: 10_000 }, (_, i) => `GENOTYPE_PANEL_${String(i).padStart(5, '0')}`);
    const right = left.map((name, i) => (i % 2 === 0 ? name.toLowerCase() : `${name}x`));
    const matches = matchNames(left, right);
    expect(matches.both).toHaveLength(5000);
    expect(matches.suggestions.filter(({ left: l, right: r }) => r === `${l}x`)).toHaveLength(5000);
  });
});

const listOfNames = fc.uniqueArray(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'B', '1', '-', ' ', 'é'), minLength: 1, maxLength: 6 }),
    fc.constantFrom('NR 010004', 'NR010004', 'nr-010004', 'Naspot 8', 'Naspot8', 'Naspot 81', 'Kabode'),
  ),
  { selector: (name) => name.normalize('NFC').replace(/ +/g, ' ').trim(), maxLength: 12 },
);
const synonymList = fc.array(
  fc.tuple(fc.constantFrom('Old1', 'Naspot8', 'a', 'B'), fc.constantFrom('Kabode', 'a1', 'NR 010004')),
  {
    maxLength: 3,
  },
);

describe('matchNames on any names', () => {
  test('every name ends in exactly one of the lists', () => {
    fc.assert(
      fc.property(listOfNames, listOfNames, synonymList, (left, right, synonyms) => {
        const matches = matchNames(left, right, { catalogue: { synonyms } });
        expect([...matches.both.map((pair) => pair.left), ...matches.onlyLeft].sort()).toEqual([...left].sort());
        expect([...matches.both.map((pair) => pair.right), ...matches.onlyRight].sort()).toEqual([...right].sort());
      }),
    );
  });

  test('swapping the lists swaps the answer', () => {
    fc.assert(
      fc.property(listOfNames, listOfNames, synonymList, (left, right, synonyms) => {
        const forward = matchNames(left, right, { catalogue: { synonyms } });
        const backward = matchNames(right, left, { catalogue: { synonyms } });
        const key = (parts: unknown[]) => JSON.stringify(parts);
        expect(forward.both.map((p) => key([p.left, p.right, p.how])).sort()).toEqual(
          backward.both.map((p) => key([p.right, p.left, p.how])).sort(),
        );
        expect(forward.suggestions.map((p) => key([p.left, p.right, p.similarity])).sort()).toEqual(
          backward.suggestions.map((p) => key([p.right, p.left, p.similarity])).sort(),
        );
        const other = { left: 'right', right: 'left' } as const;
        expect(forward.ambiguous.map((a) => key([a.name, a.side, a.candidates])).sort()).toEqual(
          backward.ambiguous.map((a) => key([a.name, other[a.side], a.candidates])).sort(),
        );
      }),
    );
  });

  test('the order of the lists does not change what matches', () => {
    fc.assert(
      fc.property(listOfNames, listOfNames, synonymList, (left, right, synonyms) => {
        const key = (parts: unknown) => JSON.stringify(parts);
        const answer = (l: string[], r: string[]) => {
          const { both, suggestions, ambiguous } = matchNames(l, r, { catalogue: { synonyms } });
          return [both.map(key).sort(), suggestions.map(key).sort(), ambiguous.map(key).sort()];
        };
        expect(answer([...left].reverse(), [...right].reverse())).toEqual(answer(left, right));
      }),
    );
  });
});

test('a name that two germplasms fold to is ambiguous even where each file has only one of them', () => {
  const catalogue = { names: ['Naspot 8', 'Naspot-8'] };
  const matches = matchNames(['Naspot 8'], ['naspot8'], { catalogue });
  expect(matches.both).toEqual([]);
  expect(matches.ambiguous).toEqual([{ name: 'naspot8', side: 'right', candidates: ['Naspot 8', 'Naspot-8'] }]);
  expect(matchNames(['naspot8'], ['naspot8'], { catalogue }).both).toEqual([
    { left: 'naspot8', right: 'naspot8', how: 'exact' },
  ]);
});

test('problem records name the line, the fold, the candidates and the suggestions', () => {
  const lines = new Map([
    ['b-73', 2],
    ['NASPOT8', 3],
    ['Kabodde', 4],
  ]);
  const matches = matchNames(['B73', 'Naspot 8', 'Naspot-8', 'Kabode'], [...lines.keys()]);
  const problems = nameMatchProblems(matches, {
    lineOf: (name) => lines.get(name) ?? null,
    catalogue: 'the genotype file',
  });
  expect(problems.map(({ code, line, value }) => [code, line, value])).toEqual([
    ['W-NAME-FOLDED', 2, 'b-73'],
    ['E-NAME-AMBIG', 3, 'NASPOT8'],
    ['W-NAME-UNKNOWN', 4, 'Kabodde'],
  ]);
  expect(problems[1]!.message).toContain('"Naspot 8" or "Naspot-8"');
  expect(problems[2]!.suggestion).toContain('"Kabode"');
});
