import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultPublicUrl } from '../../config/config.ts';
import type { FeatureRoutes } from '../app.ts';
import { createTestApp } from '../testing.ts';

const routes: FeatureRoutes = (app, { storage }) => {
  app.post('/link', { config: { guard: 'public' } }, async () => {
    await sleep(5);
    return { url: await storage.signGet('a/b', { fileName: 'b' }) };
  });
};

async function linkFor(test_: Awaited<ReturnType<typeof createTestApp>>, host: string): Promise<string> {
  const response = await test_.app.inject({ method: 'POST', url: '/api/link', headers: { host } });
  return new URL(response.json().url).origin;
}

test('without PUBLIC_URL a signed address has the origin that the browser used, also for simultaneous requests', async () => {
  const app = await createTestApp({ features: [routes], changes: { publicUrl: defaultPublicUrl('127.0.0.1', 3000) } });
  try {
    const hosts = ['localhost:3000', '127.0.0.1:3000', 'breeding-server:3000'];
    expect(await Promise.all(hosts.map((host) => linkFor(app, host)))).toEqual(hosts.map((host) => `http://${host}`));
    expect(await linkFor(app, 'evil"/><script>')).toBe('http://127.0.0.1:3000');
    expect(await app.services.storage.signGet('a/b', { fileName: 'b' })).toContain('http://127.0.0.1:3000/');
  } finally {
    await app.close();
  }
});

test('with PUBLIC_URL a signed address has that origin, whatever the Host header says', async () => {
  const app = await createTestApp({ features: [routes], changes: { publicUrl: 'https://heterosis.example' } });
  try {
    expect(await linkFor(app, 'elsewhere.example')).toBe('https://heterosis.example');
  } finally {
    await app.close();
  }
});
