import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { StepwiseSearch } from './gwas-state.ts';

/** A marker of a multi-locus model; field names as in the API. */
export interface NamedCofactor {
  id: string;
  chr: string;
  pos: number;
  /** Of one copy of A2 beside the other markers of the model, in trait units. */
  effect: number;
  effect_se: number;
  p: number;
  /** Share of the phenotypic variance that it explains beside them. */
  pve: number;
}

/** A multi-locus model; field names as in the API. */
export interface NamedModel {
  direction: 'forward' | 'backward';
  mbic: number;
  ebic: number;
  log_likelihood: number;
  h2: number;
  /** Share of the phenotypic variance that its markers explain together. */
  pve: number;
  markers: NamedCofactor[];
}

/** The models of a search, and which of them has the smallest mBIC. */
export interface NamedSearch {
  models: NamedModel[];
  chosen: number;
}

/** A stepwise search with the names of its markers. */
export async function nameMarkersOf({ models, chosen }: StepwiseSearch, panel: PanelBlocks): Promise<NamedSearch> {
  const places = new Set(models.flatMap(({ cofactors }) => cofactors.map(({ marker }) => marker)));
  const names = new Map<number, Pick<NamedCofactor, 'id' | 'chr' | 'pos'>>();
  for (const place of places) {
    const { id, chromosome, positionBp } = await panel.readMarkers(place, 1);
    names.set(place, { id: id[0], chr: chromosome[0], pos: positionBp[0] });
  }
  return {
    chosen,
    models: models.map(({ direction, mbic, ebic, logLikelihood, h2, pve, cofactors }) => ({
      ...{ direction, mbic, ebic, log_likelihood: logLikelihood, h2, pve },
      markers: cofactors.map((cofactor) => {
        const named = names.get(cofactor.marker);
        if (named === undefined) throw new TypeError(`marker ${cofactor.marker} has no name`);
        return { ...named, effect: cofactor.effect, effect_se: cofactor.se, p: cofactor.p, pve: cofactor.pve };
      }),
    })),
  };
}

/** A row for each marker of each model; a model without markers has one row with empty cells. */
export function stepwiseCsv({ models, chosen }: NamedSearch): Iterable<string> {
  const header = ['model', 'direction', 'chosen', 'mbic', 'ebic', 'log_likelihood', 'h2', 'pve_together'];
  const rows = models.flatMap((model, k) => {
    const { direction, mbic, ebic, log_likelihood, h2, pve, markers } = model;
    const cells = [k, direction, k === chosen ? 1 : 0, mbic, ebic, log_likelihood, h2, pve];
    if (markers.length === 0) return [[...cells, '', '', '', '', '', '', '']];
    return markers.map((marker) => [
      ...cells,
      ...[marker.id, marker.chr, marker.pos, marker.effect, marker.effect_se, marker.p, marker.pve],
    ]);
  });
  return csvChunks([...header, 'id', 'chr', 'pos', 'effect', 'effect_se', 'p', 'pve'], rows);
}
