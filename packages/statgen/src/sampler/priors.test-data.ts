import { defaultPriors, type SamplerModel, type SamplerPriors } from './effect-priors.ts';
import type { SamplerMarkers } from './sampler-markers.ts';

/** The default priors of a model for values. */
export function priorsFor(model: SamplerModel, markers: SamplerMarkers, values: Float64Array): SamplerPriors {
  const { n, m, squares } = markers;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return defaultPriors(model, {
    variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1),
    markerVariance: squares.reduce((sum, square) => sum + square, 0) / n,
    m,
  });
}
