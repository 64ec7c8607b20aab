import type {
  Design,
  DesignedPlot,
  DesignName,
  DesignRequest,
  PlaceFigures,
} from '@heterosis/statgen/designs/design-types';
import type { PlotSwap } from '@heterosis/statgen/designs/make-design';
import { useEffect, useRef, useState } from 'react';
import type { FromDesignWorker, Obstacle, ToDesignWorker } from './design.worker.ts';
import { designKey } from './design-key.ts';

/** A place of the map as a person has changed it. */
interface ChangedPlace {
  plots: DesignedPlot[];
  figures: PlaceFigures;
}

export type SwapsByPlace = Readonly<Record<number, readonly PlotSwap[]>>;

export interface DesignState {
  /** The newest design, kept while the next is made. */
  design: Design | undefined;
  /** Searched as long as designs usually are; a short search answers while numbers change. */
  isWhole: boolean;
  /** What share of the usual search is done. */
  share: number;
  /** Why there is no design of the last request. */
  obstacle: Obstacle | undefined;
  /** Why the other designs are impossible with these numbers. */
  obstacles: Partial<Record<DesignName, Obstacle | null>>;
  /** What no person can mend: the program failed. */
  failure: string | undefined;
  /** What a person has moved, and the places as they are then. */
  swaps: SwapsByPlace;
  changed: Readonly<Record<number, ChangedPlace>>;
}

const NOTHING: DesignState = {
  ...{ design: undefined, isWhole: false, share: 0, obstacle: undefined, obstacles: {}, failure: undefined },
  ...{ swaps: {}, changed: {} },
};

/** Without a change after the short search, before the whole one begins. */
const REST_MS = 400;
/** Searches that have ended are kept with their workers: numbers that are changed back find their map again. */
const MOST_KEPT = 4;

/** A request with the worker that searches for its design, and then holds it for swaps. */
interface Search {
  port: Worker;
  request: DesignRequest;
  state: DesignState;
  /** Of the last question: answers to earlier ones are out of date. */
  number: number;
  rest: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Makes designs in workers of the browser: at once by a short search, and by the usual one when nothing has changed for
 * a while. A search that is out of date before it ends is ended with its worker.
 */
export function useDesign(request: DesignRequest | undefined): DesignState & {
  /** The first map of a request is on its way. */
  isDrawing: boolean;
  setSwaps: (place: number, swaps: readonly PlotSwap[]) => void;
} {
  const [state, setState] = useState(NOTHING);
  const searches = useRef(new Map<string, Search>());
  const shown = useRef('');
  const key = request === undefined ? '' : designKey(request);

  const ask = (search: Search, question: DistributiveOmit<ToDesignWorker, 'number'>): void => {
    search.number++;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    search.port.postMessage({ ...question, number: search.number });
  };

  const open = (own: string, asked: DesignRequest): Search => {
    const port = new Worker(new URL('./design.worker.ts', import.meta.url), { type: 'module' });
    const before = { ...NOTHING, obstacles: state.obstacles };
    const search: Search = { port, request: asked, state: before, number: 0, rest: undefined };
    port.addEventListener('message', ({ data }: MessageEvent<FromDesignWorker>) => {
      // Obstacles may come after the next question, which is about the same request.
      if (data.number !== search.number && !('obstacles' in data)) return;
      search.state = afterAnswer(search.state, data);
      if (shown.current === own) setState(search.state);
      if ('design' in data && !data.isWhole)
        search.rest = setTimeout(() => ask(search, { request: asked, isWhole: true }), REST_MS);
    });
    searches.current.set(own, search);
    ask(search, { request: asked, isWhole: false });
    return search;
  };

  const close = (own: string): void => {
    const search = searches.current.get(own);
    clearTimeout(search?.rest);
    search?.port.terminate();
    searches.current.delete(own);
  };

  useEffect(() => {
    shown.current = key;
    if (request === undefined) {
      setState(NOTHING);
      return;
    }
    const kept = searches.current.get(key);
    if (kept) {
      searches.current.delete(key);
      searches.current.set(key, kept);
      setState(kept.state);
    } else {
      open(key, request);
      setState((before) => ({ ...before, isWhole: false, share: 0, swaps: {} }));
    }
    return () => {
      if (searches.current.get(key)?.state.isWhole !== true) close(key);
      for (const oldest of [...searches.current.keys()].slice(0, -MOST_KEPT)) close(oldest);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the request by its contents
  }, [key]);

  useEffect(() => () => [...searches.current.keys()].forEach(close), []);

  return {
    ...state,
    isDrawing: request !== undefined && state.design === undefined,
    setSwaps: (place, swaps) => {
      const search = searches.current.get(key);
      if (!search) return;
      search.state = { ...search.state, swaps: { ...search.state.swaps, [place]: swaps } };
      setState(search.state);
      ask(search, { place, swaps });
    },
  };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function afterAnswer(before: DesignState, answer: FromDesignWorker): DesignState {
  if ('failure' in answer) return { ...before, failure: answer.failure };
  if ('place' in answer) {
    const { place, plots, figures } = answer;
    return { ...before, changed: { ...before.changed, [place]: { plots, figures } } };
  }
  if ('obstacles' in answer) return { ...before, obstacles: answer.obstacles };
  if ('share' in answer) return { ...before, share: answer.share };
  const { obstacles } = before;
  if ('obstacle' in answer) return { ...NOTHING, obstacles, obstacle: answer.obstacle };
  return { ...NOTHING, obstacles, design: answer.design, isWhole: answer.isWhole };
}
