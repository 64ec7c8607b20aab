import type { TokenResult } from '@heterosis/contracts/people/auth';
import { describe, expect, it } from 'vitest';
import { networkProblem, Problem } from '../api/problem.ts';
import {
  needsRefresh,
  type Persistence,
  REFRESH_MARGIN_MS,
  readStoredSession,
  type SessionMessage,
  SessionStore,
  type TokenRequest,
} from './session.ts';

const user = {
  uid: '01900000-0000-7000-8000-000000000001',
  displayName: 'Ada',
  photoURL: null,
  email: 'ada@example.org',
  emailVerified: true,
  phoneNumber: null,
  tenantId: null,
  providerData: [],
};

class MemoryStorage {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

/** A browser with tabs that share local storage, one lock and a channel, in front of a sign-in service. */
class Browser {
  now = 1_000_000;
  readonly localStorage = new MemoryStorage();
  readonly requests: TokenRequest[] = [];
  endedSessions = 0;
  worksOffline = false;
  visits = 0;
  answer: () => Promise<TokenResult> = () => this.#issue();
  readonly #tabs: SessionStore[] = [];
  #lock: Promise<unknown> = Promise.resolve();
  #issued = 0;

  open(sessionStorage = new MemoryStorage()): SessionStore {
    const tab: SessionStore = new SessionStore({
      now: () => this.now,
      localStorage: this.localStorage,
      sessionStorage,
      exchange: (body) => {
        this.requests.push(body);
        return this.answer();
      },
      endSession: () => {
        this.endedSessions++;
        return Promise.resolve();
      },
      openGuestSession: () => {
        this.visits++;
        return Promise.resolve({ access_token: `guest-${this.visits}`, expires_in: 3600, project_id: 'demo' });
      },
      withLock: (_, run) => {
        const turn = this.#lock.then(run);
        this.#lock = turn.catch(() => undefined);
        return turn;
      },
      broadcast: (message: SessionMessage) => {
        for (const other of this.#tabs) if (other !== tab) other.receive(structuredClone(message));
      },
      worksOffline: () => this.worksOffline,
    });
    this.#tabs.push(tab);
    return tab;
  }

  #issue(): Promise<TokenResult> {
    this.#issued++;
    return Promise.resolve({
      access_token: `access-${this.#issued}`,
      refresh_token: this.#issued === 1 ? 'root' : `root.${this.#issued - 1}.mac`,
      expires_in: 900,
      user,
    });
  }

  get refreshes(): number {
    return this.requests.filter((request) => request.grant_type === 'refresh_token').length;
  }
}

const signIn = (tab: SessionStore): Promise<void> => tab.signIn({ grant_type: 'email_link', code: 'code' });
const serverSays =
  (code: string): (() => Promise<never>) =>
  () =>
    Promise.reject(new Problem({ code, title: code, detail: code, status: 401 }));

describe('needsRefresh', () => {
  it('begins 30 seconds before the token expires', () => {
    expect(REFRESH_MARGIN_MS).toBe(30_000);
    expect(needsRefresh({ expiresAt: 100_000 }, 69_999)).toBe(false);
    expect(needsRefresh({ expiresAt: 100_000 }, 70_000)).toBe(true);
  });
});

describe('without a connection', () => {
  const noAnswer = () => Promise.reject(networkProblem(new TypeError('Failed to fetch')));

  it('stays whose it is where pages are kept, and is unreachable elsewhere', async () => {
    const browser = new Browser();
    await signIn(browser.open());
    browser.now += 3_600_000;
    browser.answer = noAnswer;
    const elsewhere = browser.open();
    await elsewhere.start();
    expect(elsewhere.getState()).toMatchObject({ status: 'unreachable' });
    browser.worksOffline = true;
    const tab = browser.open();
    await tab.start();
    expect(tab.getState()).toEqual({ status: 'signed-in', user });
    expect(await tab.getAccessToken()).toBe('access-1');
  });

  it('is not kept alive against the word of the server', async () => {
    const browser = new Browser();
    await signIn(browser.open());
    browser.now += 3_600_000;
    browser.worksOffline = true;
    browser.answer = serverSays('auth/user-token-expired');
    const tab = browser.open();
    await tab.start();
    expect(tab.getState()).toMatchObject({ status: 'signed-out', because: 'expired' });
    expect(await tab.getAccessToken()).toBeUndefined();
  });
});

describe('a session', () => {
  it('is unknown until it has started, then signed out without a stored one', async () => {
    const tab = new Browser().open();
    expect(tab.getState()).toEqual({ status: 'unknown' });
    await tab.start();
    expect(tab.getState()).toEqual({ status: 'signed-out', because: 'never' });
  });

  it('uses its token as long as it is good and refreshes it in time', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    browser.now += 869_000;
    expect(await tab.getAccessToken()).toBe('access-1');
    expect(browser.refreshes).toBe(0);
    browser.now += 1_000;
    expect(await tab.getAccessToken()).toBe('access-2');
    expect(browser.refreshes).toBe(1);
  });

  it('refreshes once for many requests at the same time', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    browser.now += 900_000;
    const tokens = await Promise.all([tab.getAccessToken(), tab.getAccessToken(), tab.getAccessToken()]);
    expect(new Set(tokens)).toEqual(new Set(['access-2']));
    expect(browser.refreshes).toBe(1);
  });

  it('refreshes once for all tabs', async () => {
    const browser = new Browser();
    const first = browser.open();
    await signIn(first);
    const second = browser.open();
    await second.start();
    browser.now += 900_000;
    expect(await Promise.all([first.getAccessToken(), second.getAccessToken()])).toEqual(['access-2', 'access-2']);
    expect(browser.refreshes).toBe(1);
  });

  it('drops everything when the server says that the session has ended', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    browser.now += 900_000;
    browser.answer = serverSays('auth/user-token-expired');
    expect(await tab.getAccessToken()).toBeUndefined();
    expect(tab.getState()).toEqual({ status: 'signed-out', because: 'expired' });
    expect(browser.localStorage.getItem('heterosis.session')).toBeNull();
  });

  it('keeps the refresh token when only the network has failed', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    browser.now += 900_000;
    const working = browser.answer;
    browser.answer = serverSays('auth/network-request-failed');
    await expect(tab.getAccessToken()).rejects.toThrow('auth/network-request-failed');
    expect(tab.getState().status).toBe('signed-in');
    browser.answer = working;
    expect(await tab.getAccessToken()).toBe('access-2');
  });

  it('says at the start that the server is out of reach instead of signing out', async () => {
    const browser = new Browser();
    await signIn(browser.open());
    browser.now += 900_000;
    browser.answer = serverSays('auth/network-request-failed');
    const tab = browser.open();
    await tab.start();
    expect(tab.getState().status).toBe('unreachable');
  });

  it('replaces a token that the server has refused before its time, once', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    expect(await tab.replaceToken('access-1')).toBe('access-2');
    expect(await tab.replaceToken('access-1')).toBe('access-2');
    expect(browser.refreshes).toBe(1);
  });

  it('signs out in every tab', async () => {
    const browser = new Browser();
    const first = browser.open();
    await signIn(first);
    const second = browser.open();
    await second.start();
    await first.signOut();
    expect(second.getState()).toEqual({ status: 'signed-out', because: 'signed-out' });
    expect(browser.endedSessions).toBe(1);
    expect(await second.getAccessToken()).toBeUndefined();
  });

  it('signs in a waiting tab when another has followed the mailed link', async () => {
    const browser = new Browser();
    const waiting = browser.open();
    await waiting.start();
    await signIn(browser.open());
    await waiting.storageChanged();
    expect(waiting.getState()).toEqual({ status: 'signed-in', user });
  });

  it('shows in every tab who has signed in last, whether the tab hears of it or finds it when it refreshes', async () => {
    const browser = new Browser();
    const hearing = browser.open();
    await signIn(hearing);
    const deaf = browser.open();
    await deaf.start();
    const other = { ...user, uid: '01900000-0000-7000-8000-000000000002', displayName: 'Bo' };
    browser.answer = () =>
      Promise.resolve({ access_token: 'access-bo', refresh_token: 'refresh-bo', expires_in: 900, user: other });
    await signIn(browser.open());
    await hearing.storageChanged();
    expect(hearing.getState()).toEqual({ status: 'signed-in', user: other });
    expect(await hearing.getAccessToken()).toBe('access-bo');
    expect(await deaf.replaceToken('access-1')).toBe('access-bo');
    expect(deaf.getState()).toEqual({ status: 'signed-in', user: other });
  });

  it('follows in every tab the refresh token that each refresh replaces, also where each has a copy of its own', async () => {
    const browser = new Browser();
    browser.localStorage.setItem('heterosis.persistence', 'session');
    const copied = new MemoryStorage();
    const first = browser.open(copied);
    await signIn(first);
    // A duplicated tab begins with a copy of the storage.
    const copy = new MemoryStorage();
    for (const [key, value] of copied.values) copy.setItem(key, value);
    const second = browser.open(copy);
    await second.start();
    for (const tab of [first, second, first]) {
      browser.now += 900_000;
      await tab.getAccessToken();
    }
    expect(browser.requests.slice(1)).toEqual(
      ['root', 'root.1.mac', 'root.2.mac'].map((refresh_token) => ({ grant_type: 'refresh_token', refresh_token })),
    );
    expect(await second.getAccessToken()).toBe(await first.getAccessToken());
    await first.signOut();
    expect(second.getState().status).toBe('signed-out');
  });

  it('forgets a change of name in no tab', async () => {
    const browser = new Browser();
    const first = browser.open();
    await signIn(first);
    const second = browser.open();
    await second.start();
    first.updateUser({ displayName: 'Ada Lindqvist' });
    expect(second.getState()).toMatchObject({ user: { displayName: 'Ada Lindqvist' } });
  });
});

describe('a guest of the demo', () => {
  it('is one in this tab only, survives a reload of it, and is given a new token in time', async () => {
    const browser = new Browser();
    const tabStorage = new MemoryStorage();
    expect(await browser.open(tabStorage).visitDemo()).toBe('demo');
    const reloaded = browser.open(tabStorage);
    await reloaded.start();
    expect(reloaded.getState()).toMatchObject({ status: 'signed-in', guestOf: 'demo' });
    browser.now += 3_590_000;
    expect(await reloaded.getAccessToken()).toBe('guest-2');
    const other = browser.open();
    await other.start();
    expect(other.getState().status).toBe('signed-out');
  });

  it('becomes who signs in, here or in another tab', async () => {
    const browser = new Browser();
    const tabStorage = new MemoryStorage();
    const guest = browser.open(tabStorage);
    await guest.visitDemo();
    await signIn(browser.open());
    await guest.storageChanged();
    expect(guest.getState()).toEqual({ status: 'signed-in', user });
    const reloaded = browser.open(tabStorage);
    await reloaded.start();
    expect(reloaded.getState()).toEqual({ status: 'signed-in', user });
  });

  it('leaves without a word to the server', async () => {
    const browser = new Browser();
    const guest = browser.open();
    await guest.visitDemo();
    await guest.signOut();
    expect(guest.getState().status).toBe('signed-out');
    expect(browser.endedSessions).toBe(0);
  });
});

describe('persistence', () => {
  const survivors = async (persistence: Persistence): Promise<{ reload: string; restart: string }> => {
    const browser = new Browser();
    const tabStorage = new MemoryStorage();
    const tab = browser.open(tabStorage);
    tab.setPersistence(persistence);
    await signIn(tab);
    const reloaded = browser.open(tabStorage);
    await reloaded.start();
    const restarted = browser.open();
    await restarted.start();
    return { reload: reloaded.getState().status, restart: restarted.getState().status };
  };

  it('local survives a restart of the browser', async () => {
    expect(await survivors('local')).toEqual({ reload: 'signed-in', restart: 'signed-in' });
  });

  it('session survives a reload only', async () => {
    expect(await survivors('session')).toEqual({ reload: 'signed-in', restart: 'signed-out' });
  });

  it('none survives neither', async () => {
    expect(await survivors('none')).toEqual({ reload: 'signed-out', restart: 'signed-out' });
  });

  it('leaves nothing behind where it was stored before', async () => {
    const browser = new Browser();
    const tab = browser.open();
    await signIn(tab);
    expect(browser.localStorage.getItem('heterosis.session')).toContain('root');
    tab.setPersistence('none');
    expect(browser.localStorage.getItem('heterosis.session')).toBeNull();
    expect(await tab.getAccessToken()).toBe('access-1');
  });
});

describe('readStoredSession', () => {
  it.each([null, '', 'not json', 'null', '{}', '{"access_token":1}'])('takes %j for no session', (text) => {
    expect(readStoredSession(text)).toBeUndefined();
  });
});
