import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { FixedEffect, FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { countCalls, frequencyA2, ploidyOf } from '@heterosis/statgen/genotypes/call-counts';
import { centredValues, decodeBlock } from '@heterosis/statgen/genotypes/decode-block';
import { AnalysisError } from '../../context.ts';
import type { AlignedCovariate } from '../../inputs/covariates.ts';
import { lookUpMarkers } from '../../inputs/find-listed.ts';
import { readRange } from '../../inputs/open-panel.ts';
import { panelSelection } from '../../inputs/panel-kinship.ts';
import type { TrainedModel } from '../trained-model.ts';

/** A marker whose effect is fixed beside the kinship: its counts less their mean, missing calls 0. */
export interface FixedMarker extends AlignedCovariate {
  /** Of the count among all genotyped individuals. */
  mean: number;
}

/**
 * Counts of markers as covariates: genes that are known to be large are estimated without shrinkage, the kinship keeps
 * what the rest of the genome does (Bernardo 2014, Crop Sci 54:68).
 *
 * @throws AnalysisError `models/unknown-marker`
 */
export async function readFixedMarkers(panel: GenotypePanel, names: readonly string[]): Promise<FixedMarker[]> {
  const { found, similar } = await lookUpMarkers(blocksOf(panel), new Set(names));
  const selection = panelSelection(panel.samples.length, undefined);
  const markers: FixedMarker[] = [];
  for (const name of new Set(names)) {
    const places = found.get(name) ?? [];
    if (places.length !== 1) throw notOneMarker(name, places.length, similar.get(name));
    const { packed, dosages } = await readRange(panel, { first: places[0], count: 1 });
    const counts = countCalls(packed, 1, selection, dosages);
    const values = new Float64Array(panel.samples.length);
    decodeBlock(packed, 1, selection, Int32Array.of(0), centredValues(counts), values, dosages);
    markers.push({ name, groups: null, isGenetic: true, values, mean: ploidyOf(counts) * frequencyA2(counts, 0) });
  }
  return markers;
}

/** The same as an input of a training or evaluation: nothing where no marker is named. */
export const fixedMarkersOf = async (
  panel: GenotypePanel,
  names: readonly string[] = [],
): Promise<{ fixedMarkers?: FixedMarker[] }> =>
  names.length === 0 ? {} : { fixedMarkers: await readFixedMarkers(panel, names) };

function notOneMarker(name: string, count: number, similar: string | undefined): AnalysisError {
  return new AnalysisError(
    'models/unknown-marker',
    count === 0 ? `The genotype has no marker "${name}".` : `${count} markers of the genotype have the name "${name}".`,
    similar === undefined ? 'Marker names are compared letter by letter.' : `Did you mean "${similar}"?`,
    { marker: name },
  );
}

/** Fixed effects of markers, beside the mean. */
export const fixedMarkerModel = (markers: readonly FixedMarker[]): FixedModel => ({
  terms: markers.map(({ values }) => ({ values, isFactor: false, isGenetic: true })),
  components: null,
});

/** Adds what fixed markers contribute to values that hold for their mean among the individuals of a fit. */
export function addFixedMarkers(
  values: Float64Array,
  markers: readonly FixedMarker[],
  effects: readonly Pick<FixedEffect, 'estimate'>[],
  observed: Int32Array,
): void {
  for (const [k, { values: counts }] of markers.entries()) {
    const { estimate } = effects[k];
    const mean = observed.reduce((sum, i) => sum + counts[i], 0) / observed.length;
    for (let i = 0; i < values.length; i++) values[i] += estimate * (counts[i] - mean);
  }
}

/**
 * The model with the effects of fixed markers among those of all markers and in its values, so that it predicts by
 * counts like any other. Reliabilities stay those of the random part.
 *
 * @throws AnalysisError `models/marker-left-out`
 */
export function withFixedMarkers(model: TrainedModel, markers: readonly FixedMarker[]): TrainedModel {
  const places = markers.map(({ name }) => {
    const place = model.markers.id.indexOf(name);
    if (place >= 0) return place;
    throw new AnalysisError(
      'models/marker-left-out',
      `The limits of allele frequency and call rate leave out the marker ${name}, whose effect should be fixed.`,
      'Lower these limits (--maf, --call-rate), or leave the marker out of those with fixed effects.',
      { marker: name },
    );
  });
  const traits = model.traits.map((trait) => {
    if (trait.fit === null) return trait;
    const { fit } = trait;
    const observed = Int32Array.from(fit.observed.keys()).filter((i) => !Number.isNaN(fit.observed[i]));
    const effects = markers.map(({ name }) => ({
      estimate: fit.fixedEffects.find((effect) => effect.name === name)?.estimate ?? 0,
    }));
    const [gebv, additive] = [fit.gebv.slice(), fit.additive.slice()];
    let { intercept } = fit;
    addFixedMarkers(gebv, markers, effects, observed);
    for (const [k, { values, mean }] of markers.entries()) {
      const { estimate } = effects[k];
      additive[places[k]] += estimate;
      intercept -= estimate * (mean + observed.reduce((sum, i) => sum + values[i], 0) / observed.length);
    }
    return { ...trait, fit: { ...fit, gebv, additive, intercept } };
  });
  return { ...model, traits };
}
