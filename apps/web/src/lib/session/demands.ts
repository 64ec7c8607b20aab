import { useSyncExternalStore } from 'react';

/**
 * What the server may ask of somebody before it goes on: to confirm who it is, to set up a second factor, or of a guest
 * to sign in. The calls of all pages come here with it; the frame of the application shows the dialog or page.
 */
interface Demands {
  proof: boolean;
  secondFactor: boolean;
  /** A guest of the demo has tried to change something. */
  signIn: boolean;
}

let demands: Demands = { proof: false, secondFactor: false, signIn: false };
/** Resolved with whether the person has confirmed. */
let asked: PromiseWithResolvers<boolean> | undefined;
const listeners = new Set<() => void>();

function change(part: Partial<Demands>): void {
  demands = { ...demands, ...part };
  for (const listener of listeners) listener();
}

/** Asks the person, once for all calls that wait for it. */
export function askForProof(): Promise<boolean> {
  asked ??= Promise.withResolvers<boolean>();
  change({ proof: true });
  return asked.promise;
}

export function answerProof(isProved: boolean): void {
  change({ proof: false });
  asked?.resolve(isProved);
  asked = undefined;
}

export function demandSecondFactor(isDemanded: boolean): void {
  if (demands.secondFactor !== isDemanded) change({ secondFactor: isDemanded });
}

export function demandSignIn(isDemanded: boolean): void {
  if (demands.signIn !== isDemanded) change({ signIn: isDemanded });
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
