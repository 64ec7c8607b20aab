import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionStore } from './lib/session/session.ts';
import { installBrowser, installServer, json, refusal } from './testing/browser.ts';

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

const browser = installBrowser();
installServer(({ url }) => {
  if (url === '/api/auth/token') return json({ access_token: 'a', refresh_token: 'r', expires_in: 3600, user });
  if (url === '/api/auth/session') return new Response(null, { status: 204 });
  return refusal(404, 'common/not-found');
});

let visit: (address: string) => Promise<string>;
let session: SessionStore;

beforeAll(async () => {
  // The address map as it is, with all pages; nothing is drawn.
  ({ session } = await import('./lib/session/browser-session.ts'));
  const { routeTree } = await import('./routeTree.gen.ts');
  const { parseSearch, stringifySearch } = await import('./lib/browser/search-params.ts');
  visit = async (address) => {
    const router = createRouter({
      routeTree,
      parseSearch,
      stringifySearch,
      history: createMemoryHistory({ initialEntries: [address] }),
      isServer: false,
    });
    await router.load();
    return router.history.location.href;
  };
});

const signIn = () => session.signIn({ grant_type: 'email_link', code: 'c' });

beforeEach(() => {
  browser.localStorage.clear();
});

describe('a visitor who is not signed in', () => {
  it.each(['/projects', '/projects/p/models/m?tab=gebv', '/account', '/organizations/o/crops', '/setup'])(
    'is sent from %s to the home page, which keeps where they wanted to go',
    async (address) => {
      await session.start();
      const href = await visit(address);
      expect(href.startsWith('/?')).toBe(true);
      expect(new URLSearchParams(href.slice(2)).get('returnTo')).toBe(address);
    },
  );

  it.each(['/', '/about', '/signin?code=1234', '/nowhere/at/all'])('may see %s', async (address) => {
    await session.start();
    expect(await visit(address)).toBe(address);
  });
});

describe('somebody who is signed in', () => {
  it('gets the page they ask for', async () => {
    await signIn();
    expect(await visit('/projects/p/models')).toBe('/projects/p/models');
  });

  it('is led on from the home page: to the page they wanted, else to the projects', async () => {
    await signIn();
    expect(await visit('/')).toBe('/projects');
    expect(await visit('/?returnTo=%2Fprojects%2Fp%2Fgwas%3Fsort%3Dname')).toBe('/projects/p/gwas?sort=name');
  });

  it('is never led out of the application', async () => {
    await signIn();
    for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      expect(await visit(`/?returnTo=${encodeURIComponent(elsewhere)}`)).toBe('/projects');
    }
  });

  it('who signs out is not asked to come back to the page they left', async () => {
    await signIn();
    await session.signOut();
    expect(await visit('/projects/p/models')).toBe('/');
  });
});
