import { randomBytes } from 'node:crypto';
import type { Role } from '@heterosis/contracts/common';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { hashSecret } from '../../src/features/people/auth/index.ts';
import { sweepShareLinks } from '../../src/features/people/share-links/index.ts';
import { insertNamedRun } from '../../src/features/work/runs/kind/run-kind.queries.ts';
import { type Person } from '../../src/testing/product.ts';
import { startProject } from '../../src/testing/start-project.ts';

const { product, owner: olga, member: max, project } = await startProject({ withWorker: false });

let made = 0;

/** A prediction that failed with the name of a person in its error. */
async function prediction(creator: Person, name = `Prediction ${++made}`): Promise<string> {
  const id = await insertNamedRun(product.services.db, 'prediction', {
    ...{ project_id: project.projectId, name, created_by: creator.userId, traits: ['Yield'], seed: 3 },
    ...{ model_id: null, genotype_id: null, description: 'Second cycle' },
    parameters: { min_marker_share: 0.5, given_id: uuidv7() },
  });
  const error = { code: 'runs/cancelled', message: `${creator.email} cancelled it.`, action: 'Run it again.' };
  await product.services.db
    .updateTable('predictions')
    .set({ status: 'ERROR', error_extra: JSON.stringify(error) })
    .where('id', '=', id)
    .execute();
  return id;
}

const create = (person: Person, id: string, more: object = {}) =>
  person.call('POST', `${project.address}/share_links`, { entity_kind: 'prediction', entity_id: id, ...more });

const tokenOf = (url: string): string => new URL(url).hash.slice(1);

async function share(person: Person, id: string, more: object = {}): Promise<{ id: string; token: string }> {
  const { status, text, body } = await create(person, id, more);
  expect(status, text).toBe(201);
  return { id: body.id, token: tokenOf(body.url) };
}

const send = async (address: string, payload: object, remoteAddress = '192.0.2.1') => {
  const answer = await product.app.inject({ method: 'POST', url: `/api${address}`, payload, remoteAddress });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
};
const open = (token: string, address?: string) => send('/shared', { token }, address);
const revoke = (person: Person, id: string) => person.call('DELETE', `${project.address}/share_links/${id}`);
const links = async (person = olga, query = '') =>
  (await person.call('GET', `${project.address}/share_links${query}`)).body.data;

/** What a link answers that shows nothing, without what differs by request. */
const refusal = ({ status, text }: { status: number; text: string }) => {
  const { request_id: _, ...body } = JSON.parse(text);
  return { status, ...body };
};

test('a link shows what it names to whoever holds it, and no ids, no persons and no other places', async () => {
  const id = await prediction(olga, 'Cycle 2');
  const { body } = await create(olga, id);
  expect(body).toMatchObject({
    ...{ entity_kind: 'prediction', entity_id: id, name: 'Cycle 2', state: 'OPEN', opened_count: 0, revoked_at: null },
    created_by: { id: olga.userId },
  });
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBeCloseTo(30 * 86_400_000, -4);
  expect(body.url).toMatch(/^http:\/\/[^/]+\/s#[\w-]{43}$/);
  const shown = await open(tokenOf(body.url));
  expect(shown.status, shown.text).toBe(200);
  expect(shown.headers['cache-control']).toBe('no-store');
  expect(JSON.parse(shown.text)).toMatchObject({
    ...{ kind: 'Prediction', name: 'Cycle 2', description: 'Second cycle', expires_at: body.expires_at },
    sentences: ['It has no result.'],
    provenance: expect.arrayContaining([['Min marker share', '0.5']]),
  });
  const { projectId, organizationId } = project;
  for (const secret of [id, projectId, organizationId, olga.userId, olga.email, 'Given id', '/projects/'])
    expect(shown.text).not.toContain(secret);
  expect(shown.text).not.toMatch(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-/);
  const [listed] = await links(max, `?entity_kind=prediction&entity_id=${id}`);
  expect(listed).toMatchObject({ id: body.id, opened_count: 1, last_opened_at: expect.any(String) });
  expect(JSON.stringify(listed)).not.toContain(tokenOf(body.url));
});

test('its report is a PDF without a way back into the project', async () => {
  const { token } = await share(olga, await prediction(olga));
  const pdf = await send('/shared/report', { token, page: 'LETTER' });
  expect(pdf.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
  expect(pdf.text.startsWith('%PDF-')).toBe(true);
  expect(pdf.text).not.toContain('/URI');
});

test('only a hash of the secret is stored', async () => {
  const { id, token } = await share(olga, await prediction(olga));
  const { rows } = await sql<{ hash: Buffer; row: string }>`
    select token_hash as hash, share_links::text as row from share_links where id = ${id}
  `.execute(product.services.db);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(rows[0]?.hash.equals(hashSecret(token))).toBe(true);
  expect(rows[0]?.row).not.toContain(token);
});

test('wrong, expired, revoked and closed links get the same answer, at once', async () => {
  const entity = await prediction(olga);
  const nothing = refusal(await open('x'.repeat(43), '192.0.2.2'));
  expect(nothing).toMatchObject({ status: 404, code: 'share-links/unusable' });
  const isDead = async ({ token }: { token: string }) => {
    expect(refusal(await open(token, '192.0.2.2'))).toEqual(nothing);
    expect(refusal(await send('/shared/report', { token }, '192.0.2.2'))).toEqual({
      ...nothing,
      instance: '/api/shared/report',
    });
  };
  const revoked = await share(olga, entity);
  expect((await open(revoked.token)).status).toBe(200);
  expect((await revoke(olga, revoked.id)).status).toBe(204);
  await isDead(revoked);
  const expired = await share(olga, entity);
  await sql`update share_links set expires_at = now() where id = ${expired.id}`.execute(product.services.db);
  await isDead(expired);
  const closed = await share(olga, entity);
  expect((await olga.call('DELETE', `${project.address}/predictions/${entity}`)).status).toBe(204);
  await isDead(closed);
  const states = await links(olga, `?entity_id=${entity}`);
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['CLOSED', 'EXPIRED', 'REVOKED']);
  // What comes back is not shared any more.
  expect((await olga.call('POST', `${project.address}/bin/${entity}/restore`)).status).toBe(200);
  await isDead(closed);
  expect((await links(olga, `?entity_id=${entity}`))[0]).toMatchObject({ id: closed.id, state: 'REVOKED' });
});

test('links of a deleted project show nothing, also when it has been restored', async () => {
  const owner = await product.person('owner');
  const other = await product.project(owner);
  const id = await insertNamedRun(product.services.db, 'prediction', {
    ...{ project_id: other.projectId, name: 'P', created_by: owner.userId, traits: ['Yield'], seed: 0 },
    ...{ model_id: null, genotype_id: null, parameters: {} },
  });
  const { body } = await owner.call('POST', `${other.address}/share_links`, {
    ...{ entity_kind: 'prediction', entity_id: id },
  });
  const token = tokenOf(body.url);
  expect((await open(token)).status).toBe(200);
  expect((await owner.call('DELETE', other.address)).status).toBe(204);
  expect((await open(token)).status).toBe(404);
  const restored = await owner.call(
    'POST',
    `/organizations/${other.organizationId}/deleted_projects/${other.projectId}/restore`,
  );
  expect(restored.status, restored.text).toBe(200);
  expect((await open(token)).status).toBe(404);
});

test('members share what they made, managers anything, and nobody what the project does not have', async () => {
  const hers = await prediction(olga);
  const his = await prediction(max);
  expect((await create(max, hers)).status).toBe(403);
  const { id: ofMax } = await share(max, his);
  const { id: ofOlga } = await share(olga, his);
  expect((await revoke(max, ofOlga)).status).toBe(403);
  expect((await revoke(olga, ofMax)).status).toBe(204);
  const elsewhere = await product.project(olga);
  const { status } = await olga.call('POST', `${elsewhere.address}/share_links`, {
    ...{ entity_kind: 'prediction', entity_id: hers },
  });
  expect(status).toBe(404);
  expect((await olga.call('DELETE', `${elsewhere.address}/share_links/${ofOlga}`)).status).toBe(404);
  expect((await create(olga, hers, { entity_kind: 'model' })).status).toBe(404);
  expect((await create(olga, hers, { days: 366 })).status).toBe(400);
});

test('owners limit how long links live, and forbid them, those that exist too', async () => {
  const organization = `/organizations/${project.organizationId}`;
  const limit = (person: Person, days: number) => person.call('PUT', organization, { share_link_days: days });
  const manager = await product.person('manager');
  await product.services.db
    .insertInto('organization_members')
    .values({
      ...{ id: uuidv7(), organization_id: project.organizationId, user_id: manager.userId },
      role: 'MANAGER' satisfies Role,
    })
    .execute();
  expect((await limit(manager, 0)).status).toBe(403);
  const entity = await prediction(olga);
  const { id, token } = await share(olga, entity, { days: 60 });
  await sql`update share_links set created_at = now() - interval '10 days' where id = ${id}`.execute(
    product.services.db,
  );
  expect((await limit(olga, 11)).body.share_link_days).toBe(11);
  expect((await open(token)).status).toBe(200);
  expect((await create(olga, entity)).body.invalid_params).toEqual([{ name: 'body.days', reason: 'at most 11' }]);
  await limit(olga, 10);
  expect((await open(token)).status).toBe(404);
  await limit(olga, 0);
  expect((await create(olga, entity, { days: 1 })).body.code).toBe('share-links/forbidden');
  await limit(olga, 365);
  expect((await open(token)).status).toBe(200);
  const { body } = await manager.call('GET', `${organization}/share_links`);
  expect(body.data.find((one: { id: string }) => one.id === id)).toMatchObject({
    project: { id: project.projectId },
    state: 'OPEN',
  });
});

test('sharing and revoking are in the audit', async () => {
  const entity = await prediction(olga, 'Audited');
  const { id } = await share(olga, entity, { days: 7 });
  await revoke(olga, id);
  await revoke(olga, id);
  const { body } = await olga.call('GET', `${project.address}/audit?area=sharing&limit=2`);
  const target = { target_type: 'share_link', target_id: id, actor: { id: olga.userId } };
  expect(body.data).toMatchObject([
    { action: 'share-link.revoked', ...target, details: { name: 'prediction "Audited"' } },
    { action: 'share-link.created', ...target, details: { name: 'prediction "Audited"', days: 7 } },
  ]);
});

test('whoever guesses is refused after some tries, the right secret too, and others are not', async () => {
  const { token } = await share(olga, await prediction(olga));
  const guess = () => open(randomBytes(32).toString('base64url'), '198.51.100.7');
  const tries = await Promise.all(Array.from({ length: 30 }, guess));
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await guess()).status).toBe(429);
  const refused = await open(token, '198.51.100.7');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
  expect((await open(token, '198.51.100.8')).status).toBe(200);
});

/** From an address of its own each, so that no limit helps, and with the secret of a link changed by one character. */
async function guesses(count: number): Promise<Set<number>> {
  const { token } = await share(olga, await prediction(olga));
  const statuses = new Set<number>();
  for (let k = 0; k < count; k += 50) {
    const batch = Array.from({ length: 50 }, (_, i) => {
      const at = (k + i) % token.length;
      const near = `${token.slice(0, at)}${String.fromCharCode(97 + ((k + i) % 26))}${token.slice(at + 1)}`;
      const guess = i % 2 === 0 || near === token ? randomBytes(32).toString('base64url') : near;
      return open(guess, `10.${(k + i) >> 16}.${((k + i) >> 8) & 255}.${(k + i) & 255}`);
    });
    for (const { status } of await Promise.all(batch)) statuses.add(status);
  }
  return statuses;
}

test('guesses find nothing', async () => {
  expect(await guesses(200)).toEqual(new Set([404]));
});

test('10,000 guesses find nothing', { tags: 'whole', timeout: 300_000 }, async () => {
  expect(await guesses(10_000)).toEqual(new Set([404]));
});

test('whoever holds a link comes nowhere else with its secret', async () => {
  const entity = await prediction(olga);
  const { id, token } = await share(olga, entity);
  const values: Record<string, string> = {
    ...{ project_id: project.projectId, organization_id: project.organizationId, id: entity },
  };
  const isOpen = ({ method, url }: { method: string; url: string }): boolean =>
    ['POST /api/shared', 'POST /api/shared/report'].includes(`${method} ${url}`);
  const routes = product.app.guardedRoutes.filter((route) => !isOpen(route));
  expect(routes.length).toBeGreaterThan(300);
  const ask = async ({ method, url }: { method: string; url: string }, secret: string): Promise<number[]> => {
    const address = url.replace(/:(\w+)/g, (_, name: string) => values[name] ?? entity).replace('*', secret);
    const payload = { token: secret, code: secret, refresh_token: secret, grant_type: 'refresh_token' };
    const statuses: number[] = [];
    for (const headers of [{ authorization: `Bearer ${secret}` }, { cookie: `token=${secret}` }]) {
      const { statusCode } = await product.app.inject({
        ...{ method: method as 'GET', url: `${address}?token=${secret}`, headers },
        ...(method === 'GET' || method === 'DELETE' ? {} : { payload }),
      });
      statuses.push(statusCode);
    }
    return statuses;
  };
  const passed: string[] = [];
  for (const route of routes) {
    const answers = await ask(route, token);
    // What is open to everybody answers as to whoever has no link at all.
    const expected = route.guard === 'public' ? await ask(route, 'x'.repeat(43)) : [401, 401];
    if (String(answers) !== String(expected)) passed.push(`${route.method} ${route.url}: ${answers}`);
  }
  expect(passed).toEqual([]);
  expect((await links()).find((one: { id: string }) => one.id === id)).toMatchObject({ state: 'OPEN' });
});

test('old links are swept, and those to what is deleted for good', async () => {
  const { db } = product.services;
  const entity = await prediction(olga);
  const gone = await prediction(olga);
  const [kept, old, orphan] = [await share(olga, entity), await share(olga, entity), await share(olga, gone)];
  await sql`update share_links set revoked_at = now() - interval '91 days' where id = ${old.id}`.execute(db);
  await sql`delete from predictions where id = ${gone}`.execute(db);
  await sweepShareLinks(db);
  const { rows } = await sql<{ id: string }>`select id from share_links`.execute(db);
  const left = rows.map(({ id }) => id);
  expect(left).toContain(kept.id);
  expect(left).not.toContain(old.id);
  expect(left).not.toContain(orphan.id);
});
