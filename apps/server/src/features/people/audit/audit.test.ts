import type { AuditAction, AuditEntry } from '@heterosis/contracts/people/audit';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../../../testing/product.ts';
import { updateEmailVerified } from '../accounts/index.ts';

let product: Product;
let owner: Person;
let project: Project;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  owner = await product.person('owner');
  project = await product.project(owner);
});
afterAll(async () => {
  await product.close();
});

const audit = async (query = '', organizationId = project.organizationId): Promise<AuditEntry[]> =>
  (await owner.call('GET', `/organizations/${organizationId}/audit?limit=500&${query}`)).body.data;

let made = 0;
const somebody = (): Promise<Person> => product.person(`somebody-${++made}`);

async function member(role: 'MEMBER' | 'MANAGER' = 'MEMBER'): Promise<{ id: string; person: Person }> {
  const person = await somebody();
  const id = uuidv7();
  const row = { id, organization_id: project.organizationId, user_id: person.userId, role };
  await product.services.db.insertInto('organization_members').values(row).execute();
  return { id, person };
}

async function projectMember(): Promise<{ id: string; person: Person }> {
  const person = await somebody();
  await product.join(project, person, 'MEMBER');
  const { body } = await owner.call('GET', `${project.address}/members`);
  return { id: body.data.find((one: { user_id: string }) => one.user_id === person.userId).id, person };
}

async function invited(): Promise<{ id: string; person: Person }> {
  const person = await somebody();
  await updateEmailVerified(product.services.db, person.userId);
  const { body } = await owner.call('POST', `/organizations/${project.organizationId}/invitations`, {
    recipient: person.email,
  });
  return { id: body.id, person };
}

const created = async (address: string, body: object): Promise<string> => {
  const answer = await owner.call('POST', address, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
};
const newProject = async (): Promise<string> => {
  const { body } = await owner.call('GET', `/organizations/${project.organizationId}/crops`);
  return created('/projects', {
    name: `Project ${++made}`,
    organization_id: project.organizationId,
    crop_id: body.data[0].id,
  });
};
const at = () => `/organizations/${project.organizationId}`;
const done = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(text);
};

/** How each action comes about. Returns who did it, when it was not the owner. */
const DEEDS: Partial<Record<AuditAction, () => Promise<Person | void>>> = {
  'member.left': async () => {
    const { id, person } = await member();
    await done(person.call('DELETE', `${at()}/members/${id}`));
    return person;
  },
  'member.removed': async () => done(owner.call('DELETE', `${at()}/members/${(await member()).id}`)),
  'member.role-changed': async () =>
    done(owner.call('PUT', `${at()}/members/${(await member()).id}`, { role: 'MANAGER' })),
  'project-member.left': async () => {
    const { id, person } = await projectMember();
    await done(person.call('DELETE', `${project.address}/members/${id}`));
    return person;
  },
  'project-member.removed': async () =>
    done(owner.call('DELETE', `${project.address}/members/${(await projectMember()).id}`)),
  'project-member.role-changed': async () =>
    done(owner.call('PUT', `${project.address}/members/${(await projectMember()).id}`, { role: 'MANAGER' })),
  'invitation.sent': async () => void (await invited()),
  'invitation.resent': async () => done(owner.call('POST', `${at()}/invitations/${(await invited()).id}/resend`)),
  'invitation.withdrawn': async () => done(owner.call('DELETE', `${at()}/invitations/${(await invited()).id}`)),
  'invitation.accepted': async () => {
    const { id, person } = await invited();
    await done(person.call('GET', `/invitations/${id}/accept`));
    return person;
  },
  'invitation.declined': async () => {
    const { id, person } = await invited();
    await done(person.call('DELETE', `/invitations/${id}`));
    return person;
  },
  'organization.logo-changed': async () => done(owner.call('DELETE', `${at()}/logo`)),
  'organization.rights-changed': async () =>
    done(owner.call('PUT', at(), { name: 'Acme Breeding', members_may_create_projects: true })),
  'project.created': async () => void (await newProject()),
  'project.rights-changed': async () =>
    done(owner.call('PUT', project.address, { name: 'Read only', members_read_only: true })),
  'project.deleted': async () => done(owner.call('DELETE', `/projects/${await newProject()}`)),
  'crop.deleted': async () =>
    done(owner.call('DELETE', `${at()}/crops/${await created(`${at()}/crops`, { name: 'Rye' })}`)),
  'folder.deleted': async () =>
    done(
      owner.call(
        'DELETE',
        `${project.address}/folders/${await created(`${project.address}/folders`, { name: 'Old' })}`,
      ),
    ),
  'file.deleted': async () => done(owner.call('DELETE', `${project.address}/files/${await uploaded()}`)),
  'file.restored': async () => {
    const id = await uploaded();
    await done(owner.call('DELETE', `${project.address}/files/${id}`));
    await done(owner.call('POST', `${project.address}/bin/${id}/restore`));
  },
  'access-token.created': async () => void (await token()),
  'access-token.deleted': async () => done(owner.call('DELETE', `/access_tokens/${await token()}`)),
  'session.started': async () => product.person('owner').then(() => undefined),
  'session.ended': async () => done((await product.person('owner')).call('DELETE', '/auth/session')),
  'session.revoked': async () => {
    await product.person('owner');
    await done(owner.call('DELETE', '/sessions'));
  },
  'project.restored': async () => {
    const id = await newProject();
    await done(owner.call('DELETE', `/projects/${id}`));
    await done(owner.call('POST', `${at()}/deleted_projects/${id}/restore`));
  },
  'billing.checkout-confirmed': async () => {
    const { body } = await owner.call('POST', '/checkout', { price_id, organization_id: project.organizationId });
    await done(owner.call('POST', `/checkouts/${body.url.split('/').at(-1)}/confirm`, { quantity: 40 }));
  },
  // These two of the subscription that the one before has made.
  'billing.seats-changed': async () =>
    done(
      owner.call('PUT', `${at()}/subscriptions`, { quantity: 41, price_id, organization_id: project.organizationId }),
    ),
  'billing.subscription-changed': async () => done(owner.call('POST', `${at()}/subscriptions/cancel`)),
  'organization.restored': async () => {
    await done(owner.call('DELETE', at()));
    await done(owner.call('POST', `/deleted_organizations/${project.organizationId}/restore`));
  },
};

const price_id = 'standard-yearly';

const uploaded = async (): Promise<string> =>
  (await product.upload(owner, project, { name: `f${++made}.csv`, fileType: 'PHENOTYPE', bytes: 'line,Yield\nA,1\n' }))
    .id;
const token = (): Promise<string> =>
  created('/access_tokens', { name: 'Script', scopes: ['read'], expires_in_days: 1 });

describe('an event is written with actor and time', () => {
  test.each(Object.entries(DEEDS))('for %s', async (action, deed) => {
    const before = new Date(Date.now() - 1000).toISOString();
    const actor = (await deed()) ?? owner;
    const [entry] = await audit(`action=${action}&from=${before}`);
    expect(entry).toMatchObject({ action, actor: { id: actor.userId, email: actor.email } });
  });
});

test('is filtered by person, area, action and time, and read page by page', async () => {
  const { person } = await member('MANAGER');
  await done(person.call('POST', '/access_tokens', { name: 'Mine', scopes: ['read'], expires_in_days: 1 }));
  expect((await audit(`person=${person.email.toUpperCase()}`)).map(({ action }) => action)).toContain(
    'access-token.created',
  );
  expect(new Set((await audit('area=sign-ins')).map(({ area }) => area))).toEqual(new Set(['sign-ins']));
  expect(await audit('area=sign-ins&action=member.left')).toEqual([]);
  expect(await audit(`to=${new Date(0).toISOString()}`)).toEqual([]);
  expect(await audit(`person=${encodeURIComponent('%')}`)).toEqual([]);

  const all = await audit();
  const paged: AuditEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const address: string = `${at()}/audit?limit=7${cursor && `&cursor=${cursor}`}`;
    const { body } = await owner.call('GET', address);
    paged.push(...body.data);
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(all);
  const wrongWay = `from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`;
  for (const list of ['audit', 'audit.csv'])
    expect((await owner.call('GET', `${at()}/${list}?${wrongWay}`)).status).toBe(400);
});

test('holds the sign-ins of members and guests, also after they left, and not those of others', async () => {
  const { person, id } = await member();
  await done(person.call('DELETE', '/auth/session'));
  await done(owner.call('DELETE', `${at()}/members/${id}`));
  const again = await product.person(person.email.split('@')[0] ?? '');
  const mine = (await audit(`person=${person.email}&area=sign-ins`)).map(({ action }) => action);
  expect(mine).toEqual(['session.ended']);
  const own = await product.services.db
    .selectFrom('audit_events')
    .select('action')
    .where('actor_id', '=', again.userId)
    .where('copy_of', 'is', null)
    .orderBy('id')
    .execute();
  expect(own.map(({ action }) => action)).toEqual(['session.started', 'session.ended', 'session.started']);
});

test('a project shows its own part, without what happens elsewhere in the organization', async () => {
  const manager = await somebody();
  await product.join(project, manager, 'MANAGER');
  const { status, body } = await manager.call('GET', `${project.address}/audit?limit=500`);
  expect(status).toBe(200);
  expect(new Set(body.data.map((one: AuditEntry) => one.project?.id))).toEqual(new Set([project.projectId]));
});

test('the CSV holds every event and cannot run formulas', async () => {
  const name = '=HYPERLINK("https://evil.example","x")';
  await done(owner.call('POST', '/access_tokens', { name, scopes: ['read'], expires_in_days: 1 }));
  await sql`update users set name = '@SUM(1+1)' where id = ${owner.userId}`.execute(product.services.db);
  const { text, headers } = await owner.call('GET', `${at()}/audit.csv?area=tokens`);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(text).toContain(",'@SUM(1+1),");
  expect(text).not.toMatch(/(?:^|,)"?[=@]/m);
  expect(text.trim().split('\n')).toHaveLength((await audit('area=tokens')).length + 1);
});
