import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { AnalysisError } from '../context.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { alignKinship, kinshipAmong } from '../inputs/read-kinship.ts';
import type { PolyploidDescent } from '../pedigree/polyploid-model.ts';
import type { KinshipSource } from './kinship-source.ts';
import { singleStepSource } from './single-step.ts';
import type { ModelSettings } from './trained-model.ts';

/** What a model may use in place of the kinships of its markers. */
export interface OtherKinship extends NameMatching, PolyploidDescent {
  kinshipTable?: KinshipTable;
  /** Single-step prediction: relationships by pedigree and markers together. */
  pedigree?: PedigreeTable;
  phenotype: PhenotypeTable;
}

/**
 * The markers of a panel; a kinship file in their place: the model is then that of the genotyped individuals in the
 * file, and has no marker effects; or the markers together with a pedigree, see {@link singleStepSource}.
 *
 * @throws AnalysisError `models/kinship-with-dominance`, `models/kinship-with-pedigree`, `match/nothing-in-common`;
 * StatgenError `not-positive-semidefinite`
 */
export function kinshipSource(
  panel: GenotypePanel,
  other: OtherKinship,
  methods: ('vanraden1' | 'standardized' | 'dominance')[],
  settings: ModelSettings,
): KinshipSource {
  const { kinshipTable: table, pedigree, phenotype, ...matching } = other;
  if (pedigree !== undefined) {
    if (table !== undefined) {
      throw new AnalysisError(
        'models/kinship-with-pedigree',
        'A kinship file and a pedigree were given, and a model uses one of them.',
        'Leave out the kinship file to combine the pedigree with the markers.',
      );
    }
    return singleStepSource(panel, pedigree, phenotype, settings, matching);
  }
  if (table === undefined) {
    return {
      individuals: panel.samples,
      from: 'markers',
      onMarkers: (variances) => variances,
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
  return { individuals, from: 'file', onMarkers: null, kernels: async () => result };
}
