import { useSyncExternalStore } from 'react';

/** The crop last added in each organization, until the page is loaded anew. */
const current = new Map<string, string>();
const listeners = new Set<() => void>();

export function setCurrentCrop(organizationId: string, cropId: string): void {
  current.set(organizationId, cropId);
  for (const listener of listeners) listener();
}

/** The current crop of an organization: the one set last, else the first of its crops; undefined without any. */
export function useCurrentCrop<Crop extends { id: string }>(
  organizationId: string,
  crops: readonly Crop[] | undefined,
): Crop | undefined {
  const id = useSyncExternalStore(subscribe, () => current.get(organizationId));
  return crops?.find((one) => one.id === id) ?? crops?.[0];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
