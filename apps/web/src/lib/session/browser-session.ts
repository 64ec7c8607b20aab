import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { TokenResult } from '@heterosis/contracts/people/auth';
import type { GuestSession } from '@heterosis/contracts/people/guests';
import { useSyncExternalStore } from 'react';
import { send } from '../api/http.ts';
import { broadcast } from '../events/broadcast.ts';
import { worksOffline } from '../offline/offline.ts';
import { SESSION_KEY, type SessionMessage, type SessionState, SessionStore } from './session.ts';

const channel = new BroadcastChannel('heterosis.session');

/** The session of this browser. */
export const session: SessionStore = new SessionStore({
  now: () => Date.now(),
  localStorage: window.localStorage,
  sessionStorage: window.sessionStorage,
  exchange: async (body) => {
    const response = await send(`/api${authApi.getTokens.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as TokenResult;
  },
  endSession: async (accessToken) => {
    const { method, path } = authApi.signOut;
    await send(`/api${path}`, { method, headers: { authorization: `Bearer ${accessToken}` } });
  },
  openGuestSession: async () => (await (await send('/api/auth/guest', { method: 'POST' })).json()) as GuestSession,
  withLock: (name, run) =>
    // On plain http from another machine there are no Web Locks. Two tabs may then both refresh, which is harmless:
    // the server gives both the same next token.
    'locks' in navigator ? navigator.locks.request(name, run) : run(),
  broadcast: (message) => broadcast(channel, message),
  worksOffline,
});

channel.addEventListener('message', (event: MessageEvent<SessionMessage>) => session.receive(event.data));
window.addEventListener('storage', (event) => {
  if (event.key === SESSION_KEY) void session.storageChanged();
});

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.getState);
}

/** The demo project, for a guest of it; undefined for people who have signed in, and before. */
export function guestProject(state: SessionState = session.getState()): string | undefined {
  return state.status === 'signed-in' ? state.guestOf : undefined;
}

/** Whether this is a guest of the demo, who is shown everything and changes nothing. */
export const useIsGuest = (): boolean => guestProject(useSession()) !== undefined;
