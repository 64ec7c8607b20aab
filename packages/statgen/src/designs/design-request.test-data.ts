import type { DesignEntry, DesignRequest, FieldRequest } from './design-types.ts';

export const PLAIN_FIELD: FieldRequest = {
  holes: [],
  borders: 'none',
  start: 'top-left',
  along: 'rows',
  numbering: 'serpentine',
};

/** Entries E1, E2 …. */
export const entriesOf = (count: number): DesignEntry[] =>
  Array.from({ length: count }, (_, i) => ({ name: `E${i + 1}` }));

/** A request with what tests do not say. */
export const requestOf = (said: Pick<DesignRequest, 'design' | 'entries'> & Partial<DesignRequest>): DesignRequest => ({
  checks: [],
  resolvable: 'rows',
  mainPlots: [],
  places: 1,
  field: PLAIN_FIELD,
  checkPlaces: 'random',
  varianceRatio: 1,
  criterion: 'cdmean',
  seed: 1,
  effort: 0.005,
  ...said,
});
