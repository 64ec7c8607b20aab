import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { packCalls, packedLength } from '@heterosis/file-formats/genotype/packed-calls';
import { expect, test } from 'vitest';
import { matchMarkers } from './match-markers.ts';
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
  version: 1,
  settings: { dominance: true, kinship: 'vanraden1', maf: 0.05, callRate: 0.9, optimizeSeconds: null },
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
        variance: { additive: 1, dominance: 0.1, residual: 1, h2: 0.5 },
        H2: 0.55,
        logLikelihood: -3,
        iterations: 4,
        converged: true,
        atBoundary: [],
        seconds: 0,
        gebv: Float64Array.of(10 + 1 + 0.5 + 0 - 8 + 16, 3),
        reliability: Float64Array.of(0.8, Number.NaN),
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

test('adds effects on raw dosages, heterozygotes with dominance, missing calls at the training mean', async () => {
  const prediction = await predict({ model, panel: trainingPanel }, { threads: 1 });
  expect(prediction.traits.map((trait) => trait.name)).toEqual(['yield']);
  expect([...prediction.traits[0]!.gebv]).toEqual(expected);
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
  });
  // L1 has the GEBV of training, so its reliability is known; L2 has not.
  expect([...prediction.traits[0]!.reliability]).toEqual([0.8, Number.NaN, Number.NaN]);
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
      gebv: trait!.fit!.gebv.map((value) => scale * value + level),
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
  expect([...traits[0]!.gebv]).toEqual(expected);
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
  expect([...traits[0]!.gebv]).toEqual([10 + 2 + 2 - 4 + 8 + 0.125]);
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
  for (const text of ['', '{}', '[1]', 'null', modelJson({ ...model, version: 2 as 1 })]) {
    expect(() => parseModelJson(text)).toThrow('not a trained model');
  }
  const broken = { ...model, markers: { ...model.markers, freqA2: Float64Array.of(0.1) } };
  expect(() => parseModelJson(modelJson(broken))).toThrow('1 allele frequencies, 4 were expected');
});

test('predictions are written with an empty cell for an unknown reliability', async () => {
  const prediction = await predict({ model, panel: trainingPanel }, { threads: 1 });
  expect([...predictionsCsv(prediction)].join('')).toBe(
    'id,gebv_yield,reliability_yield\nL1,19.5,0.8\nL2,22.25,\nnew,10,\n',
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
