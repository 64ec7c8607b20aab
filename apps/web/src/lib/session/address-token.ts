/**
 * A custom token signs in at `/signin#token=…`. What follows `#` is sent to no server, but it stays in the
 * address and the history, where the next person at this computer finds it: it is taken out before anything else is
 * done.
 */
let taken: string | undefined;
const listeners = new Set<() => void>();

function take(): void {
  const { pathname, search, hash } = window.location;
  const token = pathname.replace(/\/+$/, '') === '/signin' ? new URLSearchParams(hash.slice(1)).get('token') : null;
  if (token === null) return;
  window.history.replaceState(window.history.state, '', pathname + search);
  taken = token;
  for (const listener of listeners) listener();
}

/** Called when the program starts. Later it watches addresses that are entered on the sign-in page itself. */
export function watchAddressToken(): void {
  take();
  window.addEventListener('hashchange', take);
}

/** The token, once. */
export function takeAddressToken(): string | undefined {
  const token = taken;
  taken = undefined;
  return token;
}

export function onAddressToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
