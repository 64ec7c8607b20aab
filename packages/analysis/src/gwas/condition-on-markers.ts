import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { countCalls } from '@heterosis/statgen/genotypes/call-counts';
import { centredValues, decodeBlock } from '@heterosis/statgen/genotypes/decode-block';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { AnalysisError } from '../context.ts';
import type { AnalysedCovariate } from '../inputs/covariates.ts';
import { lookUpMarkers } from '../inputs/find-listed.ts';
import { readRange } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';

/** Fixed effects of some individuals: individuals × columns, column-major, and what each is. */
export interface FixedColumns {
  matrix: Matrix;
  analysed: AnalysedCovariate[];
}

/**
 * Adds the dosages of markers to the fixed effects of a GWAS, so that every other marker is tested given them. Missing
 * calls count as the mean among the individuals analysed, as they do for tested markers.
 *
 * @param names each once; a marker whose id repeats brings all of its columns
 * @throws AnalysisError `gwas/unknown-condition`
 */
export async function withConditionMarkers(
  fixed: FixedColumns,
  names: readonly string[],
  panel: PanelBlocks,
  individuals: Int32Array,
): Promise<FixedColumns> {
  const wanted = new Set(names);
  if (wanted.size === 0) return fixed;
  const { found, similar } = await lookUpMarkers(panel, wanted);
  const places = [...wanted].flatMap((name) => {
    const ofName = found.get(name);
    if (ofName === undefined) throw unknownMarker(name, similar.get(name));
    return ofName.map((place) => ({ name, place }));
  });
  const n = individuals.length;
  const before = fixed.matrix.columns;
  const data = new Float64Array(n * (before + places.length));
  data.set(fixed.matrix.data);
  const selection = panelSelection(panel.samples.length, individuals);
  for (const [k, { place }] of places.entries()) {
    const { packed, dosages } = await readRange(panel, { first: place, count: 1 });
    const values = centredValues(countCalls(packed, 1, selection, dosages));
    const column = data.subarray((before + k) * n, (before + k + 1) * n);
    decodeBlock(packed, 1, selection, Int32Array.of(0), values, column, dosages);
  }
  const markers = places.map(({ name }): AnalysedCovariate => ({ name, groups: null, isMarker: true }));
  return {
    matrix: { rows: n, columns: before + places.length, data },
    analysed: [...fixed.analysed, ...markers],
  };
}

function unknownMarker(name: string, similar: string | undefined): AnalysisError {
  return new AnalysisError(
    'gwas/unknown-condition',
    `The genotype has no marker "${name}" to condition on.`,
    similar === undefined
      ? 'Marker names are compared letter by letter, and a marker that is left out cannot be in the model.'
      : `Did you mean "${similar}"?`,
    { marker: name },
  );
}
