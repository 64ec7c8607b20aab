import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { alignKinship, kinshipAmong } from '../inputs/read-kinship.ts';
import type { ModelSettings } from './trained-model.ts';

/** Source of the individuals of a model and their kinships. */
export interface KinshipSource {
  /** Individuals of the model, in panel order. */
  individuals: string[];
  isFile: boolean;
  /** The kernels of a model; allele frequencies come from `frequenciesOf` if given. */
  kernels(frequenciesOf: { frequenciesOf?: Int32Array }, context: AnalysisContext): Promise<KinshipResult>;
}

/**
 * The markers of a panel, or a kinship file in their place: the model is then that of the genotyped individuals in
 * the file, and has no marker effects.
 *
 * @throws AnalysisError `models/kinship-with-dominance`, `match/nothing-in-common`; StatgenError
 * `not-positive-semidefinite`
 */
export function kinshipSource(
  panel: GenotypePanel,
  table: KinshipTable | undefined,
  methods: ('vanraden1' | 'standardized' | 'dominance')[],
  settings: ModelSettings,
  matching: NameMatching,
): KinshipSource {
  if (table === undefined) {
    return {
      individuals: panel.samples,
      isFile: false,
      kernels: (frequenciesOf, context) =>
        panelKinship({ panel: blocksOf(panel), methods, ...settings, ...frequenciesOf }, context),
    };
  }
  if (settings.dominance) {
    throw new AnalysisError(
      'models/kinship-with-dominance',
      'A kinship file holds additive kinships, and dominance needs a kinship of its own.',
      'Train without dominance, or on the markers.',
    );
  }
  const aligned = alignKinship(panel.samples, table, matching);
  const places = Int32Array.from(panel.samples.keys()).filter((i) => aligned.rows[i] >= 0);
  const individuals = Array.from(places, (i) => panel.samples[i]);
  const { kinship } = kinshipAmong(aligned, places);
  const result: KinshipResult = {
    kernels: { [settings.kinship]: kinship },
    divisors: {},
    hasHeterozygotes: false,
    scan: {
      ...{ individuals: individuals.length, readCount: 0, keptCount: 0, imputedCalls: 0 },
      ...{ kept: new Uint8Array(0), frequencyA2: new Float64Array(0) },
      ...{ callRate: new Float64Array(0), heterozygosity: new Float64Array(0) },
    },
  };
  return { individuals, isFile: true, kernels: async () => result };
}
