import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packCalls, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchMarkers } from '../inputs/match-markers.ts';
import { modelJson, parseModelJson, predictionsCsv } from './model-file.ts';
import { predict } from './predict.ts';
import type { TrainedModel } from './trained-model.ts';

const CODE_OF_DOSAGE = [0, 2, 3];

function panelOf(
  samples: string[],
  markers: { id: string; chr: string; pos: number; a1: string; a2: string; dosages: (number | null)[] }[],
): GenotypePanel {
  const bytes = packedLength(samples.length);
  const packed = new Uint8Array(bytes * markers.length);
  markers.forEach(({ dosages }, j) =>
    packCalls(
      Uint8Array.from(dosages, (dosage) => (dosage === null ? 1 : CODE_OF_DOSAGE[dosage]!)),
      packed,
      j * bytes,
    ),
  );
  return {
    samples,
    markers: {
      id: markers.map((marker) => marker.id),
      chromosome: markers.map((marker) => marker.chr),
      positionBp: Float64Array.from(markers, (marker) => marker.pos),
      a1: markers.map((marker) => marker.a1),
      a2: markers.map((marker) => marker.a2),
    },
    readPacked: async (first, count) => packed.subarray(first * bytes, (first + count) * bytes),
    close: async () => {},
  };
}

const model: TrainedModel = {
  format: 'heterosis-model',
  version: 2,
  settings: {
    dominance: true,
    kinship: 'vanraden1',
    maf: 0.05,
    callRate: 0.9,
    optimizeSeconds: null,
    covariates: [],
    principalComponents: 0,
  },
  markers: {
    id: ['s1', 's2', 's3', 's4'],
    chromosome: ['1', '1', '2', 'chr02'],
    positionBp: Float64Array.of(100, 200, 100, 300),
    a1: ['A', 'A', 'C', 'G'],
    a2: ['G', 'C', 'T', 'T'],
    freqA2: Float64Array.of(0.5, 0.25, 0.5, 0.5),
    heterozygosity: Float64Array.of(0, 0, 0, 0.5),
  },
  individuals: ['L1', 'L2'],
  kinshipFrom: 'markers',
  markersRead: 5,
  imputedCalls: 0,
  traits: [
    {
      name: 'yield',
      unit: 't/ha',
      error: null,
      fit: {
        n: 2,
        m: 4,
        intercept: 10,
        additive: Float64Array.of(1, 2, -4, 8),
        dominance: Float64Array.of(0.5, 0, 0, 0.25),
        frequencyA2: Float64Array.of(0.5, 0.25, 0.25, 0.75),
        fixedEffects: [],
        design: [],
        withoutCovariate: 0,
        variance: {
          additive: 1,
          dominance: 0.1,
          residual: 1,
          h2: 1 / 2.1,
          kinship_pve: 0.5,
          dominance_pve: 0.05,
          standard_errors: null,
        },
        H2: 1.1 / 2.1,
        logLikelihood: -3,
        iterations: 4,
        converged: true,
        atBoundary: [],
        seconds: 0,
        gebv: Float64Array.of(19.40625, 3),
        reliability: Float64Array.of(0.8, Number.NaN),
        genotypic: {
          value: Float64Array.of(10 + 1 + 0.5 + 0 - 8 + 16, 3),
          reliability: Float64Array.of(0.7, Number.NaN),
        },
        observed: Float64Array.of(5, Number.NaN),
      },
    },
    { name: 'broken', unit: null, error: { code: 'x', message: 'no values', action: '' }, fit: null },
  ],
};

const samples = ['L1', 'L2', 'new'];
const trainingPanel = panelOf(samples, [
  { id: 's1', chr: '1', pos: 100, a1: 'A', a2: 'G', dosages: [1, 0, 2] },
  { id: 's2', chr: '1', pos: 200, a1: 'A', a2: 'C', dosages: [0, 2, 1] },
  { id: 's3', chr: '2', pos: 100, a1: 'C', a2: 'T', dosages: [2, 0, null] },
  { id: 's4', chr: '2', pos: 300, a1: 'G', a2: 'T', dosages: [2, 1, 0] },
]);
// new: 10 + 2 + 2 + mean of s3 (2·0.5·−4) + 0
const expected = [19.5, 10 + 0 + 4 + 0 + 8 + 0.25, 10 + 2 + 2 - 4];
// α = 1, 2, −4, 8 − 0.5·0.25; the intercept takes 2p²d = 0.25 and 2·0.75²·0.25 of s1 and s4.
const breeding = [1 - 8 + 15.75, 4 + 7.875, 2 + 2 - 4].map((value) => 10 + 0.25 + 0.28125 + value);

test('adds effects on raw dosages, heterozygotes with dominance, missing calls at the training mean', async () => {
  const prediction = await predict({ model, panel: trainingPanel }, { threads: 1 });
  expect(prediction.traits.map((trait) => trait.name)).toEqual(['yield']);
  expect([...prediction.traits[0]!.genotypic!.value]).toEqual(expected);
  expect([...prediction.traits[0]!.gebv]).toEqual(breeding);
  expect(prediction.report).toEqual({
    model_markers: 4,
    shared: 4,
    by_position: 0,
    missing: 0,
    swapped: 0,
    mismatched: 0,
    variance_share: 1,
    imputed_calls: 1,
    individuals: 3,
    without_reliability: 2,
  });
  // L1 has the GEBV of training, so its reliability is known; L2 has not.
  expect([...prediction.traits[0]!.reliability]).toEqual([0.8, Number.NaN, Number.NaN]);
  expect([...prediction.traits[0]!.genotypic!.reliability]).toEqual([0.7, Number.NaN, Number.NaN]);
});

test('a reliability belongs to the genotype, not to the name, whatever the scale and the level of the trait', async () => {
  const [trait] = model.traits;
  const other = panelOf(samples, [
    { id: 's1', chr: '1', pos: 100, a1: 'A', a2: 'G', dosages: [2, 0, 2] },
    { id: 's2', chr: '1', pos: 200, a1: 'A', a2: 'C', dosages: [0, 2, 1] },
    { id: 's3', chr: '2', pos: 100, a1: 'C', a2: 'T', dosages: [2, 0, null] },
    { id: 's4', chr: '2', pos: 300, a1: 'G', a2: 'T', dosages: [2, 1, 0] },
  ]);
  for (const [scale, level] of [
    [1e-8, 0],
    [1e12, 0],
    [1, 1e9],
  ] as const) {
    const fit = {
      ...trait!.fit!,
      intercept: scale * trait!.fit!.intercept + level,
      additive: trait!.fit!.additive.map((value) => scale * value),
      dominance: trait!.fit!.dominance!.map((value) => scale * value),
      genotypic: {
        ...trait!.fit!.genotypic!,
        value: trait!.fit!.genotypic!.value.map((value) => scale * value + level),
      },
    };
    const scaled = { ...model, traits: [{ ...trait!, fit }] };
    const same = await predict({ model: scaled, panel: trainingPanel }, { threads: 1 });
    expect(same.traits[0]!.reliability[0]).toBe(0.8);
    const changed = await predict({ model: scaled, panel: other }, { threads: 1 });
    expect(changed.traits[0]!.reliability[0]).toBeNaN();
  }
});

test('exchanged alleles, the other strand and other ids give the same predictions', async () => {
  const turned = panelOf(samples, [
    { id: 'other', chr: 'chr1', pos: 100, a1: 'G', a2: 'A', dosages: [1, 2, 0] },
    { id: 's2', chr: '9', pos: 7, a1: 'C', a2: 'A', dosages: [2, 0, 1] },
    { id: 's4', chr: '2', pos: 300, a1: 'C', a2: 'A', dosages: [2, 1, 0] },
    { id: 's3', chr: '2', pos: 100, a1: 'A', a2: 'G', dosages: [0, 2, null] },
  ]);
  const { traits, report } = await predict({ model, panel: turned }, { threads: 1 });
  expect([...traits[0]!.genotypic!.value]).toEqual(expected);
  expect([...traits[0]!.gebv]).toEqual(breeding);
  expect(report).toMatchObject({ shared: 4, swapped: 3, by_position: 1 });
});

test('a marker with other alleles is another marker and counts as the training mean', async () => {
  const other = panelOf(
    ['new'],
    [
      { id: 's1', chr: '1', pos: 100, a1: 'A', a2: 'G', dosages: [2] },
      { id: 's2', chr: '1', pos: 200, a1: 'A', a2: 'C', dosages: [1] },
      { id: 's4', chr: '2', pos: 300, a1: 'G', a2: 'A', dosages: [0] },
    ],
  );
  const { traits, report } = await predict({ model, panel: other }, { threads: 1 });
  expect([...traits[0]!.genotypic!.value]).toEqual([10 + 2 + 2 - 4 + 8 + 0.125]);
  expect(report).toMatchObject({ shared: 2, missing: 2, mismatched: 1 });
  expect(report.variance_share).toBeGreaterThan(0);
  expect(report.variance_share).toBeLessThan(0.2);
});

test('refuses a panel with less than half of the markers unless told otherwise', async () => {
  const small = panelOf(['new'], [{ id: 's1', chr: '1', pos: 100, a1: 'A', a2: 'G', dosages: [2] }]);
  await expect(predict({ model, panel: small }, { threads: 1 })).rejects.toMatchObject({
    code: 'predictions/too-few-shared-markers',
    details: { shared: 1, missing: 3 },
  });
  const { report } = await predict({ model, panel: small, minMarkerShare: 0.2 }, { threads: 1 });
  expect(report.shared).toBe(1);
});

test('a model survives its file with every digit, and anything else is refused with the reason', async () => {
  expect(parseModelJson(modelJson(model))).toEqual(model);
  const slower = {
    ...model,
    traits: model.traits.map((trait) => ({ ...trait, fit: trait.fit && { ...trait.fit, seconds: 9 } })),
  };
  expect(modelJson(slower)).toBe(modelJson(model));
  for (const text of ['', '{}', '[1]', 'null', modelJson({ ...model, version: 3 as 2 })]) {
    expect(() => parseModelJson(text)).toThrow('not a trained model');
  }
  const broken = { ...model, markers: { ...model.markers, freqA2: Float64Array.of(0.1) } };
  expect(() => parseModelJson(modelJson(broken))).toThrow('1 allele frequencies, 4 were expected');
});

test('a model of version 1 gets the ratios of its components, and what it called h2 becomes the share of the variance', () => {
  const [trained, failed] = model.traits;
  const { kinship_pve: _, dominance_pve: __, standard_errors: ___, ...components } = trained!.fit!.variance;
  const old = {
    ...model,
    version: 1,
    traits: [{ ...trained, fit: { ...trained!.fit, variance: { ...components, h2: 0.5 }, H2: 0.55 } }, failed],
  };
  const read = parseModelJson(modelJson(old as unknown as TrainedModel));
  const { variance, H2, genotypic, gebv, frequencyA2 } = read.traits[0]!.fit!;
  // What version 1 called the GEBV of a model with dominance is the genotypic value.
  expect(genotypic).toEqual({ value: trained!.fit!.gebv, reliability: trained!.fit!.reliability });
  expect([...gebv]).toEqual([Number.NaN, Number.NaN]);
  expect(frequencyA2).toEqual(model.markers.freqA2);
  expect(read.version).toBe(2);
  expect(variance.h2).toBeCloseTo(1 / 2.1, 15);
  expect(H2).toBeCloseTo(1.1 / 2.1, 15);
  expect(variance).toMatchObject({ kinship_pve: 0.5, dominance_pve: expect.closeTo(0.05, 15), standard_errors: null });
});

test('predictions are written with an empty cell for an unknown reliability', async () => {
  const prediction = await predict({ model, panel: trainingPanel }, { threads: 1 });
  expect([...predictionsCsv(prediction)].join('')).toBe(
    'id,gebv_yield,reliability_yield,genotypic_yield,genotypic_reliability_yield\n' +
      'L1,19.28125,0.8,19.5,0.7\nL2,22.40625,,22.25,\nnew,10.53125,,10,\n',
  );
});

test('markers without allele names match as they stand, and one panel marker serves one model marker', () => {
  const names = (id: string[], a1: string[], a2: string[]) => ({
    id,
    chromosome: id.map(() => '1'),
    positionBp: Float64Array.from(id, () => 5),
    a1,
    a2,
  });
  const match = matchMarkers(names(['a', 'b'], ['A', 'A'], ['B', 'C']), names(['a', 'x'], ['.', '.'], ['.', 'A']));
  expect([...match.panelIndex]).toEqual([0, 1]);
  expect([...match.isSwapped]).toEqual([0, 1]);
});

/** A marker of the model and how the predicted panel has it. */
const predictedMarker = fc.record({
  additive: fc.double({ min: -5, max: 5, noNaN: true }),
  dominance: fc.double({ min: -5, max: 5, noNaN: true }),
  freqA2: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
  heterozygosity: fc.double({ min: 0, max: 1, noNaN: true }),
  // A/T and C/G look alike on both strands: they are written as in the model, or exchanged.
  alleles: fc.constantFrom(['A', 'G'], ['C', 'A'], ['A', 'T'], ['ACG', 'A']),
  written: fc.constantFrom('same', 'exchanged', 'other strand', 'other strand exchanged', 'other alleles', 'absent'),
  hasOtherId: fc.boolean(),
  dosages: fc.array(fc.constantFrom(0, 1, 2, null), { minLength: 4, maxLength: 4 }),
});

const OTHER_STRAND: Record<string, string> = { A: 'T', C: 'G', G: 'C', T: 'A', ACG: 'CGT' };

test('any mixture of exchanged, renamed, missing and foreign markers is predicted as written down marker by marker', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(predictedMarker, { minLength: 2, maxLength: 25 }),
      fc.boolean(),
      async (all, isAdditive) => {
        const [template] = model.traits;
        const trained: TrainedModel = {
          ...model,
          markers: {
            id: all.map((_, j) => `m${j}`),
            chromosome: all.map(() => 'Chr1'),
            positionBp: Float64Array.from(all, (_, j) => 10 * (j + 1)),
            a1: all.map(({ alleles }) => alleles[0]!),
            a2: all.map(({ alleles }) => alleles[1]!),
            freqA2: Float64Array.from(all, ({ freqA2 }) => freqA2),
            heterozygosity: Float64Array.from(all, ({ heterozygosity }) => heterozygosity),
          },
          traits: [
            {
              ...template!,
              fit: {
                ...template!.fit!,
                m: all.length,
                intercept: 7,
                additive: Float64Array.from(all, ({ additive }) => additive),
                dominance: isAdditive ? null : Float64Array.from(all, ({ dominance }) => dominance),
                frequencyA2: isAdditive ? null : Float64Array.from(all, ({ freqA2 }) => 1 - 0.9 * freqA2),
                genotypic: isAdditive ? null : template!.fit!.genotypic,
              },
            },
          ],
        };
        const names = ['P1', 'P2', 'P3', 'P4'];
        const expected = names.map(() => 7);
        const breedingValues = names.map(() => 7);
        const shares = { total: 0, shared: 0 };
        const counts = { shared: 0, swapped: 0, mismatched: 0, missing: 0 };
        const rows: Parameters<typeof panelOf>[1] = [];
        for (const [j, marker] of all.entries()) {
          const { additive: a, freqA2: p, heterozygosity, written, alleles } = marker;
          const d = isAdditive ? 0 : marker.dominance;
          const isPalindrome = alleles.join() === 'A,T';
          const isForeign = written === 'other alleles';
          const isThere = written !== 'absent' && !isForeign;
          const onOther = written.startsWith('other strand') && !isPalindrome;
          const isExchanged = written === 'exchanged' || written === 'other strand exchanged';
          const variance = 2 * p * (1 - p) * (a + d * (1 - 2 * p)) ** 2 + (2 * p * (1 - p) * d) ** 2;
          shares.total += variance;
          if (isThere) {
            shares.shared += variance;
            counts.shared++;
            if (isExchanged) counts.swapped++;
          } else {
            counts.missing++;
            if (isForeign) counts.mismatched++;
          }
          for (const [i, dosage] of marker.dosages.entries()) {
            expected[i]! +=
              isThere && dosage !== null ? dosage * a + (dosage === 1 ? d : 0) : 2 * p * a + heterozygosity * d;
          }
          const f = 1 - 0.9 * p;
          for (const [i, dosage] of marker.dosages.entries()) {
            const copies = isThere && dosage !== null ? dosage : 2 * p;
            breedingValues[i]! += 2 * f * f * d + copies * (a + (1 - 2 * f) * d);
          }
          if (written === 'absent') continue;
          const strand = alleles.map((allele) => (onOther ? OTHER_STRAND[allele]! : allele));
          const [a1, a2] = isForeign ? ['TTT', 'TT'] : isExchanged ? strand.toReversed() : strand;
          rows.push({
            id: marker.hasOtherId ? `x${j}` : `m${j}`,
            chr: '1',
            pos: 10 * (j + 1),
            a1: a1!,
            a2: a2!,
            dosages: marker.dosages.map((dosage) => (dosage !== null && isExchanged ? 2 - dosage : dosage)),
          });
        }
        fc.pre(counts.shared > 0 && shares.total > 1e-6);
        const { traits, report } = await predict(
          { model: trained, panel: panelOf(names, rows), minMarkerShare: 0 },
          { threads: 1 },
        );
        for (const [i, value] of expected.entries()) {
          const { gebv, genotypic } = traits[0]!;
          expect(Math.abs((genotypic?.value ?? gebv)[i]! - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
          expect(Math.abs(gebv[i]! - breedingValues[i]!)).toBeLessThan(1e-9 * (1 + Math.abs(breedingValues[i]!)));
        }
        expect(report).toMatchObject(counts);
        expect(report.variance_share).toBeCloseTo(shares.shared / shares.total, 9);
      },
    ),
    { seed: 41, numRuns: someOf(200) },
  );
});

test('a trait without genetic variance does not hide what share of the others is covered', async () => {
  const none = Float64Array.of(0, 0, 0, 0);
  const [yielding] = model.traits;
  const withNone: TrainedModel = {
    ...model,
    traits: [
      { ...yielding!, name: 'no variance', fit: { ...yielding!.fit!, additive: none, dominance: none } },
      yielding!,
    ],
  };
  const panel = panelOf(
    ['L1'],
    [
      { id: 's1', chr: '1', pos: 100, a1: 'A', a2: 'G', dosages: [1] },
      { id: 's2', chr: '1', pos: 200, a1: 'A', a2: 'C', dosages: [1] },
    ],
  );
  const alone = await predict({ model, panel }, { threads: 1 });
  expect(alone.report.variance_share).toBeGreaterThan(0);
  expect((await predict({ model: withNone, panel }, { threads: 1 })).report.variance_share).toBe(
    alone.report.variance_share,
  );
});
