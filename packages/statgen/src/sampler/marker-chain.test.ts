import { expect, test } from 'vitest';
import { createPackedMarkers, type PackedMarkers } from '../marker-space/packed-markers.ts';
import { inbredPanel } from '../marker-space/small-panel.test-data.ts';
import { chiSquareDeviate, gammaDeviate } from '../random/gamma.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { defaultPriors, SAMPLER_MODELS, type SamplerModel, type SamplerPriors } from './effect-priors.ts';
import { emptySums, MarkerChain } from './marker-chain.ts';
import { priorsFor } from './priors.test-data.ts';
import { MARKERS_PER_BLOCK, samplerMarkers } from './sampler-markers.ts';

const ALL = { maf: 0, callRate: 0 };

function packedPanel(options: { n: number; m: number; missing: number }): { panel: PackedMarkers; y: Float64Array } {
  const { packed, n, m, y } = inbredPanel({ ...options, seed: 3 });
  const builder = createPackedMarkers({ panelSize: n }, ALL);
  builder.add(packed, m);
  return { panel: builder.finish(), y };
}

/** Counts of some individuals, missing calls at the mean, n × m. */
function counts(panel: PackedMarkers, individuals: Int32Array): Float64Array {
  const { m } = panel;
  const out = new Float64Array(individuals.length * m);
  const coding = { centre: new Float64Array(m), scale: new Float64Array(m).fill(1) };
  panel.decode(individuals, { first: 0, count: individuals.length }, { first: 0, count: m }, coding, out);
  return out;
}

const everySecond = (n: number, from: number): Int32Array =>
  Int32Array.from({ length: Math.floor(n / 2) }, (_, i) => from + 2 * i);

test.for([0, 0.05])('values stay those of the effects, cycle after cycle, with %s of the calls missing', (missing) => {
  const { panel, y } = packedPanel({ n: 300, m: 71, missing });
  const [valued, candidates] = [everySecond(300, 0), everySecond(300, 1)];
  const markers = samplerMarkers(panel, valued, candidates);
  const values = Float64Array.from(valued, (i) => y[i]!);
  for (const model of SAMPLER_MODELS) {
    const chain = new MarkerChain(markers, priorsFor(model, markers, values), { values, seed: 1, chain: 1 });
    chain.run(200);
    const sums = emptySums(markers);
    chain.run(1, sums);
    const x = counts(panel, Int32Array.from([...valued, ...candidates]));
    const rows = valued.length + candidates.length;
    for (let i = 0; i < rows; i++) {
      let expected = 0;
      for (let j = 0; j < markers.m; j++) {
        expected += (x[j * rows + i]! - markers.means[j]!) * chain.effects[j]! * chain.unit;
      }
      expect(Math.abs(sums.genetic[i]! - expected)).toBeLessThan(40 * chain.unit);
    }
  }
});

test('products of blocks are those of centred counts', () => {
  const { panel } = packedPanel({ n: 130, m: 40, missing: 0.1 });
  const valued = everySecond(130, 1);
  const { means, squares, products } = samplerMarkers(panel, valued, new Int32Array(0));
  const x = counts(panel, valued);
  const n = valued.length;
  const product = (j: number, k: number) =>
    Array.from({ length: n }, (_, i) => (x[j * n + i]! - means[j]!) * (x[k * n + i]! - means[k]!)).reduce(
      (a, b) => a + b,
    );
  for (const [j, k] of [
    [3, 30],
    [33, 39],
  ] as const) {
    const block = (j >> 5) * MARKERS_PER_BLOCK ** 2;
    expect(products[block + (j & 31) * MARKERS_PER_BLOCK + (k & 31)]).toBeCloseTo(product(j, k), 10);
    expect(squares[j]).toBeCloseTo(product(j, j), 10);
  }
});

test('a chain depends on its seed and its number alone', () => {
  const { panel, y } = packedPanel({ n: 120, m: 50, missing: 0.02 });
  const everyone = Int32Array.from(y.keys());
  const markers = samplerMarkers(panel, everyone, new Int32Array(0));
  const priors = priorsFor('bayesb', markers, y);
  const effectsOf = (seed: number, chain: number, steps: number[]) => {
    const own = new MarkerChain(markers, priors, { values: y, seed, chain });
    const sums = emptySums(markers);
    for (const step of steps) own.run(step, sums);
    return sums.effect;
  };
  const one = effectsOf(5, 1, [40]);
  expect(effectsOf(5, 1, [13, 27])).toEqual(one);
  expect(effectsOf(5, 2, [40])).not.toEqual(one);
  expect(effectsOf(6, 1, [40])).not.toEqual(one);
});

test('effects that a list of changes cannot hold in one entry are applied whole', () => {
  // One marker explains nearly everything: its effect is hundreds of prior deviations.
  const { panel } = packedPanel({ n: 200, m: 2000, missing: 0 });
  const everyone = Int32Array.from({ length: 200 }, (_, i) => i);
  const markers = samplerMarkers(panel, everyone, new Int32Array(0));
  const x = counts(panel, everyone);
  const random = createRandomStream(8);
  const values = Float64Array.from(everyone, (i) => 5 * x[17 * 200 + i]! + 0.1 * random.normal());
  const chain = new MarkerChain(markers, priorsFor('bayescpi', markers, values), { values, seed: 1, chain: 1 });
  chain.run(100);
  expect(Math.abs(chain.effects[17]!)).toBeGreaterThan(7 * 32_767);
  expect(chain.residualVariance).toBeLessThan(1);
});

/**
 * Geweke (2004, J Am Stat Assoc 99:799): when values are drawn anew from the model after every cycle, the draws of the
 * parameters are those of their prior. Any wrong conditional distribution shows.
 */
test.for(SAMPLER_MODELS)('the joint distribution of %s is that of prior and model', (model) => {
  const [n, m, cycles] = [24, 40, 30_000];
  const { panel } = packedPanel({ n, m, missing: 0.03 });
  const everyone = Int32Array.from({ length: n }, (_, i) => i);
  const markers = samplerMarkers(panel, everyone, new Int32Array(0));
  const priors = tightPriors(model, markers.squares.reduce((sum, square) => sum + square, 0) / n, m);
  const random = createRandomStream(21, model);
  const start = Float64Array.from(everyone, () => random.normal());
  const chain = new MarkerChain(markers, priors, { values: start, seed: 2, chain: 1 });
  const x = counts(panel, everyone);
  const found = statistics();
  for (let cycle = 0; cycle < cycles; cycle++) {
    const values = everyone.reduce((all, i) => {
      let value = Math.sqrt(chain.residualVariance) * random.normal();
      for (let j = 0; j < m; j++) value += (x[j * n + i]! - markers.means[j]!) * chain.effects[j]! * chain.unit;
      all[i] = value;
      return all;
    }, new Float64Array(n));
    chain.setValues(values);
    chain.run(1);
    found.add(chain.residualVariance, chain.effects, chain.unit);
  }
  const expected = statistics();
  for (let k = 0; k < 30_000; k++) {
    const { residual, effects } = drawPrior(priors, m, random);
    expected.add(residual, effects, 1);
  }
  const [sampled, prior] = [found.summary(), expected.summary()];
  for (const [k, { mean, error }] of sampled.entries()) {
    expect(Math.abs(mean - prior[k]!.mean)).toBeLessThan(4 * Math.hypot(error, prior[k]!.error));
  }
});

/** Log variances, effects, shares of markers in the model: means, and errors by 100 batches. */
function statistics() {
  const draws: number[][] = [];
  return {
    add(residual: number, effects: ArrayLike<number>, unit: number): void {
      let [included, squares] = [0, 0];
      for (let j = 0; j < effects.length; j++) {
        included += Number(effects[j] !== 0);
        squares += (effects[j]! * unit) ** 2;
      }
      const first = effects[0]! * unit;
      draws.push([
        Math.log(residual),
        included,
        included ** 2,
        Math.sqrt(squares),
        Math.log1p(100 * first * first),
        first,
      ]);
    },
    summary(): { mean: number; error: number }[] {
      const size = draws.length / 100;
      return draws[0]!.map((_, k) => {
        const means = Array.from({ length: 100 }, (__, batch) => {
          let sum = 0;
          for (let t = 0; t < size; t++) sum += draws[batch * size + t]![k]!;
          return sum / size;
        });
        const mean = means.reduce((sum, value) => sum + value, 0) / 100;
        return { mean, error: Math.sqrt(means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 99 / 100) };
      });
    },
  };
}

/** Default priors made narrower: with 5 degrees of freedom variances wander over orders of magnitude. */
function tightPriors(model: SamplerModel, markerVariance: number, m: number): SamplerPriors {
  const priors = defaultPriors(model, { variance: 2, markerVariance, m });
  const tight = { degrees: 30, scale: 32 };
  switch (priors.model) {
    case 'brr':
    case 'bayescpi':
      return { ...priors, residual: tight, effects: { degrees: 12, scale: 14 / markerVariance } };
    case 'bayesb':
      return { ...priors, residual: tight, degrees: 8, scale: { shape: 6, rate: (6 * markerVariance) / 10 } };
    case 'bayesr':
      return {
        ...priors,
        residual: tight,
        genetic: { degrees: 12, scale: 14 },
        classes: [0, 0.01, 0.1],
        counts: [2, 3, 4],
      };
  }
}

function drawPrior(
  priors: SamplerPriors,
  m: number,
  random: ReturnType<typeof createRandomStream>,
): { residual: number; effects: Float64Array } {
  const variance = ({ degrees, scale }: { degrees: number; scale: number }) =>
    scale / chiSquareDeviate(random, degrees);
  const residual = variance(priors.residual);
  const effects = new Float64Array(m);
  const beta = (a: number, b: number) => {
    const first = gammaDeviate(random, a);
    return first / (first + gammaDeviate(random, b));
  };
  const share = 'inclusion' in priors ? beta(priors.inclusion.in, priors.inclusion.out) : 1;
  if (priors.model === 'bayesb') {
    const scale = gammaDeviate(random, priors.scale.shape) / priors.scale.rate;
    for (let j = 0; j < m; j++) {
      if (random.uniform() < share) {
        effects[j] = Math.sqrt(scale / chiSquareDeviate(random, priors.degrees)) * random.normal();
      }
    }
  } else if (priors.model === 'bayesr') {
    const genetic = variance(priors.genetic);
    const weights = priors.counts.map((count) => gammaDeviate(random, count));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let j = 0; j < m; j++) {
      let [left, k] = [random.uniform() * total, 0];
      while (k < weights.length - 1 && left >= weights[k]!) left -= weights[k++]!;
      effects[j] = Math.sqrt((priors.classes[k]! * genetic) / priors.meanVariance) * random.normal();
    }
  } else {
    const common = variance(priors.effects);
    for (let j = 0; j < m; j++) if (random.uniform() < share) effects[j] = Math.sqrt(common) * random.normal();
  }
  return { residual, effects };
}
