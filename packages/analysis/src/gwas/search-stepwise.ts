import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import { createMarkerRotation } from '@heterosis/statgen/association/rotated-markers';
import {
  type Cofactor,
  type CofactorModel,
  createCofactorScan,
  fitCofactors,
  weakestCofactor,
} from '@heterosis/statgen/association/stepwise-model';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import { GWAS_DEFAULTS, type GwasInput, type StepwiseSearch } from './gwas-state.ts';

/** Individuals that a model must have beyond its effects. */
const FREE_INDIVIDUALS = 3;

/** The search of one trait as it grows. */
interface GrowingSearch {
  trait: number;
  cofactors: Cofactor[];
  models: StepwiseSearch['models'];
}

/**
 * Multi-locus mixed model of each trait (Segura et al. 2012, Nat Genet 44:825): takes the marker that explains most
 * into the model, estimates the variances again, and so on for `input.stepwise` steps; then drops the weakest marker
 * again and again. The model with the smallest mBIC is chosen. Each step reads and rotates the panel once, for all
 * traits.
 *
 * @param markers markers that pass the filters
 * @returns one entry a trait; null where no search is asked for
 */
export async function searchStepwise(
  input: Pick<GwasInput, 'panel' | 'stepwise' | 'maf' | 'callRate'>,
  { state, individuals, markers }: { state: GwasNull; individuals: Int32Array; markers: number },
  context: AnalysisContext,
): Promise<StepwiseSearch[] | null> {
  const { panel, stepwise: steps, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate } = input;
  if (steps === undefined) return null;
  const fit = (trait: number, cofactors: readonly Cofactor[]): CofactorModel =>
    fitCofactors(state, trait, cofactors, markers);
  const searches = state.traits.map(
    (_, trait): GrowingSearch => ({ trait, cofactors: [], models: [{ direction: 'forward', ...fit(trait, []) }] }),
  );
  const selection = { ...panelSelection(panel.samples.length, individuals), filter: { maf, callRate } };
  const rotation = createMarkerRotation(state, selection);
  const ranges = markerRanges(panel.markerCount);
  const most = Math.min(steps, state.contrastEigenvalues.length - FREE_INDIVIDUALS);
  let growing = searches;
  for (let step = 0; step < most && growing.length > 0; step++) {
    const scans = growing.map(({ trait, cofactors, models }) =>
      createCofactorScan(state, trait, cofactors, models[step].h2),
    );
    let block = step * ranges.length;
    reportProgress(context, 'fit', block, most * ranges.length);
    for await (const { first, packed, count, dosages } of packedRanges(panel, ranges)) {
      for (const { markers: places, rotated } of rotation(packed, count, dosages)) {
        const inPanel = places.map((place) => first + place);
        for (const scan of scans) scan.add(inPanel, rotated);
      }
      reportProgress(context, 'fit', ++block, most * ranges.length);
    }
    growing = growing.filter((search, s) => {
      const strongest = scans[s].strongest();
      if (strongest === undefined) return false;
      search.cofactors.push(strongest);
      search.models.push({ direction: 'forward', ...fit(search.trait, search.cofactors) });
      return true;
    });
  }
  return searches.map(({ trait, cofactors, models }) => {
    for (let left = cofactors; left.length > 1; ) {
      const weakest = weakestCofactor(models[models.length - 1]);
      left = left.filter((_, k) => k !== weakest);
      models.push({ direction: 'backward', ...fit(trait, left) });
    }
    const chosen = models.reduce((best, { mbic }, k) => (mbic < models[best].mbic ? k : best), 0);
    return { models, chosen };
  });
}
