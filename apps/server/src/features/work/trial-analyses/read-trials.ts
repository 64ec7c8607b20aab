import type { TrialStrips } from '@heterosis/contracts/work/trial-analyses';
import type { Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { readingStored, readObject } from '../../../platform/object-storage/stored-panel.ts';
import { requireResultKey } from '../runs/results/index.ts';
import type { ByteRange, StoredField, StoredTrials } from './stored-trials.ts';
import type { TrialResultKind, TrialTraitRow } from './trial-analyses.queries.ts';

export const keyOf = (row: TrialTraitRow, kind: TrialResultKind): string =>
  requireResultKey(`The analysis of ${row.trait}`, row, kind);

export const stripsOf = (services: Pick<Services, 'storage'>, row: TrialTraitRow): Promise<StoredTrials> =>
  readJson<StoredTrials>(services, row, 'trials');

export async function readJson<Value>(
  services: Pick<Services, 'storage'>,
  row: TrialTraitRow,
  kind: TrialResultKind,
): Promise<Value> {
  return parsed<Value>(await readObject(services.storage, keyOf(row, kind)));
}

const parsed = <Value>(bytes: Uint8Array): Value =>
  readingStored('result of a trial analysis', () => JSON.parse(new TextDecoder().decode(bytes)) as Value);

/** The field of a trial, by the bytes where it lies. */
export async function readField(
  { storage }: Pick<Services, 'storage'>,
  row: TrialTraitRow,
  range: NonNullable<ByteRange>,
): Promise<StoredField> {
  const source = await storage.open(keyOf(row, 'fields'));
  try {
    return parsed<StoredField>(await source.read(range.offset, range.length));
  } finally {
    await source.close();
  }
}

/** Place of an environment among the strips; refuses another one. */
export function placeOf(strips: TrialStrips['data'], environment: string): number {
  const place = strips.findIndex((one) => one.environment === environment);
  if (place >= 0) return place;
  throw notFound(`The environment "${environment}" in this trial analysis`);
}
