import { DesignError } from '@heterosis/statgen/designs/design-error';
import {
  DESIGN_NAMES,
  type Design,
  type DesignedPlot,
  type DesignName,
  type DesignRequest,
  type PlaceFigures,
} from '@heterosis/statgen/designs/design-types';
import { type DraftDesign, draftDesign, obstacleTo, type PlotSwap } from '@heterosis/statgen/designs/make-design';

/** What is impossible, and what to change. */
export interface Obstacle {
  message: string;
  action: string;
}

/** Each question has a number, which its answer repeats. */
export type ToDesignWorker = { number: number } & (
  | { request: DesignRequest; isWhole: boolean }
  | { place: number; swaps: readonly PlotSwap[] }
);

export type FromDesignWorker = { number: number } & (
  | { design: Design; isWhole: boolean; obstacles: Record<DesignName, Obstacle | null> }
  | { obstacle: Obstacle; obstacles: Record<DesignName, Obstacle | null> }
  | { place: number; plots: DesignedPlot[]; figures: PlaceFigures }
  | { failure: string }
);

/** Of the usual effort, while numbers change. */
const SHORT = 0.02;

let draft: DraftDesign | undefined;

addEventListener('message', ({ data }: MessageEvent<ToDesignWorker>) => {
  const reply = (answer: FromDesignWorker): void => postMessage(answer);
  const { number } = data;
  try {
    if ('swaps' in data) {
      if (draft === undefined) throw new Error('the design comes before swaps');
      reply({ number, place: data.place, ...draft.afterSwaps(data.place, data.swaps) });
      return;
    }
    const { request, isWhole } = data;
    const obstacles = Object.fromEntries(
      DESIGN_NAMES.map((design) => [design, inWords(obstacleTo({ ...request, design }))]),
    ) as Record<DesignName, Obstacle | null>;
    try {
      draft = draftDesign({ ...request, effort: isWhole ? request.effort : SHORT * request.effort });
      reply({ number, design: draft.design, isWhole, obstacles });
    } catch (error) {
      if (!(error instanceof DesignError)) throw error;
      reply({ number, obstacle: inWords(error), obstacles });
    }
  } catch (error) {
    reply({ number, failure: error instanceof Error ? error.message : String(error) });
  }
});

function inWords(error: DesignError): Obstacle;
function inWords(error: DesignError | null): Obstacle | null;
function inWords(error: DesignError | null): Obstacle | null {
  return error && { message: error.message, action: error.action };
}
