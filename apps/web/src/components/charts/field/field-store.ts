import type { FieldState } from '@heterosis/charts/field/draw-field';

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
