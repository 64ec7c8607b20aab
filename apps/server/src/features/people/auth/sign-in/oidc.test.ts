import { startOidcProvider, type TestProvider } from '@heterosis/test-support/oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Product, startProduct } from '../../../../testing/product.ts';
import { approveRegistrations } from '../registrations.service.ts';

let provider: TestProvider;
let open: Product;
let approval: Product;
beforeAll(async () => {
  provider = await startOidcProvider();
  const { issuer, clientId, clientSecret } = provider;
  const signIn = { emailLinks: true, oidc: { issuer, clientId, clientSecret, name: 'Institute' }, firebase: null };
  open = await startProduct({ withWorker: false, changes: { registration: 'open', signIn } });
  approval = await startProduct({ withWorker: false, changes: { registration: 'approval', signIn } });
  provider.allowRedirect('http://localhost/api/auth/oidc/callback');
});
afterAll(async () => {
  await open.close();
  await approval.close();
  await provider.close();
});

/** The part of a browser that a sign-in needs: it keeps cookies and follows redirects and forms. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async visit(url: string, form?: Record<string, string>): Promise<{ status: number; location: string; text: string }> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      location: location === null ? '' : new URL(location, url).href,
      text: await answer.text(),
    };
  }

  /** Signs in at the provider, lets it pass on who one is, and returns the address that it leads back to. */
  async signInAt(url: string, name: string): Promise<string> {
    let at = await this.visit(url);
    for (let step = 0; step < 20; step++) {
      if (at.location.startsWith('http://localhost/')) return at.location;
      if (at.location !== '') at = await this.visit(at.location);
      else {
        const action = /action="([^"]+)"/.exec(at.text)?.[1] ?? '';
        const prompt = /name="prompt" value="(\w+)"/.exec(at.text)?.[1] ?? '';
        at = await this.visit(action, { prompt, login: name, password: 'any' });
      }
    }
    throw new Error('The provider never led back');
  }
}

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

async function begin(product: Product, query = ''): Promise<{ url: string; cookie: string }> {
  const answer = await product.app.inject({ url: `/api/auth/oidc/start${query}` });
  expect(answer.statusCode).toBe(302);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/);
  return { url: String(answer.headers.location), cookie: cookie.split(';')[0] ?? '' };
}

async function comeBack(product: Product, url: string, cookie: string): Promise<URL> {
  const answer = await product.app.inject({ url: pathOf(url), headers: { cookie } });
  expect(answer.statusCode).toBe(302);
  return new URL(String(answer.headers.location));
}

/** The whole way of a browser; returns where it ends in our application. */
async function signIn(product: Product, name: string, query = ''): Promise<URL> {
  const { url, cookie } = await begin(product, query);
  return comeBack(product, await new Browser().signInAt(url, name), cookie);
}

async function exchange(product: Product, arrived: URL) {
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/auth/token',
    payload: { grant_type: 'email_link', code: arrived.searchParams.get('code') ?? '' },
  });
  return { status: answer.statusCode, body: answer.json() };
}

let people = 0;
function account(change: { email_verified?: boolean; name?: string } = {}): { name: string; email: string } {
  const name = `person-${++people}`;
  const email = `${name}@institute.example`;
  provider.accounts.set(name, { email, email_verified: true, ...change });
  return { name, email };
}

describe('a sign-in by OpenID Connect', () => {
  test('opens an account with the name of the provider, and signs in to the same one again', async () => {
    const { name, email } = account({ name: 'Ann Breeder' });
    const arrived = await signIn(open, name, '?return_to=/projects');
    expect(arrived.pathname).toBe('/signin');
    expect(arrived.searchParams.get('returnTo')).toBe('/projects');
    const first = await exchange(open, arrived);
    expect(first.body.user).toMatchObject({ email, displayName: 'Ann Breeder', emailVerified: true });
    expect((await exchange(open, arrived)).status).toBe(400);
    const again = await exchange(open, await signIn(open, name));
    expect(again.body.user.uid).toBe(first.body.user.uid);
    const event = await open.services.db
      .selectFrom('audit_events')
      .select('details')
      .where('actor_email', '=', email)
      .executeTakeFirstOrThrow();
    expect(event.details).toMatchObject({ method: 'oidc' });
  });

  test('leads to the account that a mailed link opened, when the provider has verified the address', async () => {
    const { name, email } = account();
    const { userId } = await open.person(name, 'institute.example');
    expect((await exchange(open, await signIn(open, name))).body.user).toMatchObject({ uid: userId, email });
  });

  test('is refused with an address that the provider has not verified, or without one', async () => {
    const { name } = account({ email_verified: false });
    await open.person(name, 'institute.example');
    const code = 'auth/account-exists-with-different-credential';
    expect((await signIn(open, name)).searchParams.get('error')).toBe(code);
    provider.accounts.set('nobody', {});
    expect((await signIn(open, 'nobody')).searchParams.get('error')).toBe(code);
  });

  test('opens no account where an operator approves them, except to the invited', async () => {
    const { name, email } = account();
    expect((await signIn(approval, name)).searchParams.get('error')).toBe('auth/user-not-found');
    const owner = await approval.person('owner');
    const { organizationId } = await approval.project(owner);
    await owner.call('POST', `/organizations/${organizationId}/invitations`, { recipient: email });
    expect((await exchange(approval, await signIn(approval, name))).body.user.email).toBe(email);
  });

  test('with an unknown address lets its owner ask for an account at once, and remembers the page', async () => {
    const { name, email } = account();
    const back = await signIn(approval, name, '?return_to=%2Fprojects%3Fx%3D1');
    const proof = back.searchParams.get('proof');
    const request = (body: object) => approval.app.inject({ method: 'POST', url: '/api/signup', payload: body });
    expect((await request({ proof })).json()).toEqual({ status: 'requested' });
    expect((await signIn(approval, name)).searchParams.get('error')).toBe('auth/registration-pending');
    const [decision] = await approveRegistrations(approval.services.db, [email], { email: 'operator' });
    expect(decision).toMatchObject({ outcome: 'approved', returnTo: '/projects?x=1' });
    expect((await exchange(approval, await signIn(approval, name))).body.user.email).toBe(email);
    // A proof is for this alone, and cannot be made up.
    for (const forged of [`${proof}x`, 'x', (await exchange(open, await signIn(open, name))).body.access_token]) {
      const { statusCode } = await request({ proof: forged });
      expect(statusCode).toBe(400);
    }
  });

  test('is the only way in where mailed links are switched off', async () => {
    const { name, email } = account();
    const { services } = approval;
    const only = await startProduct({
      withWorker: false,
      changes: { registration: 'open', signIn: { ...services.config.signIn, emailLinks: false } },
    });
    try {
      expect((await only.app.inject({ url: '/api/config' })).json().sign_in.email_link).toBe(false);
      const post = async (url: string, payload: object) => {
        const answer = await only.app.inject({ method: 'POST', url: `/api${url}`, payload });
        return [answer.statusCode, answer.json().code];
      };
      const refused = [403, 'auth/operation-not-allowed'];
      expect(await post('/auth/link', { email })).toEqual(refused);
      expect(await post('/signup', { email })).toEqual(refused);
      expect(await post('/invitations/sign_in', { code: 'x' })).toEqual(refused);
      const { body } = await exchange(only, await signIn(only, name));
      expect(body.user.email).toBe(email);
      const headers = { authorization: `Bearer ${body.access_token}` };
      expect((await only.app.inject({ url: '/api/auth/proof', headers })).json().method).toBe('provider');
      const address = {
        method: 'POST',
        url: '/api/users/me/email',
        headers,
        payload: { email: 'x@example.org' },
      } as const;
      expect((await only.app.inject(address)).statusCode).toBe(403);
      const again = await only.app.inject({ url: '/api/auth/oidc/start?again=true' });
      expect(new URL(String(again.headers.location)).searchParams.get('prompt')).toBe('login');
    } finally {
      await only.close();
    }
  });

  test('of a disabled account is refused', async () => {
    const { name } = account();
    const { userId } = await open.person(name, 'institute.example');
    await open.services.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute();
    expect((await signIn(open, name)).searchParams.get('error')).toBe('auth/user-disabled');
  });

  test('needs the browser that began it, and its state, and works once', async () => {
    const { name } = account();
    const { url, cookie } = await begin(open);
    const back = await new Browser().signInAt(url, name);
    const errorOf = async (address: string, sent: string) =>
      (await comeBack(open, address, sent)).searchParams.get('error');
    expect(await errorOf(back, '')).toBe('auth/timeout');
    expect(await errorOf(back, (await begin(open)).cookie)).toBe('auth/timeout');
    const otherState = back.replace(/state=[^&]+/, 'state=another');
    expect(await errorOf(otherState, cookie.replace(/^[^=]+/, 'hx_oidc_another'))).toBe('auth/internal-error');
    expect(await errorOf(back.replace(/code=[^&]+/, 'code=guessed'), cookie)).toBe('auth/internal-error');
    expect((await comeBack(open, back, cookie)).searchParams.get('code')).not.toBeNull();
    expect(await errorOf(back, cookie)).toBe('auth/internal-error');
  });

  test('says that it was cancelled', async () => {
    const { url, cookie } = await begin(open);
    const state = new URL(url).searchParams.get('state');
    const back = `http://localhost/api/auth/oidc/callback?error=access_denied&state=${state}&iss=${provider.issuer}`;
    expect((await comeBack(open, back, cookie)).searchParams.get('error')).toBe('auth/user-cancelled');
  });

  test('leads to no other site', async () => {
    const answer = await open.app.inject({ url: '/api/auth/oidc/start?return_to=//evil.example' });
    expect(answer.statusCode).toBe(400);
  });

  test('asks for PKCE and a nonce', async () => {
    const { searchParams } = new URL((await begin(open)).url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('nonce')).not.toBeNull();
    expect((await begin(open)).url).not.toContain(searchParams.get('code_challenge') ?? '');
  });
});

test('without a provider, or while it is away, the browser comes back with a reason', async () => {
  const { app, services } = approval;
  expect((await app.inject({ url: '/api/config' })).json().sign_in.oidc).toEqual({ name: 'Institute' });
  const away = { ...services.config.signIn, oidc: { ...services.config.signIn.oidc!, issuer: 'http://127.0.0.1:9' } };
  for (const [signIn, code] of [
    [{ emailLinks: true, oidc: null, firebase: null }, 'auth/operation-not-allowed'],
    [away, 'auth/network-request-failed'],
  ] as const) {
    const product = await startProduct({ withWorker: false, changes: { signIn } });
    const answer = await product.app.inject({ url: '/api/auth/oidc/start' });
    expect(new URL(String(answer.headers.location)).searchParams.get('error')).toBe(code);
    await product.close();
  }
});
