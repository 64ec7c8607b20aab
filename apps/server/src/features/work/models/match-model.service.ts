import { matchMarkers } from '@heterosis/analysis/inputs/match-markers';
import { sharedVariance } from '@heterosis/analysis/prediction/predict';
import type { ModelMarkers } from '@heterosis/analysis/prediction/trained-model';
import type { MatchResult } from '@heterosis/contracts/data/match';
import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type FileRow, readMarkers } from '../../data/files/index.ts';
import { MAX_LISTED, markerCounts, verdict } from '../matching/index.ts';
import { requireModel } from './trained-models.service.ts';

/** Below this share of the model's markers, a prediction is refused unless the request allows it. */
const MIN_MARKER_SHARE = 0.5;

/** Finds the markers of a model in a genotype. */
export async function matchModel(
  services: Services,
  { genotype, projectId, modelId }: { genotype: FileRow; projectId: string; modelId: string },
): Promise<MatchResult> {
  const { db, storage } = services;
  const model = await requireModel(db, projectId, modelId);
  const trained = model.trait_rows.flatMap(({ result_keys: { effects_table, markers_table } }) =>
    [effects_table ?? markers_table ?? []].flat(),
  );
  const columns = hasMarkerEffects(model.model_type) ? 'additive, dominance' : '0.0 as additive, null as dominance';
  if (trained.length === 0)
    throw new Problem('predictions/model-not-trained', `No trait of the model "${model.name}" is trained yet.`);
  const panel = await readMarkers(storage, genotype);
  const effects = await Promise.all(trained.map((key) => readEffects(services, key, columns)));
  const [first] = effects;
  if (first === undefined) throw new Error('a model with traits has effects');
  const match = matchMarkers(first.markers, panel);
  const shares = effects.map(({ markers, fit }) => sharedVariance(markers, fit, match)).filter(Number.isFinite);
  const missingIds = first.markers.id.filter((_, j) => (match.panelIndex[j] ?? -1) < 0);
  const markers = first.markers.id.length;
  return {
    left: { id: genotype.id, name: genotype.name, count: panel.id.length },
    right: { id: model.id, name: model.name, count: markers },
    both: match.shared,
    only_left: panel.id.length - match.shared,
    only_right: match.missing,
    both_names: [],
    only_left_names: [],
    only_right_names: missingIds.slice(0, MAX_LISTED),
    suggestions: [],
    ambiguous: [],
    by_trait: {},
    markers: markerCounts(genotype),
    panel: {
      shared: match.shared,
      missing: match.missing,
      swapped: match.swapped,
      variance_share: shares.length === 0 ? null : Math.min(...shares),
    },
    phase: null,
    kept: null,
    ...verdict(tooFewMarkers(match.shared, markers)),
  };
}

function tooFewMarkers(shared: number, markers: number): string | null {
  if (shared > 0 && shared >= MIN_MARKER_SHARE * markers) return null;
  return `The genotype has ${groupedNumber(shared)} of the model's ${groupedNumber(markers)} markers. Choose a genotype of the same marker set, or check that marker names and positions are written as in the training file.`;
}

interface Effects {
  markers: Omit<ModelMarkers, 'heterozygosity'>;
  fit: { additive: Float64Array; dominance: Float64Array | null };
}

/** `columns` are those of the effects. */
async function readEffects({ tables }: Services, key: string, columns: string): Promise<Effects> {
  const rows = await tables.query<{
    id: string;
    chr: string;
    pos: number;
    A1: string;
    A2: string;
    freqA2: number;
    additive: number;
    dominance: number | null;
  }>(key, (table) => `select id, chr, pos, "A1", "A2", "freqA2", ${columns} from ${table} order by place`);
  return {
    markers: {
      id: rows.map(({ id }) => id),
      chromosome: rows.map(({ chr }) => chr),
      positionBp: Float64Array.from(rows, ({ pos }) => pos),
      a1: rows.map(({ A1 }) => A1),
      a2: rows.map(({ A2 }) => A2),
      freqA2: Float64Array.from(rows, ({ freqA2 }) => freqA2),
    },
    fit: {
      additive: Float64Array.from(rows, ({ additive }) => additive),
      dominance: rows.some(({ dominance }) => dominance !== null)
        ? Float64Array.from(rows, ({ dominance }) => dominance ?? 0)
        : null,
    },
  };
}
