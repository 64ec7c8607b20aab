import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { mapOfPositions } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { gameticCovariances } from '@heterosis/statgen/crossing/polyploid/gametic-covariances';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { matchCrossing } from '../crossing/match-crossing.ts';
import { homologsOf, polyploidParents } from '../crossing/polyploid-crosses.ts';
import { type PlanTablesInput, type planTables, relationshipByMarkers, requirePlanSize } from './plan-tables.ts';

export interface PolyploidPlanInput extends Omit<PlanTablesInput, 'parents'> {
  panel: GenotypePanel;
  /** The VCF, which has the phase of the candidates. */
  original: ByteSource | null;
  /** Candidates. */
  names: readonly string[];
}

/**
 * As `planTables`, for plants of 4, 6 or 8 copies of each chromosome. The relationship is VanRaden's times 2/k, so that
 * half of it is a coancestry as in diploids: the chance that a gene of one plant and one of another, drawn at random,
 * are copies of one. Half of one by pedigree is that chance too. The progeny of a pair are its F1, with bivalents of
 * any two homologs; their covariances are exact.
 *
 * @throws AnalysisError as `planTables`; `planning/polyploid-population`, and as `polyploidParents`
 */
export async function polyploidPlanTables(
  input: PolyploidPlanInput,
  context: AnalysisContext,
): Promise<ReturnType<typeof planTables>> {
  const { panel, effects, names, population } = input;
  if (population !== null && population !== 'F1')
    throw new AnalysisError(
      'planning/polyploid-population',
      `Of polyploids the F1 of two plants is predicted, and ${population} is not.`,
      'Choose F1, or no progeny, which leaves out the spread within crosses.',
    );
  requirePlanSize(effects.traits.length, names.length, population);
  const ploidy = ploidyOf(panel);
  const parents = await polyploidParents({ ...input, ignorePhase: population === null }, names, context);
  const map = 'bpPerCm' in input.map ? mapOfPositions(parents.markers, input.map.bpPerCm) : input.map;
  const traits = effects.traits.map((trait) => ({ ...trait, dominance: null }));
  const matched = matchCrossing({ ...input, effects: { ...effects, traits }, parents, map });
  const relationship =
    input.relationship ?? relationshipByMarkers(parents, names.length).map((value) => (2 * value) / ploidy);
  const values = new Float64Array(names.length * traits.length);
  const gametes: Float64Array[] = [];
  for (const [i, name] of names.entries()) {
    reportProgress(context, 'cross', i, names.length);
    const plant = homologsOf(matched, name, ploidy);
    for (const [t, { intercept, additive }] of matched.traits.entries()) {
      let value = intercept;
      for (const homolog of plant) for (const [j, allele] of homolog.entries()) value += allele * additive[j];
      values[i * traits.length + t] = value;
    }
    if (population !== null) gametes.push(gameticCovariances(matched.genome, matched.traits, plant));
  }
  reportProgress(context, 'cross', names.length, names.length);
  return {
    tables: {
      candidates: [...names],
      traits: effects.traits.map(({ name }) => name),
      values,
      relationship,
      covariances: population === null ? null : covariancesOf(gametes, (traits.length * (traits.length + 1)) / 2),
    },
    report: matched.report,
    mapReport: matched.mapReport,
  };
}

/** Of the progeny of each pair i < j: the sums of those of the gametes of both. */
function covariancesOf(gametes: readonly Float64Array[], traitPairs: number): Float32Array[] {
  const n = gametes.length;
  return Array.from({ length: traitPairs }, (_, place) => {
    const all = new Float32Array((n * (n - 1)) / 2);
    for (let i = 0, at = 0; i < n; i++)
      for (let j = i + 1; j < n; j++, at++) all[at] = gametes[i][place] + gametes[j][place];
    return all;
  });
}
