import type { PlotSwap } from '@heterosis/statgen/designs/make-design';
import { useState } from 'react';

type SwapsByPlace = Readonly<Record<number, readonly PlotSwap[]>>;

const NONE: SwapsByPlace = {};

/** What a person has moved on the map of a request, by place. Another request is another map: its swaps are none. */
export function useSwaps(request: string, apply: (place: number, swaps: readonly PlotSwap[]) => void) {
  const [kept, setKept] = useState({ request, byPlace: NONE });
  const byPlace = kept.request === request ? kept.byPlace : NONE;
  const set = (place: number, swaps: readonly PlotSwap[]): void => {
    setKept({ request, byPlace: { ...byPlace, [place]: swaps } });
    apply(place, swaps);
  };
  return {
    byPlace,
    count: (place: number): number => byPlace[place]?.length ?? 0,
    add: (place: number, swap: PlotSwap): void => set(place, [...(byPlace[place] ?? []), swap]),
    undo: (place: number): void => set(place, (byPlace[place] ?? []).slice(0, -1)),
  };
}
