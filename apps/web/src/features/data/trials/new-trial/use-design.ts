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

/** A place of the map as a person has changed it. */
interface ChangedPlace {
  plots: DesignedPlot[];
  figures: PlaceFigures;
}

export interface DesignState {
  /** The newest design, kept while the next is made. */
  design: Design | undefined;
  /** Searched as long as designs usually are; a short search answers while numbers change. */
  isWhole: boolean;
  /** Why there is no design of the last request. */
  obstacle: Obstacle | undefined;
  /** Why the other designs are impossible with these numbers. */
  obstacles: Partial<Record<DesignName, Obstacle | null>>;
  /** What no person can mend: the program failed. */
  failure: string | undefined;
  changed: Readonly<Record<number, ChangedPlace>>;
}

const NOTHING: DesignState = {
  ...{ design: undefined, isWhole: false, obstacle: undefined, obstacles: {}, failure: undefined, changed: {} },
};

/** Without a change after the short search, before the whole one begins. */
const REST_MS = 400;

/**
 * Makes designs in a worker of the browser: at once by a short search, and by the usual one when nothing has changed
 * for a while. A search that is out of date is ended with its worker.
 */
export function useDesign(request: DesignRequest | undefined): DesignState & {
  swap: (place: number, swaps: readonly PlotSwap[]) => void;
} {
  const [state, setState] = useState(NOTHING);
  const worker = useRef<{ port: Worker; isSearching: boolean }>(undefined);
  const number = useRef(0);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef<{ request: DesignRequest | undefined }>({ request: undefined });
  const key = request === undefined ? '' : JSON.stringify(request);

  const ask = (question: DistributiveOmit<ToDesignWorker, 'number'>): void => {
    const isSearch = 'request' in question;
    if (isSearch && worker.current?.isSearching) {
      worker.current.port.terminate();
      worker.current = undefined;
    }
    worker.current ??= { port: openWorker(answered), isSearching: false };
    worker.current.isSearching ||= isSearch;
    number.current++;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.current.port.postMessage({ ...question, number: number.current });
  };

  const answered = (answer: FromDesignWorker): void => {
    if (answer.number !== number.current) return;
    if (worker.current) worker.current.isSearching = false;
    setState((before) => afterAnswer(before, answer));
    const { request } = asked.current;
    if ('design' in answer && !answer.isWhole && request)
      rest.current = setTimeout(() => ask({ request, isWhole: true }), REST_MS);
  };

  useEffect(() => {
    if (key === '') {
      setState(NOTHING);
      return;
    }
    const next = JSON.parse(key) as DesignRequest;
    asked.current.request = next;
    setState((before) => ({ ...before, isWhole: false }));
    ask({ request: next, isWhole: false });
    return () => clearTimeout(rest.current);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the request by its contents
  }, [key]);

  useEffect(() => () => worker.current?.port.terminate(), []);

  return { ...state, swap: (place, swaps) => ask({ place, swaps }) };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function openWorker(answered: (answer: FromDesignWorker) => void): Worker {
  const port = new Worker(new URL('./design.worker.ts', import.meta.url), { type: 'module' });
  port.addEventListener('message', ({ data }: MessageEvent<FromDesignWorker>) => answered(data));
  return port;
}

function afterAnswer(before: DesignState, answer: FromDesignWorker): DesignState {
  if ('failure' in answer) return { ...before, failure: answer.failure };
  if ('place' in answer) {
    const { place, plots, figures } = answer;
    return { ...before, changed: { ...before.changed, [place]: { plots, figures } } };
  }
  const { obstacles } = answer;
  if ('obstacle' in answer) return { ...NOTHING, obstacles, obstacle: answer.obstacle };
  return { ...NOTHING, obstacles, design: answer.design, isWhole: answer.isWhole };
}
