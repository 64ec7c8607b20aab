import type { SignedInUser, TokenResult, tokenBody } from '@heterosis/contracts/people/auth';
import type { GuestSession } from '@heterosis/contracts/people/guests';
import type * as z from 'zod';
import { asProblem, isNoAnswer, Problem } from '../api/problem.ts';

/** `local` survives a restart of the browser, `session` a reload, `none` neither. */
export type Persistence = 'local' | 'session' | 'none';

export interface StoredSession {
  access_token: string;
  refresh_token: string;
  /** Milliseconds since 1970, by the clock of this browser. */
  expiresAt: number;
  user: SignedInUser;
  /** Of a guest: the demo project. */
  guestOf?: string;
}

export type SessionState =
  | { status: 'unknown' }
  | { status: 'unreachable'; problem: Problem }
  | { status: 'signed-out'; because: 'never' | 'signed-out' | 'expired' }
  /** With `guestOf`, the demo project, it is nobody who signed in but a guest of the demo. */
  | { status: 'signed-in'; user: SignedInUser; guestOf?: string };

export type TokenRequest = z.infer<typeof tokenBody>;

/** An access token that expires within this time is refreshed before it is used. */
export const REFRESH_MARGIN_MS = 30_000;

export const SESSION_KEY = 'heterosis.session';
const PERSISTENCE_KEY = 'heterosis.persistence';
const LOCK = 'heterosis.session';

/** Guests of the demo are nobody in particular. */
const GUEST: SignedInUser = {
  uid: '',
  displayName: 'Guest',
  photoURL: null,
  email: '',
  emailVerified: false,
  phoneNumber: null,
  tenantId: null,
  providerData: [],
};

/** Codes with which the server says that a refresh token will never work again. */
const SESSION_ENDED = new Set(['auth/user-token-expired', 'auth/invalid-token', 'auth/user-disabled']);

export interface SessionMessage {
  kind: 'tokens' | 'signed-out';
  /** What the message is about; tabs of another session ignore it. */
  sessionName: string;
  session?: StoredSession;
}

/** Every refresh replaces the refresh token; its first part stays the same. */
const nameOf = ({ refresh_token: token }: Pick<StoredSession, 'refresh_token'>): string => token.split('.', 1)[0] ?? '';

/** What the session needs of the browser, so that it can be tried with two tabs in a test. */
export interface SessionEnvironment {
  now(): number;
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  exchange(body: TokenRequest): Promise<TokenResult>;
  endSession(accessToken: string): Promise<void>;
  openGuestSession(): Promise<GuestSession>;
  /** Runs alone among all tabs. */
  withLock<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  broadcast(message: SessionMessage): void;
  /** Whether this browser keeps answers for the time without a connection. */
  worksOffline(): boolean;
}

export function needsRefresh(session: Pick<StoredSession, 'expiresAt'>, now: number): boolean {
  return session.expiresAt - now <= REFRESH_MARGIN_MS;
}

/**
 * Who is signed in, and the tokens that prove it. One refresh serves all tabs: they take turns under a lock, and a tab
 * that waited finds the new token in storage or in a message of the tab before it.
 */
export class SessionStore {
  readonly #env: SessionEnvironment;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = { status: 'unknown' };
  #session: StoredSession | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(env: SessionEnvironment) {
    this.#env = env;
  }

  getState = (): SessionState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Finds out who is signed in. Until it has ended the state is `unknown` and no page is shown. */
  async start(): Promise<void> {
    const stored = this.#readStored();
    if (!stored) {
      this.#setState({ status: 'signed-out', because: 'never' });
      return;
    }
    this.#session = stored;
    try {
      if ((await this.getAccessToken()) !== undefined) this.#setState(this.#signedIn());
    } catch (error) {
      this.#setState({ status: 'unreachable', problem: asProblem(error) });
    }
  }

  async signIn(request: Exclude<TokenRequest, { grant_type: 'refresh_token' }>): Promise<void> {
    this.enter(await this.#env.exchange(request));
  }

  /** Starts the session of tokens that some other call has returned. */
  enter(tokens: TokenResult): void {
    this.#adopt(tokens);
    this.#setState(this.#signedIn());
  }

  /** Opens the demo to a guest, in this tab only; gives its project. */
  async visitDemo(): Promise<string> {
    const visit = await this.#env.openGuestSession();
    this.#receiveGuest(visit);
    this.#setState(this.#signedIn());
    return visit.project_id;
  }

  #receiveGuest({ access_token, expires_in, project_id: guestOf }: GuestSession): void {
    const expiresAt = this.#env.now() + expires_in * 1000;
    const session = { access_token, refresh_token: 'guest', expiresAt, user: GUEST, guestOf };
    this.#take(session);
    this.#write(session);
  }

  /**
   * Ends the session here, on the server and in every other tab. The browser forgets it even when the server is away.
   */
  async signOut(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (session.guestOf !== undefined) {
      this.#drop('signed-out');
      return;
    }
    try {
      const token = await this.getAccessToken();
      if (token !== undefined) await this.#env.endSession(token);
    } finally {
      this.#drop('signed-out');
      this.#env.broadcast({ kind: 'signed-out', sessionName: nameOf(session) });
    }
  }

  /** The session has ended with the account. */
  forget(): void {
    const session = this.#session;
    if (!session) return;
    this.#drop('signed-out');
    this.#env.broadcast({ kind: 'signed-out', sessionName: nameOf(session) });
  }

  /** A token good for at least the refresh margin; undefined when nobody is signed in. */
  async getAccessToken(): Promise<string | undefined> {
    const session = this.#session;
    if (!session) return undefined;
    if (needsRefresh(session, this.#env.now())) {
      try {
        await this.#refresh(session.access_token);
      } catch (error) {
        // The old token says whose the answers are that this browser keeps; a server that hears it refuses it.
        if (!isNoAnswer(asProblem(error)) || !this.#env.worksOffline()) throw error;
      }
    }
    return this.#session?.access_token;
  }

  /** After the server has refused `usedToken`: a new one, or undefined when the session has ended. */
  async replaceToken(usedToken: string): Promise<string | undefined> {
    if (this.#session?.access_token === usedToken) await this.#refresh(usedToken);
    return this.#session?.access_token;
  }

  /** Asks the server again who is signed in. */
  async renewUser(): Promise<void> {
    const session = this.#session;
    if (session) await this.#refresh(session.access_token);
  }

  updateUser(change: Partial<SignedInUser>): void {
    if (!this.#session) return;
    this.#session = { ...this.#session, user: { ...this.#session.user, ...change } };
    this.#write(this.#session);
    this.#setState(this.#signedIn());
    this.#env.broadcast({ kind: 'tokens', sessionName: nameOf(this.#session), session: this.#session });
  }

  getPersistence(): Persistence {
    const stored = this.#env.localStorage.getItem(PERSISTENCE_KEY);
    return stored === 'session' || stored === 'none' ? stored : 'local';
  }

  /** Moves what is stored, so that nothing stays behind where it should no longer be. */
  setPersistence(persistence: Persistence): void {
    this.#env.localStorage.setItem(PERSISTENCE_KEY, persistence);
    if (this.#session) this.#write(this.#session);
  }

  /** A message of another tab. */
  receive(message: SessionMessage): void {
    if (!this.#session || message.sessionName !== nameOf(this.#session)) return;
    if (message.kind === 'signed-out') {
      this.#drop('signed-out');
    } else if (message.session) {
      this.#take(message.session);
      // With `session` every tab keeps its own copy; with `local` the sender has written the shared one.
      this.#write(message.session);
    }
  }

  /** Another tab has signed in or out: the shared storage is the truth, also when a message was missed. */
  async storageChanged(): Promise<void> {
    if (this.getPersistence() !== 'local') return;
    const stored = this.#readStored();
    if (!stored && this.#state.status === 'signed-in') this.#drop('signed-out');
    else if (stored && this.#state.status === 'signed-out') await this.start();
    else if (stored && stored.refresh_token !== this.#session?.refresh_token) this.#take(stored);
  }

  async #refresh(usedToken: string): Promise<void> {
    this.#refreshing ??= this.#env
      .withLock(LOCK, () => this.#refreshAlone(usedToken))
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  async #refreshAlone(usedToken: string): Promise<void> {
    const newest = this.#readStored() ?? this.#session;
    const current = this.#session;
    if (!newest || !current) return;
    if (newest.access_token !== usedToken && !needsRefresh(newest, this.#env.now())) {
      this.#take(newest);
      return;
    }
    if (newest.guestOf !== undefined) {
      this.#receiveGuest(await this.#env.openGuestSession());
      return;
    }
    try {
      this.#adopt(await this.#env.exchange({ grant_type: 'refresh_token', refresh_token: newest.refresh_token }));
    } catch (error) {
      if (!(error instanceof Problem) || !SESSION_ENDED.has(error.code)) throw error;
      this.#drop('expired');
      this.#env.broadcast({ kind: 'signed-out', sessionName: nameOf(newest) });
      return;
    }
    const session = this.#session;
    if (session) this.#env.broadcast({ kind: 'tokens', sessionName: nameOf(session), session });
  }

  #adopt(result: TokenResult): void {
    const session = {
      access_token: result.access_token,
      refresh_token: result.refresh_token,
      expiresAt: this.#env.now() + result.expires_in * 1000,
      user: result.user,
    };
    this.#take(session);
    this.#write(session);
  }

  /** What another tab has stored may be the session of another person: then this is who the pages are for now. */
  #take(session: StoredSession): void {
    this.#session = session;
    if (this.#state.status === 'signed-in') this.#setState(this.#signedIn());
  }

  #drop(because: 'signed-out' | 'expired'): void {
    this.#session = undefined;
    this.#env.localStorage.removeItem(SESSION_KEY);
    this.#env.sessionStorage.removeItem(SESSION_KEY);
    this.#setState({ status: 'signed-out', because });
  }

  #signedIn(): SessionState {
    if (!this.#session) throw new Error('Nobody is signed in');
    const { user, guestOf } = this.#session;
    return { status: 'signed-in', user, ...(guestOf === undefined ? {} : { guestOf }) };
  }

  #write(session: StoredSession): void {
    const text = JSON.stringify(session);
    if (session.guestOf !== undefined) {
      this.#env.sessionStorage.setItem(SESSION_KEY, text);
      return;
    }
    const persistence = this.getPersistence();
    if (persistence === 'local') this.#env.localStorage.setItem(SESSION_KEY, text);
    else this.#env.localStorage.removeItem(SESSION_KEY);
    if (persistence === 'session') this.#env.sessionStorage.setItem(SESSION_KEY, text);
    else this.#env.sessionStorage.removeItem(SESSION_KEY);
  }

  /** Who has signed in goes before the guest that this tab has been. */
  #readStored(): StoredSession | undefined {
    const persistence = this.getPersistence();
    const ofBrowser =
      persistence === 'local' ? readStoredSession(this.#env.localStorage.getItem(SESSION_KEY)) : undefined;
    const ofTab = readStoredSession(this.#env.sessionStorage.getItem(SESSION_KEY));
    return ofBrowser ?? (persistence === 'session' || ofTab?.guestOf !== undefined ? ofTab : undefined);
  }

  #setState(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** What an older version or another program may have left under our key is treated as no session. */
export function readStoredSession(text: string | null): StoredSession | undefined {
  if (text === null) return undefined;
  let value: Partial<StoredSession> | null;
  try {
    value = JSON.parse(text) as Partial<StoredSession> | null;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (
    typeof value?.access_token !== 'string' ||
    typeof value.refresh_token !== 'string' ||
    typeof value.expiresAt !== 'number' ||
    typeof value.user?.uid !== 'string'
  ) {
    return undefined;
  }
  return value as StoredSession;
}
