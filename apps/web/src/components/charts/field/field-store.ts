import type { CellRange } from './field-grid.ts';
import type { FieldView } from './field-view.ts';

/** What changes with every movement of the pointer: maps follow it without React. */
export interface FieldState {
  view: FieldView | undefined;
  /** The plot below the pointer or the keyboard's place. */
  plot: number | undefined;
  brush: CellRange | undefined;
  /** The plot that is to change places with another. */
  held: number | undefined;
}

export interface FieldStore {
  get: () => FieldState;
  set: (change: Partial<FieldState>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createFieldStore(): FieldStore {
  let state: FieldState = { view: undefined, plot: undefined, brush: undefined, held: undefined };
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
