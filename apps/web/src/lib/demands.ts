import { useSyncExternalStore } from 'react';

/**
 * What the server may ask of somebody who is signed in before it goes on: to confirm who it is, or to set up a second
 * factor. The calls of all pages come here with it; the frame of the application shows the dialog or page.
 */
interface Demands {
  /** Answered with whether the person has confirmed. */
  proof: { answered: Promise<boolean>; answer: (isProved: boolean) => void } | undefined;
  secondFactor: boolean;
}

let demands: Demands = { proof: undefined, secondFactor: false };
const listeners = new Set<() => void>();

function change(part: Partial<Demands>): void {
  demands = { ...demands, ...part };
  for (const listener of listeners) listener();
}

/** Asks the person, once for all calls that wait for it. */
export function askForProof(): Promise<boolean> {
  if (demands.proof) return demands.proof.answered;
  let answer: (isProved: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = (isProved) => {
      change({ proof: undefined });
      resolve(isProved);
    };
  });
  change({ proof: { answered, answer } });
  return answered;
}

export function demandSecondFactor(isDemanded: boolean): void {
  if (demands.secondFactor !== isDemanded) change({ secondFactor: isDemanded });
}

export function useDemands(): Demands {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => demands,
  );
}
