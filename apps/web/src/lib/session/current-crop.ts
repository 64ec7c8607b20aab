import { useSyncExternalStore } from 'react';

/** By organization; each browser has its own. */
const keyOf = (organizationId: string): string => `heterosis.crop.${organizationId}`;
const listeners = new Set<() => void>();

/** The crop that was added or chosen last in an organization. It survives a reload of the page. */
export function setCurrentCrop(organizationId: string, cropId: string): void {
  window.localStorage.setItem(keyOf(organizationId), cropId);
  for (const listener of listeners) listener();
}

/** The current crop of an organization: the one set last, else the first of its crops; undefined without any. */
export function useCurrentCrop<Crop extends { id: string }>(
  organizationId: string,
  crops: readonly Crop[] | undefined,
): Crop | undefined {
  const id = useSyncExternalStore(subscribe, () => window.localStorage.getItem(keyOf(organizationId)));
  return crops?.find((one) => one.id === id) ?? crops?.[0];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
