import pictures from 'virtual:help/pictures';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';

/** Pages of the demo's runs, as the user guide shows them. */
export const EXAMPLE_PICTURES: { readonly [Kind in RunKind]?: { light: string; dark: string } } = {
  model: pictures.model,
  prediction: pictures.prediction,
  gwas: pictures.gwas,
  crossing_plan: pictures.plan,
  crossing_simulation: pictures.crossing,
};
