import type { TokenResult } from '@heterosis/contracts/people/auth';
import { useSyncExternalStore } from 'react';
import { send } from '../api/http.ts';
import { broadcast } from '../events/broadcast.ts';
import { SESSION_KEY, type SessionMessage, type SessionState, SessionStore } from './session.ts';

const channel = new BroadcastChannel('heterosis.session');

/** The session of this browser. */
export const session: SessionStore = new SessionStore({
  now: () => Date.now(),
  localStorage: window.localStorage,
  sessionStorage: window.sessionStorage,
  exchange: async (body) => {
    const response = await send('/api/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as TokenResult;
  },
  endSession: async (accessToken) => {
    await send('/api/auth/session', { method: 'DELETE', headers: { authorization: `Bearer ${accessToken}` } });
  },
  withLock: (name, run) =>
    // On plain http from another machine there are no Web Locks. Two tabs may then both refresh, which is harmless:
    // the server gives both the same next token.
    'locks' in navigator ? navigator.locks.request(name, run) : run(),
  broadcast: (message) => broadcast(channel, message),
});

channel.addEventListener('message', (event: MessageEvent<SessionMessage>) => session.receive(event.data));
window.addEventListener('storage', (event) => {
  if (event.key === SESSION_KEY) void session.storageChanged();
});

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.getState);
}
