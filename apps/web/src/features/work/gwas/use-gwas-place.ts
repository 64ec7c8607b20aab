import type { GenomeAxis, GenomeView } from '@heterosis/charts/genome/genome-axis';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatView, parseView, partOf } from './view-in-address.ts';

/** The part of the genome and the marker that are shown. They are in the address, to be sent to somebody. */
export function useGwasPlace(trait: string, genome: GenomeAxis | undefined) {
  const navigate = useNavigate();
  const { marker: markerId, zoom } = useSearch({ strict: false }) as { marker?: string; zoom?: string };
  const view = useMemo(() => genome && parseView(genome, zoom), [genome, zoom]);
  const part = useMemo(() => (genome && view ? partOf(genome, view) : undefined), [genome, view]);

  // Each step is an entry of the history: Back closes the marker and leads back to the part that was shown before.
  const go = (change: { marker?: string | undefined; zoom?: string | undefined }): void =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, trait, ...change }), resetScroll: false });
  const chooseMarker = (id: string | undefined): void => go({ marker: id });
  const setView = (next: GenomeView | undefined): void => {
    const text = genome && formatView(genome, next);
    if (text !== zoom) go({ zoom: text });
  };
  return { markerId, chooseMarker, view, part, setView };
}
