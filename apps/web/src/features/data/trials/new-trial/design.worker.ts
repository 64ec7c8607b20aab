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
  | { design: Design; isWhole: boolean }
  | { obstacle: Obstacle }
  | { obstacles: Record<DesignName, Obstacle | null> }
  | { share: number }
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
    try {
      const effort = isWhole ? request.effort : SHORT * request.effort;
      draft = draftDesign({ ...request, effort }, (share) => isWhole && reply({ number, share }));
      reply({ number, design: draft.design, isWhole });
    } catch (error) {
      if (!(error instanceof DesignError)) throw error;
      reply({ number, obstacle: inWords(error) });
    }
    if (isWhole) return;
    // After the map: of thousands of entries they take a while.
    const obstacles = DESIGN_NAMES.map((design) => [design, inWords(obstacleTo({ ...request, design }))]);
    reply({ number, obstacles: Object.fromEntries(obstacles) as Record<DesignName, Obstacle | null> });
  } catch (error) {
    reply({ number, failure: error instanceof Error ? error.message : String(error) });
  }
});

function inWords(error: DesignError): Obstacle;
function inWords(error: DesignError | null): Obstacle | null;
function inWords(error: DesignError | null): Obstacle | null {
  return error && { message: error.message, action: error.action };
}
