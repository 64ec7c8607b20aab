import type { TraitScale } from '@heterosis/contracts/people/traits';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';

/** Of a trait with a scale, before its first value. */
export const kindOfScale = ({ kind }: TraitScale): TraitColumn['kind'] =>
  kind === 'numeric' || kind === 'integer' ? 'numeric' : 'categorical';
