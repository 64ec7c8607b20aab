import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { describe, expect, test } from 'vitest';
import { type BredPanel, bredPanel, openBredPanel } from './bred-panel.test-data.ts';
import { checkParentage, type Parentage, type ParentageInput } from './check-parentage.ts';
import { familiesCsv, findingsCsv, likelyParentsCsv } from './parentage-csv.ts';

const MARKERS = 1200;
const programme = bredPanel(MARKERS, 11);

function check(
  { names, dosages, pedigree }: BredPanel,
  options: Partial<Omit<ParentageInput, 'panel'>> = {},
): Promise<Parentage> {
  const panel = openBredPanel({ names, dosages });
  return checkParentage({ panel, pedigree, errorRate: 0.01, seek: 'unconfirmed', ...options }, { threads: 1 });
}

/** The panel with the samples of these pairs exchanged, as on a turned plate. */
function exchanged(panel: BredPanel, pairs: readonly (readonly [string, string])[]): BredPanel {
  const dosages = [...panel.dosages];
  for (const [a, b] of pairs) {
    const [i, j] = [panel.names.indexOf(a), panel.names.indexOf(b)];
    [dosages[i], dosages[j]] = [dosages[j] ?? [], dosages[i] ?? []];
  }
  return { ...panel, dosages };
}

const verdicts = ({ samples, families }: Parentage): Map<string, string> =>
  new Map(families.map(({ child, verdict }) => [samples[child] ?? '', verdict]));

describe('a pedigree without mistakes', () => {
  test('is confirmed in crosses, backcrosses, lines and doubled haploids, and nobody is suspected', async () => {
    const found = await check(programme);
    expect([...new Set(verdicts(found).values())]).toEqual(['CONFIRMED']);
    expect(found.families).toHaveLength(programme.names.length - 12);
    expect([found.suspects, found.swaps, found.copies]).toEqual([[], [], []]);
    expect(found.inPedigree).toBe(programme.names.length);
    // Founders have no stored parents, so that theirs are sought, and no pair fits.
    expect(found.likely.map(({ child }) => found.samples[child])).toEqual(programme.names.slice(0, 12));
  });

  test('its parents are found again among all genotyped individuals', async () => {
    const { samples, likely } = await check(programme, { seek: 'all' });
    const named = new Map(
      likely.map(({ child, pairs: [best] }) => [
        samples[child] ?? '',
        best === undefined ? '' : [samples[best.female], samples[best.male]].toSorted().join(' × '),
      ]),
    );
    const { names, maternal, paternal } = programme.pedigree;
    const children = names.filter((_, row) => (maternal[row] ?? -1) >= 0);
    // Lines of an F1 and lines of its parents are the same to the markers.
    const ofLine = children.filter((name) => name.startsWith('DH'));
    const known = /^(L1 × L2|F1ab-1 × (F1ab-1|L1|L2))$/;
    expect(ofLine.filter((name) => !known.test(named.get(name) ?? '')).length).toBeLessThanOrEqual(1);
    for (const name of children) {
      if (ofLine.includes(name)) continue;
      const row = names.indexOf(name);
      const parents = [names[maternal[row] ?? -1], names[paternal[row] ?? -1]].toSorted().join(' × ');
      expect(named.get(name), name).toBe(parents);
    }
  });

  test('without the F1, its lines and backcrosses are compared with the parents of the F1', async () => {
    const kept = programme.names.flatMap((name, i) => (name === 'F1ab-1' ? [] : [i]));
    const part = {
      ...programme,
      names: kept.map((i) => programme.names[i] ?? ''),
      dosages: kept.map((i) => programme.dosages[i] ?? []),
    };
    const { families, samples } = await check(part, { seek: 'none' });
    const found = families.filter(({ isThrough }) => isThrough);
    const names = found.map(({ child }) => samples[child] ?? '');
    expect(names).toHaveLength(28);
    expect(names.every((name) => /^(DH|BC)-/.test(name))).toBe(true);
    expect(found.map(({ verdict }) => verdict)).toEqual(names.map(() => 'CONFIRMED'));
    expect(new Set(found.map(({ female, male }) => `${samples[female]} ${samples[male]}`))).toEqual(new Set(['L1 L2']));
  });

  test('of a line with one genotyped parent, its likeness speaks', async () => {
    const kept = programme.names.flatMap((name, i) => (name === 'L6' ? [] : [i]));
    const part = {
      ...programme,
      names: kept.map((i) => programme.names[i] ?? ''),
      dosages: kept.map((i) => programme.dosages[i] ?? []),
    };
    const lines = programme.names.filter((name) => name.startsWith('RIL'));
    const count = (found: Map<string, string>, verdict: string): number =>
      lines.filter((name) => found.get(name) === verdict).length;
    const found = verdicts(await check(part));
    // A line in ten has by chance little of one parent.
    expect(count(found, 'PLAUSIBLE')).toBeGreaterThanOrEqual(18);
    expect(found.get('DH-1')).toBe('CONFIRMED');
    expect(count(verdicts(await check(exchanged(part, [['L5', 'L12']]))), 'DOUBTFUL')).toBeGreaterThanOrEqual(18);
  });
});

describe('mistakes', () => {
  test('exchanged samples are found, and only they', async () => {
    const found = await check(
      exchanged(programme, [
        ['DH-3', 'RIL-7'],
        ['D-5', 'G-2'],
      ]),
    );
    const conflicts = [...verdicts(found)].filter(([, verdict]) => verdict === 'CONFLICT').map(([name]) => name);
    expect(conflicts.toSorted()).toEqual(['D-5', 'DH-3', 'G-2', 'RIL-7']);
    const swaps = found.swaps.map(({ first, second }) => [found.samples[first], found.samples[second]]);
    expect(swaps).toContainEqual(['DH-3', 'RIL-7']);
    expect(swaps).toContainEqual(['D-5', 'G-2']);
    expect(found.suspects.map(({ sample }) => found.samples[sample]).toSorted()).toEqual([
      'D-5',
      'DH-3',
      'G-2',
      'RIL-7',
    ]);
    const suspect = found.suspects.find(({ sample }) => found.samples[sample] === 'DH-3');
    expect(suspect?.fits.map((place) => found.samples[place]?.split('-')[0])).toContain('RIL');
  });

  test('a parent that was mistaken is the suspect, not its progeny', async () => {
    const found = await check(exchanged(programme, [['L5', 'L12']]));
    expect(found.suspects.map(({ sample, conflicts }) => [found.samples[sample], conflicts])).toEqual([['L5', 20]]);
    const { likely, samples } = found;
    const best = likely.find(({ child }) => samples[child] === 'RIL-1')?.pairs[0];
    expect([samples[best?.female ?? -1], samples[best?.male ?? -1]].toSorted()).toEqual(['L12', 'L6']);
    expect(best?.fits).toBe(true);
  });

  test('a sample that was genotyped twice is a copy', async () => {
    const twice = {
      ...programme,
      names: [...programme.names, 'again'],
      dosages: [...programme.dosages, programme.dosages[20] ?? []],
    };
    const { copies, samples } = await check(twice, { seek: 'none' });
    expect(copies.map(({ first, second, identity }) => [samples[first], samples[second], identity])).toEqual([
      [programme.names[20], 'again', 1],
    ]);
  });

  test('too many individuals, too few markers and a foreign pedigree are refused by their codes', async () => {
    const few = { ...programme, dosages: programme.dosages.map((row) => row.slice(0, 40)) };
    await expect(check(few)).rejects.toMatchObject({ code: 'parentage/few-markers' });
    const foreign = { ...programme.pedigree, names: programme.names.map((_, i) => `foreign plant ${i}`) };
    await expect(check({ ...programme, pedigree: foreign })).rejects.toMatchObject({
      code: 'parentage/nothing-in-pedigree',
    });
    const names = Array.from({ length: 10_001 }, (_, i) => String(i));
    await expect(check({ ...programme, names, dosages: names.map(() => [0]) })).rejects.toMatchObject({
      code: 'parentage/too-many-individuals',
    });
  });
});

describe('what must not change the result', () => {
  const mistaken = exchanged(programme, [['DH-3', 'RIL-7']]);
  const text = (found: Parentage): string[] =>
    [familiesCsv(found), likelyParentsCsv(found), findingsCsv(found)].flatMap((csv) =>
      [...csv].join('').trimEnd().split('\n').toSorted(),
    );
  /** Sums of logarithms in another order differ in the last digits. */
  const rounded = (found: Parentage): string[] =>
    text(found).map((line) => line.replaceAll(/-?\d+\.\d+/g, (value) => Number(value).toPrecision(9)));

  test('the order of the markers, exchanged alleles and monomorphic markers', async () => {
    const before = rounded(await check(mistaken));
    const order = createRandomStream(2, 'markers').shuffle(Int32Array.from({ length: MARKERS }, (_, j) => j));
    const changed = {
      ...mistaken,
      dosages: mistaken.dosages.map((row) => [
        ...Array.from(order, (j) => {
          const dosage = row[j] ?? null;
          return dosage === null || j % 3 !== 0 ? dosage : 2 - dosage;
        }),
        ...[0, 2, 0],
      ]),
    };
    expect(rounded(await check(changed))).toEqual(before);
  });

  test('the order of the individuals, as far as their pairs go', async () => {
    const before = await check(mistaken);
    const order = Array.from(createRandomStream(3, 'rows').shuffle(Int32Array.from(mistaken.names.keys())));
    const found = await check({
      ...mistaken,
      names: order.map((i) => mistaken.names[i] ?? ''),
      dosages: order.map((i) => mistaken.dosages[i] ?? []),
    });
    expect(verdicts(found)).toEqual(new Map([...verdicts(before)]));
    const counts = ({ samples, families }: Parentage) =>
      new Map(families.map(({ child, markers, conflicts }) => [samples[child], [markers, conflicts]]));
    expect(counts(found)).toEqual(counts(before));
    expect(found.suspects.map(({ sample }) => found.samples[sample]).toSorted()).toEqual(
      before.suspects.map(({ sample }) => before.samples[sample]).toSorted(),
    );
  });
});

describe('one wrong parent', () => {
  const row = (panel: BredPanel, name: string): number => panel.names.indexOf(name);
  /** The pedigree with another line as one parent of each of some children, one after another. */
  const withWrongParent = (panel: BredPanel, children: readonly string[], parent: 'maternal' | 'paternal') => {
    const changed = panel.pedigree[parent].slice();
    const lines = Array.from({ length: 12 }, (_, i) => row(panel, `L${i + 1}`));
    for (const [k, name] of children.entries()) {
      const child = row(panel, name);
      const { maternal, paternal } = panel.pedigree;
      // No parent, and no parent of a parent.
      const known = [maternal[child]!, paternal[child]!].flatMap((one) => [one, maternal[one], paternal[one]]);
      changed[child] = lines.filter((line) => !known.includes(line))[k % 5]!;
    }
    return { ...panel, pedigree: { ...panel.pedigree, [parent]: changed } };
  };

  test.each(['maternal', 'paternal'] as const)(
    'is never confirmed, and is noticed with few markers too: %s',
    async (parent) => {
      const count = { confirmed: 0, doubtful: 0, trueConfirmed: 0, trueTested: 0 };
      for (const seed of [21, 22, 23]) {
        const panel = bredPanel(80, seed);
        const families = panel.names.filter((name) => /^(RIL|G|D|E|BC)-/.test(name));
        const wrong = families.filter((_, k) => k % 3 === 0);
        const found = await check(withWrongParent(panel, wrong, parent), { seek: 'none' });
        for (const { child, verdict, support } of found.families) {
          const name = found.samples[child]!;
          if (wrong.includes(name)) {
            if (verdict === 'CONFIRMED') count.confirmed++;
            if (verdict === 'DOUBTFUL') count.doubtful++;
            expect(support, name).toBeLessThan(0);
          } else if (families.includes(name)) {
            expect(['CONFIRMED', 'UNTESTABLE'], name).toContain(verdict);
            count.trueTested++;
            count.trueConfirmed += Number(verdict === 'CONFIRMED');
          }
        }
      }
      expect(count.confirmed).toBe(0);
      // Errors explain their conflicts, so that nothing but the likelihood tells.
      expect(count.doubtful).toBeGreaterThan(0);
      expect(count.trueConfirmed).toBeGreaterThan(0.8 * count.trueTested);
    },
  );

  test('is doubtful for a backcross whose F1 has no genotype, and a true one is confirmed without a likelihood', async () => {
    const panel = bredPanel(400, 24);
    const kept = panel.names.flatMap((name, i) => (name === 'F1ab-1' ? [] : [i]));
    const wrong = panel.pedigree.maternal.slice();
    // The recurrent parent, and the donor behind the F1.
    for (const name of ['BC-1', 'BC-2']) wrong[row(panel, name)] = row(panel, 'L9');
    const found = await check(
      {
        names: kept.map((i) => panel.names[i]!),
        dosages: kept.map((i) => panel.dosages[i]!),
        pedigree: { ...panel.pedigree, maternal: wrong },
      },
      { seek: 'none' },
    );
    const of = (name: string) => found.families.find(({ child }) => found.samples[child] === name)!;
    expect(of('BC-3')).toMatchObject({ isThrough: true, verdict: 'CONFIRMED', score: null });
    expect(of('BC-3').support).toBeGreaterThan(5);
    for (const name of ['BC-1', 'BC-2']) expect(of(name).verdict).not.toBe('CONFIRMED');
  });

  test('cannot be noticed in a line with a handful of markers, so that no line is confirmed', async () => {
    const found = await check(bredPanel(50, 25), { seek: 'none' });
    const lines = found.families.filter(({ rule }) => rule === 'line');
    expect(lines.length).toBeGreaterThan(40);
    expect(new Set(lines.map(({ verdict }) => verdict))).toEqual(new Set(['UNTESTABLE']));
  });
});
