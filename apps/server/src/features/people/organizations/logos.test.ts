import { deflateSync } from 'node:zlib';
import { LOGO_BYTES } from '@heterosis/contracts/people/organizations';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { JPEG_2X1, PNG_2X1, WEBP_2X1 } from '../../../platform/images/read-image.test-data.ts';
import { type Person } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner: olga, member: max, project } = await startProject({ withWorker: false });

const address = () => `/organizations/${project.organizationId}`;

async function send(person: Person, payload: Buffer, type = 'image/png') {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': type };
  const url = `/api${address()}/logo`;
  const { statusCode: status, body } = await product.app.inject({ method: 'PUT', url, headers, payload });
  return { status, body: JSON.parse(body) };
}

const report = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${max.token}` };
  const url = `/api/projects/${project.projectId}/report`;
  const { rawPayload, statusCode } = await product.app.inject({ method: 'GET', url, headers });
  expect(statusCode, rawPayload.toString().slice(0, 200)).toBe(200);
  return rawPayload.toString('latin1');
};

const chunk = (kind: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
};

/** A PNG of grey pixels with these rows, whose checksums nobody looks at. */
function png({ side = 4, depth = 8, interlace = 0, rows = Buffer.alloc(4 * 5), more = Buffer.alloc(0) }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([depth, 0, 0, 0, interlace], 8);
  return Buffer.concat([
    PNG_2X1.subarray(0, 8),
    chunk('IHDR', header),
    more,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('the logo that a manager gives stands on every report until it is removed', async () => {
  expect(await report()).not.toContain('/Subtype /Image');
  for (const bytes of [JPEG_2X1, PNG_2X1, png({})]) {
    const { status, body } = await send(olga, bytes);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await report()).toContain('/Subtype /Image');
    const shown = await product.app.inject({ method: 'GET', url: body.logo_url });
    expect(shown.headers).toMatchObject({ 'content-security-policy': expect.stringContaining('sandbox') });
  }
  const removed = await olga.call('DELETE', `${address()}/logo`);
  expect(removed.body.logo_url).toBeNull();
  expect(await report()).not.toContain('/Subtype /Image');
});

test('only managers and owners change it, and what programs write beside the picture is left out', async () => {
  expect((await send(max, PNG_2X1)).status).toBe(403);
  const { body } = await send(olga, png({ more: chunk('tEXt', Buffer.from('Author\0Olga Secret')) }));
  const { rawPayload } = await product.app.inject({ method: 'GET', url: body.logo_url });
  expect(rawPayload.toString('latin1')).not.toContain('Secret');
  expect((await max.call('GET', address())).body.logo_url).toBe(body.logo_url);
});

test('what no PDF could hold is refused by what it is, and the logo before stays', async () => {
  const { logo_url: before } = (await olga.call('GET', address())).body;
  const refused = [
    WEBP_2X1,
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    PNG_2X1.subarray(0, 40),
    png({ side: 2000, rows: Buffer.alloc(2000 * 2001) }),
    png({ depth: 16, rows: Buffer.alloc(4 * 9) }),
    png({ interlace: 1 }),
    // Rows that are missing, that no filter begins, and 100 MB of them.
    png({ rows: Buffer.alloc(12) }),
    png({ rows: Buffer.alloc(4 * 5, 9) }),
    png({ rows: Buffer.alloc(100_000_000) }),
  ];
  for (const [k, bytes] of refused.entries())
    expect(await send(olga, bytes), String(k)).toMatchObject({
      ...{ status: 400, body: { code: 'organizations/unusable-logo' } },
    });
  expect((await send(olga, Buffer.alloc(LOGO_BYTES + 1))).status).toBe(413);
  expect((await olga.call('GET', address())).body.logo_url).toBe(before);
});

test('its bytes count among those of the organization, and go with it', async () => {
  const { storage_used_bytes: before } = (await olga.call('DELETE', `${address()}/logo`)).body;
  const { body } = await send(olga, JPEG_2X1);
  expect(body.storage_used_bytes).toBeGreaterThan(before);
  await sql`update organizations set storage_quota_bytes = ${before + 1} where id = ${project.organizationId}`.execute(
    product.services.db,
  );
  expect(await send(olga, png({}))).toMatchObject({ body: { code: 'organizations/storage-exhausted' } });
  expect((await olga.call('GET', address())).body.logo_url).toBe(body.logo_url);
  const { rows } = await sql<{ on_delete: string }>`
    select confdeltype as on_delete from pg_constraint
    where conrelid = 'organization_logos'::regclass and contype = 'f'
  `.execute(product.services.db);
  expect(rows).toEqual([{ on_delete: 'c' }]);
});
