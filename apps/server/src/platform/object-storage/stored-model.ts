import { parseModelJson } from '@heterosis/analysis/prediction/model-file';
import type { TrainedModel } from '@heterosis/analysis/prediction/trained-model';
import type { ObjectStorage } from './object-storage.ts';
import { readingStored, readObject } from './stored-panel.ts';

/** One model of the specs of its traits, which were trained together on the same markers and individuals. */
export async function readStoredModel(
  storage: Pick<ObjectStorage, 'open'>,
  specs: readonly string[],
): Promise<TrainedModel> {
  let model: TrainedModel | undefined;
  for (const key of specs) {
    const text = new TextDecoder().decode(await readObject(storage, key));
    const spec = readingStored('model', () => parseModelJson(text));
    if (model === undefined) model = spec;
    else model.traits.push(...spec.traits);
  }
  if (model === undefined) throw new RangeError('a model needs at least one trait');
  return model;
}
