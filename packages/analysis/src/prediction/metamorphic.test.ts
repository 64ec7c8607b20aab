import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { describe, expect, test } from 'vitest';
import { importText } from '../maize.test-data.ts';
import { type EvaluateInput, evaluateModels } from './evaluation/evaluate-model.ts';
import type { FoldsTable } from './evaluation/folds.ts';
import { predict } from './predict.ts';
import { openSmallPanel, type SmallPanel, smallPanel, smallPhenotype } from './small-panel.test-data.ts';
import { trainModel } from './train-model.ts';
import type { TraitFit } from './trained-model.ts';

const CONTEXT = { threads: 1 };
const N = 45;
const BASE = smallPanel(N, 70, 80);
const PHENOTYPE = smallPhenotype(BASE, 12);
const CANDIDATES = smallPanel(12, 70, 81, 'C');
/** Of the spread of the values; REML stops at 1e-8 of log δ, or 1e-9 of a variance. */
const TOLERANCE = 1e-7;

const MODELS = [
  { name: 'additive', dominance: false, kinship: 'vanraden1' },
  {
    name: 'standardized with covariates',
    dominance: false,
    kinship: 'standardized',
    covariates: ['age', 'origin'],
    principalComponents: 2,
  },
  { name: 'dominance', dominance: true, kinship: 'vanraden1' },
  { name: 'additive from the markers', dominance: false, kinship: 'vanraden1', engine: 'markers' },
] as const;
type Model = { name: string } & Omit<Partial<EvaluateInput>, 'panel' | 'phenotype' | 'traits' | 'folds'>;

interface Data {
  panel: SmallPanel;
  phenotype: PhenotypeTable;
  candidates: SmallPanel;
  folds: FoldsTable;
}

const FOLDS: FoldsTable = (() => {
  const random = createRandomStream(5, 'folds');
  return {
    individuals: BASE.samples,
    repetitions: [1, 2].map(() => Int32Array.from(BASE.samples, () => 1 + Math.floor(4 * random.uniform()))),
  };
})();
const DATA: Data = { panel: BASE, phenotype: PHENOTYPE, candidates: CANDIDATES, folds: FOLDS };

/** All that train, predict and evaluate say, by names. */
async function figuresOf({ panel, phenotype, candidates, folds }: Data, model: Model) {
  const { name: _, ...settings } = model;
  const opened = openSmallPanel(panel);
  const input = { panel: opened, phenotype, traits: ['y'], ...settings, maf: 0.05, callRate: 0.5 };
  const trained = await trainModel(input, CONTEXT);
  const fit = trained.traits[0]!.fit!;
  const predicted = await predict({ model: trained, panel: openSmallPanel(candidates), training: opened }, CONTEXT);
  const [evaluated] = await evaluateModels({ ...input, folds }, CONTEXT);
  const own = await predict({ model: trained, panel: opened }, CONTEXT);
  return { fit, individuals: trained.individuals, predicted, evaluation: evaluated!.evaluation!, own: own.traits[0]! };
}
type Figures = Awaited<ReturnType<typeof figuresOf>>;

const spreadOf = (values: Float64Array): number => Math.max(...values) - Math.min(...values);

/** Values by name, in the unit of the base. */
interface Unit {
  scale: number;
  shift: number;
}

function expectSame(
  one: Figures,
  other: Figures,
  { scale, shift }: Unit = { scale: 1, shift: 0 },
  nameOf = (name: string) => name,
) {
  const spread = spreadOf(one.fit.gebv);
  const size = Math.abs(scale);
  const isClose = (value: number, expected: number, of: number) =>
    expect(Math.abs(value - expected)).toBeLessThan(TOLERANCE * of);
  const places = new Map(other.individuals.map((name, i) => [name, i]));
  const values = (fit: TraitFit) => [fit.gebv, ...(fit.genotypic === null ? [] : [fit.genotypic.value])];
  const reliabilities = (fit: TraitFit) => [
    fit.reliability,
    ...(fit.genotypic === null ? [] : [fit.genotypic.reliability]),
  ];
  for (const [i, name] of one.individuals.entries()) {
    const k = places.get(nameOf(name))!;
    for (const [v, column] of values(one.fit).entries())
      isClose((values(other.fit)[v]![k]! - shift) / scale, column[i]!, spread);
    for (const [v, column] of reliabilities(one.fit).entries())
      isClose(reliabilities(other.fit)[v]![k]!, column[i]!, 10);
  }
  for (const part of ['additive', 'dominance', 'residual'] as const) {
    isClose(
      (other.fit.variance[part] ?? 0) / size ** 2,
      one.fit.variance[part] ?? 0,
      10 * (one.fit.variance.additive + one.fit.variance.residual),
    );
  }
  for (const ratio of ['h2', 'kinship_pve'] as const) isClose(other.fit.variance[ratio], one.fit.variance[ratio], 10);
  expect(other.fit.variance.standard_errors === null).toBe(one.fit.variance.standard_errors === null);
  const [a, b] = [one.predicted.traits[0]!, other.predicted.traits[0]!];
  const candidates = new Map(other.predicted.individuals.map((name, i) => [name, i]));
  for (const [i, name] of one.predicted.individuals.entries()) {
    const k = candidates.get(name)!;
    isClose((b.gebv[k]! - shift) / scale, a.gebv[i]!, spread);
    isClose(b.reliability[k]!, a.reliability[i]!, 10);
    if (a.genotypic !== null) isClose((b.genotypic!.value[k]! - shift) / scale, a.genotypic.value[i]!, spread);
  }
  // Predictions change their sign with the trait, and so do observations.
  for (const [k, { r }] of one.evaluation.perFold.entries()) {
    const found = other.evaluation.perFold[k]!.r;
    expect(found === null).toBe(r === null);
    isClose(found ?? 0, r ?? 0, 1000);
  }
  isClose(other.evaluation.summary.slope.mean!, one.evaluation.summary.slope.mean!, 1000);
}

/** 0 … n − 1 in another order. */
const order = (n: number, seed: number): number[] => [
  ...createRandomStream(seed, 'order').shuffle(Int32Array.from({ length: n }, (_, i) => i)),
];

const withMarkers = (panel: SmallPanel, places: readonly number[]): SmallPanel => ({
  ...panel,
  markers: places.map((j) => panel.markers[j]!),
  dosages: panel.dosages.map((row) => places.map((j) => row[j]!)),
});
const changeMarkers = (
  panel: SmallPanel,
  change: (marker: SmallPanel['markers'][number], j: number) => Partial<SmallPanel['markers'][number]>,
): SmallPanel => ({
  ...panel,
  markers: panel.markers.map((marker, j) => ({ ...marker, ...change(marker, j) })),
});
const exchange = (panel: SmallPanel): SmallPanel => ({
  ...changeMarkers(panel, ({ a1, a2 }, j) => (j % 2 === 1 ? { a1: a2, a2: a1 } : {})),
  dosages: panel.dosages.map((row) => row.map((g, j) => (g !== null && j % 2 === 1 ? 2 - g : g))),
});
const withTrait = (phenotype: PhenotypeTable, change: (value: number) => number): PhenotypeTable => ({
  ...phenotype,
  values: phenotype.values.map((values, t) => (t === 0 ? values.map(change) : values)),
});
const withIndividuals = (phenotype: PhenotypeTable, places: readonly number[]): PhenotypeTable => ({
  ...phenotype,
  individuals: places.map((i) => phenotype.individuals[i]!),
  values: phenotype.values.map((values) => Float64Array.from(places, (i) => values[i]!)),
  observations: phenotype.observations.map((values) => Int32Array.from(places, (i) => values[i]!)),
  groups: phenotype.groups.map((group) => ({ ...group, codes: Int32Array.from(places, (i) => group.codes[i]!) })),
});

/** What must not matter. */
const CHANGES: { name: string; change: (data: Data) => Data; unit?: Unit }[] = [
  {
    name: 'individuals of the genotype in another order',
    change: (data) => {
      const places = order(N, 1);
      return {
        ...data,
        panel: {
          ...data.panel,
          samples: places.map((i) => data.panel.samples[i]!),
          dosages: places.map((i) => data.panel.dosages[i]!),
        },
      };
    },
  },
  {
    name: 'rows of the phenotype in another order',
    change: (data) => ({ ...data, phenotype: withIndividuals(data.phenotype, order(N, 2)) }),
  },
  { name: 'markers in another order', change: (data) => ({ ...data, panel: withMarkers(data.panel, order(70, 3)) }) },
  {
    name: 'markers of the candidates in another order',
    change: (data) => ({ ...data, candidates: withMarkers(data.candidates, order(70, 4)) }),
  },
  {
    name: 'other names of chromosomes, and other positions',
    change: (data) => ({
      ...data,
      panel: changeMarkers(data.panel, ({ chromosome, positionBp }) => ({
        chromosome: `scaffold_${chromosome}`,
        positionBp: 7 + 3 * positionBp,
      })),
    }),
  },
  { name: 'the other allele counted in the training', change: (data) => ({ ...data, panel: exchange(data.panel) }) },
  {
    name: 'the other allele counted among the candidates',
    change: (data) => ({ ...data, candidates: exchange(data.candidates) }),
  },
  {
    name: 'a trait in another unit',
    change: (data) => ({ ...data, phenotype: withTrait(data.phenotype, (value) => 1e-3 * value) }),
    unit: { scale: 1e-3, shift: 0 },
  },
  {
    name: 'a trait from another origin',
    change: (data) => ({ ...data, phenotype: withTrait(data.phenotype, (value) => value + 5000) }),
    unit: { scale: 1, shift: 5000 },
  },
  {
    name: 'a trait in the opposite direction',
    change: (data) => ({ ...data, phenotype: withTrait(data.phenotype, (value) => 10 - value) }),
    unit: { scale: -1, shift: 10 },
  },
  {
    name: 'phenotyped individuals without genotype',
    change: (data) => {
      const more = withIndividuals(data.phenotype, [...Array(N).keys(), 3, 4]);
      return { ...data, phenotype: { ...more, individuals: [...more.individuals.slice(0, N), 'nobody', 'no one'] } };
    },
  },
  {
    name: 'a monomorphic marker, and one that hardly anybody has',
    change: (data) => ({
      ...data,
      panel: {
        ...data.panel,
        markers: [
          ...data.panel.markers,
          ...['fixed', 'missing'].map((id) => ({ id, chromosome: '9', positionBp: 5, a1: 'A', a2: 'T' })),
        ],
        dosages: data.panel.dosages.map((row, i) => [...row, 2, i < 4 ? 1 : null]),
      },
    }),
  },
  {
    name: 'further markers among the candidates',
    change: (data) => ({
      ...data,
      candidates: {
        ...data.candidates,
        markers: [...data.candidates.markers, { id: 'other', chromosome: '4', positionBp: 99, a1: 'A', a2: 'T' }],
        dosages: data.candidates.dosages.map((row, i) => [...row, i % 3]),
      },
    }),
  },
];

describe.each(MODELS)('$name', (model) => {
  const base = figuresOf(DATA, model);

  test.each(CHANGES)('$name change nothing', async ({ change, unit }) => {
    expectSame(await base, await figuresOf(change(DATA), model), unit);
  });

  test('prediction of the training panel gives the values of the training', async () => {
    const { fit, own } = await base;
    for (const [i, value] of fit.gebv.entries()) {
      expect(Math.abs(own.gebv[i]! - value)).toBeLessThan(1e-9 * spreadOf(fit.gebv));
      expect(own.reliability[i]).toBe(fit.reliability[i]);
      if (fit.genotypic !== null)
        expect(Math.abs(own.genotypic!.value[i]! - fit.genotypic.value[i]!)).toBeLessThan(1e-9 * spreadOf(fit.gebv));
    }
  });

  test('every marker in two copies changes no value: kinships stay what they are', async () => {
    // standardized divides by m − 1, so its kinship and σ²a change by 2(m − 1)/(2m − 1), in opposite directions.
    const doubled = (panel: SmallPanel): SmallPanel => ({
      ...panel,
      markers: [
        ...panel.markers,
        ...panel.markers.map((marker) => ({ ...marker, id: `${marker.id} again`, positionBp: marker.positionBp + 1 })),
      ],
      dosages: panel.dosages.map((row) => [...row, ...row]),
    });
    const [one, two] = [
      await base,
      await figuresOf({ ...DATA, panel: doubled(BASE), candidates: doubled(CANDIDATES) }, model),
    ];
    const spread = spreadOf(one.fit.gebv);
    for (const [i, value] of one.fit.gebv.entries())
      expect(Math.abs(two.fit.gebv[i]! - value)).toBeLessThan(TOLERANCE * spread);
    for (const [i, value] of one.predicted.traits[0]!.gebv.entries()) {
      expect(Math.abs(two.predicted.traits[0]!.gebv[i]! - value)).toBeLessThan(TOLERANCE * spread);
      expect(
        Math.abs(two.predicted.traits[0]!.reliability[i]! - one.predicted.traits[0]!.reliability[i]!),
      ).toBeLessThan(1e-6);
    }
    expect(Math.abs(two.fit.variance.kinship_pve - one.fit.variance.kinship_pve)).toBeLessThan(1e-6);
  });
});

describe('a covariate that explains nearly all of a trait', () => {
  const covariates = ['age', 'origin'];
  const MODELS_WITH_COVARIATES = [
    { name: 'of the individuals', covariates, principalComponents: 2 },
    { name: 'from the markers', covariates, principalComponents: 2, engine: 'markers' },
    { name: 'with dominance', covariates, dominance: true },
    { name: 'with dominance from the markers', covariates, dominance: true, engine: 'markers' },
  ] as const;
  const [, age] = PHENOTYPE.values;
  const [origin] = PHENOTYPE.groups;
  const explained = PHENOTYPE.values.map((values, t) =>
    t === 0 ? values.map((value, i) => value + 10 * age![i]! - 30 * origin!.codes[i]!) : values,
  );
  const withMore = { ...PHENOTYPE, values: explained };

  test.each(MODELS_WITH_COVARIATES)('adds no accuracy, $name', async (model) => {
    // With more columns than individuals the likelihood of dominance is flat to 1e-5 of the values.
    const few = withMarkers(BASE, [...Array(16).keys()]);
    const data = 'dominance' in model ? { ...DATA, panel: few } : DATA;
    const [one, other] = [await figuresOf(data, model), await figuresOf({ ...data, phenotype: withMore }, model)];
    expectSame(one, other, { scale: 1, shift: other.fit.gebv[0]! - one.fit.gebv[0]! });
    for (const figure of ['pearson_r', 'spearman_r', 'rmse', 'r2', 'slope'] as const) {
      expect(other.evaluation.summary[figure].mean).toBeCloseTo(one.evaluation.summary[figure].mean!, 4);
    }
    expect(other.evaluation.accuracy?.value).toBeCloseTo(one.evaluation.accuracy!.value, 4);
    expect(other.evaluation.summary.phenotype_r!.mean).toBeGreaterThan(0.95);
    expect(one.evaluation.summary.pearson_r.mean).toBeLessThan(0.9);
    for (const [k, { observed, predicted }] of other.evaluation.points.entries()) {
      const { observed: seen, predicted: expected } = one.evaluation.points[k]!;
      expect(observed - predicted).toBeCloseTo(seen - expected, 4);
    }
  });

  test('adds none where each group is predicted from the others', async () => {
    const settings = { ...MODELS_WITH_COVARIATES[0], covariates: ['age'], traits: ['y'], leaveOut: 'origin' };
    const evaluate = async (phenotype: PhenotypeTable) => {
      const [result] = await evaluateModels({ panel: openSmallPanel(BASE), phenotype, ...settings }, CONTEXT);
      return result!.evaluation!;
    };
    const byAge = PHENOTYPE.values.map((values, t) => (t === 0 ? values.map((y, i) => y + 60 * age![i]!) : values));
    const [one, other] = [await evaluate(PHENOTYPE), await evaluate({ ...PHENOTYPE, values: byAge })];
    expect(other.meanFoldR.mean).toBeCloseTo(one.meanFoldR.mean!, 5);
    expect(other.accuracy?.value).toBeCloseTo(one.accuracy!.value, 5);
  });
});

test.each(['individuals', 'markers'] as const)(
  'markers at which everybody is heterozygous change nothing of a model with dominance, by %s',
  async (engine) => {
    const heterozygous = (panel: SmallPanel): SmallPanel => ({
      ...panel,
      markers: [
        ...panel.markers,
        ...['h1', 'h2'].map((id) => ({ id, chromosome: '5', positionBp: 7, a1: 'A', a2: 'T' })),
      ],
      dosages: panel.dosages.map((row, i) => [...row, 1, i === 6 ? null : 1]),
    });
    const few = (panel: SmallPanel) => withMarkers(panel, [...Array(16).keys()]);
    const data = { ...DATA, panel: few(BASE), candidates: few(CANDIDATES) };
    const more = { ...data, panel: heterozygous(data.panel), candidates: heterozygous(data.candidates) };
    const model = { name: 'dominance', dominance: true, engine };
    const [one, other] = [await figuresOf(data, model), await figuresOf(more, model)];
    // They count in the divisor of the additive kinship, as in other programs, and σ²a and h² go with it.
    const { additive, h2 } = one.fit.variance;
    other.fit.variance = { ...other.fit.variance, additive, h2 };
    expectSame(one, other);
    expect([...(other.fit.dominance ?? []).slice(-2)]).toEqual([0, 0]);
  },
);

test('one marker in two copies weighs twice, so that values change', async () => {
  const first = BASE.markers[0]!;
  const panel: SmallPanel = {
    ...BASE,
    markers: [...BASE.markers, { ...first, id: 'copy', positionBp: first.positionBp + 1 }],
    dosages: BASE.dosages.map((row) => [...row, row[0]!]),
  };
  const [one, two] = [await figuresOf(DATA, MODELS[0]), await figuresOf({ ...DATA, panel }, MODELS[0])];
  const largest = Math.max(...one.fit.gebv.map((value, i) => Math.abs(value - two.fit.gebv[i]!)));
  expect(largest).toBeGreaterThan(1e-4 * spreadOf(one.fit.gebv));
  const copy = two.fit.additive.length - 1;
  expect(two.fit.additive[copy]).toBeCloseTo(two.fit.additive[0]!, 12);
});

test('an individual without phenotype changes no variance of a complete panel, and no value of the others', async () => {
  const complete = { ...BASE, dosages: BASE.dosages.map((row) => row.map((g) => g ?? 1)) };
  const added: SmallPanel = {
    ...complete,
    samples: [...complete.samples, 'seed'],
    dosages: [...complete.dosages, complete.dosages[3]!.map((g) => (g! + 1) % 3)],
  };
  const data = { ...DATA, panel: complete };
  for (const model of [MODELS[0], MODELS[2]]) {
    const [one, two] = [await figuresOf(data, model), await figuresOf({ ...data, panel: added }, model)];
    // The kinship of an additive model is centred and divided by other frequencies: σ²a goes with its divisor, values
    // stay.
    for (const [i, value] of one.fit.gebv.entries())
      expect(Math.abs(two.fit.gebv[i]! - value)).toBeLessThan(1e-6 * spreadOf(one.fit.gebv));
    expect(Math.abs(two.fit.variance.kinship_pve - one.fit.variance.kinship_pve)).toBeLessThan(1e-6);
    expect(two.fit.gebv).toHaveLength(N + 1);
  }
});

/** The same calls as files of other formats. */
const FORMATS: { name: string; text: (panel: SmallPanel) => string }[] = [
  {
    name: 'VCF',
    text: ({ samples, markers, dosages }) =>
      [
        '##fileformat=VCFv4.2',
        ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples].join('\t'),
        ...markers.map(({ id, chromosome, positionBp, a1, a2 }, j) =>
          [
            chromosome,
            positionBp,
            id,
            a1,
            a2,
            '.',
            '.',
            '.',
            'GT',
            ...dosages.map((row) => ({ 0: '0/0', 1: '0/1', 2: '1/1' })[row[j] ?? 9] ?? './.'),
          ].join('\t'),
        ),
        '',
      ].join('\n'),
  },
  {
    name: 'HapMap',
    text: ({ samples, markers, dosages }) =>
      [
        [
          ...'rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID QCcode'.split(' '),
          ...samples,
        ].join('\t'),
        ...markers.map(({ id, chromosome, positionBp, a1, a2 }, j) =>
          [
            id,
            `${a1}/${a2}`,
            chromosome,
            positionBp,
            '+',
            ...Array(6).fill('NA'),
            ...dosages.map((row) => ({ 0: a1 + a1, 1: a1 + a2, 2: a2 + a2 })[row[j] ?? 9] ?? 'NN'),
          ].join('\t'),
        ),
        '',
      ].join('\n'),
  },
  {
    name: 'a matrix of numbers',
    text: ({ samples, markers, dosages }) =>
      [
        ['individual', ...markers.map(({ id }) => id)].join(','),
        ...samples.map((name, i) => [name, ...dosages[i]!.map((g) => g ?? 'NA')].join(',')),
        '',
      ].join('\n'),
  },
];

test.each(FORMATS)('the same calls as $name give the same values as from the .bed', async ({ text }) => {
  const settings = { phenotype: PHENOTYPE, traits: ['y'], maf: 0.05, callRate: 0.5 };
  const one = await trainModel({ ...settings, panel: openSmallPanel(BASE) }, CONTEXT);
  await using imported = await importText(text(BASE));
  const other = await trainModel({ ...settings, panel: imported.panel }, CONTEXT);
  const gebv = (model: typeof one) =>
    new Map(model.individuals.map((name, i) => [name, model.traits[0]!.fit!.gebv[i]!]));
  const spread = spreadOf(one.traits[0]!.fit!.gebv);
  expect(other.individuals).toHaveLength(N);
  for (const [name, value] of gebv(one))
    expect(Math.abs(gebv(other).get(name)! - value)).toBeLessThan(TOLERANCE * spread);
});
