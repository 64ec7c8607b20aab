import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { type Person } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { sendInvitationMailRegistration } from './send-invitation-mail.handler.ts';

/** Repetitions of a race; each starts from new rows. */
const RACES = Number(process.env['PEOPLE_INTERLEAVINGS'] ?? 10);

const { product, owner, project } = await startProject();
let organization: string;
beforeAll(async () => {
  organization = `/organizations/${project.organizationId}`;
  await setSeats(1000);
});

const setSeats = (seats: number) =>
  product.services.db
    .updateTable('organizations')
    .set({ seat_total: seats })
    .where('id', '=', project.organizationId)
    .execute();

let addresses = 0;
const newAddress = () => `invited-${++addresses}@example.org`;

/** Makes a person whose mailbox is proved, as after opening a mailed link. */
async function proven(name: string): Promise<Person> {
  const person = await product.person(name);
  await product.services.db
    .updateTable('users')
    .set({ email_verified: true })
    .where('id', '=', person.userId)
    .execute();
  return person;
}

const inviteTo = (place: string, recipient: string, role = 'MEMBER', by = owner) =>
  by.call('POST', `${place}/invitations`, { recipient, role });

/** The mail to an address, once the worker has sent it; other than the link `not`. */
async function mailTo(recipient: string, not?: string): Promise<{ subject: string; text: string; link: string }> {
  for (let tries = 0; tries < 200; tries++) {
    const mail = await product.services.db
      .selectFrom('mail_outbox')
      .select(['subject', 'text', 'link'])
      .where('to', '=', recipient)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    if (mail?.link != null && mail.link !== not) return { ...mail, link: mail.link };
    await sleep(50);
  }
  throw new Error(`no mail to ${recipient}`);
}

const signInBy = (link: string) =>
  product.app.inject({
    method: 'POST',
    url: '/api/invitations/sign_in',
    payload: { code: new URL(link).searchParams.get('code') },
  });

const expire = (id: string) =>
  sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`.execute(product.services.db);
const seatsUsed = async () => (await owner.call('GET', organization)).body.seat_usage as number;

describe('an invitation', () => {
  test('is mailed; its link opens an account for a new address, and accepting makes a member', async () => {
    const recipient = newAddress();
    const before = await seatsUsed();
    const { status, body } = await inviteTo(organization, recipient.toUpperCase());
    expect(status).toBe(201);
    expect(body).toMatchObject({ recipient, role: 'MEMBER', sender: owner.email });
    expect(await seatsUsed()).toBe(before + 1);
    const { link, subject, text } = await mailTo(recipient);
    expect(subject).toBe('Invitation to Acme Breeding in Heterosis');
    expect(text).toContain(`${owner.email} invites you to the organization "Acme Breeding"`);

    const session = await signInBy(link);
    expect(session.statusCode).toBe(200);
    const headers = { authorization: `Bearer ${session.json().access_token}` };
    const call = (method: 'GET' | 'DELETE', url: string) => product.app.inject({ method, url: `/api${url}`, headers });
    const received = (await call('GET', '/invitations')).json().data;
    expect(received).toMatchObject([{ id: body.id, organization: { name: 'Acme Breeding' }, project: null }]);
    const accepted = await call('GET', `/invitations/${body.id}/accept`);
    expect(accepted.json()).toEqual({ organization_id: project.organizationId, project_id: null });
    expect((await call('GET', '/invitations')).json().data).toEqual([]);
    expect((await call('GET', organization)).json().role).toBe('MEMBER');
    expect(await seatsUsed()).toBe(before + 1);
    // Once used, neither link nor invitation works again.
    expect((await signInBy(link)).json()).toMatchObject({ code: 'invitations/unusable-link' });
    expect((await call('GET', `/invitations/${body.id}/accept`)).statusCode).toBe(404);
  });

  test('to a project makes a guest of its organization, who takes one seat', async () => {
    const guest = await proven('project-guest');
    const before = await seatsUsed();
    const { body } = await inviteTo(project.address, guest.email);
    expect((await guest.call('GET', `/invitations/${body.id}/accept`)).body.project_id).toBe(project.projectId);
    expect((await guest.call('GET', project.address)).body.role).toBe('MEMBER');
    expect((await guest.call('GET', organization)).body).toMatchObject({ role: null, seat_usage: null });
    // Invited to the organization as well, the same person takes no second seat.
    expect((await inviteTo(organization, guest.email)).status).toBe(201);
    expect(await seatsUsed()).toBe(before + 1);
  });

  test('can be declined, and is then gone for both sides', async () => {
    const person = await proven('declining');
    const { body } = await inviteTo(organization, person.email);
    expect((await person.call('DELETE', `/invitations/${body.id}`)).status).toBe(204);
    const sent = await owner.call('GET', `${organization}/invitations?limit=500`);
    expect(sent.body.data.map(({ id }: { id: string }) => id)).not.toContain(body.id);
    expect((await person.call('GET', organization)).status).toBe(404);
  });

  test('is for its addressee alone', async () => {
    const [addressee, other] = [await proven('addressee'), await proven('other')];
    const unproven = await product.person('unproven');
    const { body } = await inviteTo(organization, addressee.email);
    const { body: toUnproven } = await inviteTo(organization, unproven.email);
    for (const person of [other, owner]) {
      expect((await person.call('GET', `/invitations/${body.id}/accept`)).status).toBe(404);
      expect((await person.call('DELETE', `/invitations/${body.id}`)).status).toBe(404);
    }
    expect((await unproven.call('GET', `/invitations/${toUnproven.id}/accept`)).status).toBe(404);
    expect((await addressee.call('GET', `/invitations/${body.id}/accept`)).status).toBe(200);
  });

  test('is not accepted by a token that may only read, although accepting is a GET', async () => {
    const person = await proven('reader');
    const { body } = await inviteTo(organization, person.email);
    const made = await person.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
    const headers = { authorization: `Bearer ${made.body.token}` };
    const answer = await product.app.inject({ url: `/api/invitations/${body.id}/accept`, headers });
    expect(answer.json()).toMatchObject({ code: 'auth/insufficient-scope' });
  });

  test('is open from the moment its mail arrives', async () => {
    const person = await proven('swift');
    const { body } = await inviteTo(organization, person.email);
    await mailTo(person.email);
    const due = { mailed_at: null };
    await product.services.db.updateTable('invitations').set(due).where('id', '=', body.id).execute();
    const opened: number[] = [];
    const mailer: Mailer = {
      ...product.services.mailer,
      send: async ({ link = '' }) => {
        opened.push((await signInBy(link)).statusCode);
      },
    };
    const { handler } = sendInvitationMailRegistration({ ...product.services, mailer });
    const { signal } = new AbortController();
    const job = { id: body.id, payload: { invitation_id: body.id }, attempt: 1, signal, reserve: async () => {} };
    await handler(job);
    // Once: the mail is noted as sent although its link has been used.
    await handler(job);
    expect(opened).toEqual([200]);
  });

  test('expires: it frees its seat and is not accepted, until it is sent again', async () => {
    const person = await proven('late');
    const { body } = await inviteTo(organization, person.email);
    const first = await mailTo(person.email);
    const used = await seatsUsed();
    await expire(body.id);
    expect(await seatsUsed()).toBe(used - 1);
    expect((await person.call('GET', '/invitations')).body.data).toEqual([]);
    expect((await person.call('GET', `/invitations/${body.id}/accept`)).body.code).toBe('invitations/expired');
    expect((await signInBy(first.link)).statusCode).toBe(400);

    expect((await owner.call('POST', `${organization}/invitations/${body.id}/resend`)).status).toBe(200);
    const second = await mailTo(person.email, first.link);
    expect((await signInBy(first.link)).statusCode).toBe(400);
    expect((await signInBy(second.link)).statusCode).toBe(200);
    expect((await person.call('GET', `/invitations/${body.id}/accept`)).status).toBe(200);
  });

  test('that has expired makes room for a new one to the same address', async () => {
    const recipient = newAddress();
    const { body } = await inviteTo(organization, recipient);
    await expire(body.id);
    const again = await inviteTo(organization, recipient);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(body.id);
  });

  test('can be withdrawn', async () => {
    const person = await proven('withdrawn');
    const { body } = await inviteTo(organization, person.email);
    expect((await owner.call('DELETE', `${organization}/invitations/${body.id}`)).status).toBe(204);
    expect((await person.call('GET', `/invitations/${body.id}/accept`)).status).toBe(404);
    expect((await owner.call('DELETE', `${organization}/invitations/${body.id}`)).status).toBe(404);
  });
});

describe('inviting is refused', () => {
  test('to oneself, a member, and an address with a pending invitation, each with its own answer', async () => {
    const member = await proven('already-here');
    const { body } = await inviteTo(organization, member.email);
    expect((await inviteTo(organization, member.email)).body.code).toBe('invitations/already-invited');
    await member.call('GET', `/invitations/${body.id}/accept`);
    expect((await inviteTo(organization, member.email)).body.code).toBe('invitations/already-member');
    expect((await inviteTo(organization, owner.email)).body.code).toBe('invitations/self');
  });

  test('beyond the seats, naming their number', async () => {
    const used = await seatsUsed();
    await setSeats(used);
    const { status, body } = await inviteTo(organization, newAddress());
    await setSeats(1000);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'organizations/seats-exhausted',
      details: { seat_total: used, seat_usage: used },
    });
  });

  test('for managers by managers, unless the organization lets them', async () => {
    const manager = await proven('manager');
    const { body } = await inviteTo(organization, manager.email, 'MANAGER');
    await manager.call('GET', `/invitations/${body.id}/accept`);
    expect((await inviteTo(organization, newAddress(), 'MANAGER', manager)).status).toBe(403);
    expect((await manager.call('PUT', organization, { managers_may_invite_managers: true })).status).toBe(403);
    expect((await owner.call('PUT', organization, { managers_may_invite_managers: true })).status).toBe(200);
    expect((await inviteTo(organization, newAddress(), 'MANAGER', manager)).status).toBe(201);
    await owner.call('PUT', organization, { managers_may_invite_managers: false });
  });

  test.each(['', 'x', 'a@b', 'a@example.org\r\nBcc: b@example.org', 'a@example.org,b@example.org', 'OWNER'])(
    'for %j',
    async (recipient) => {
      expect((await inviteTo(organization, recipient)).status).toBe(400);
    },
  );
  test('for the role OWNER', async () => {
    expect((await inviteTo(organization, newAddress(), 'OWNER')).status).toBe(400);
  });
});

describe('of two at once', () => {
  test('one gets the last seat', async () => {
    const used = await seatsUsed();
    for (let race = 0; race < RACES; race++) {
      await setSeats(used + 1);
      const answers = await Promise.all([newAddress(), newAddress()].map((one) => inviteTo(organization, one)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      const made = answers.find(({ status }) => status === 201)?.body.id;
      await owner.call('DELETE', `${organization}/invitations/${made}`);
    }
    await setSeats(1000);
  });

  test('one invites an address, and the other hears that it is invited', async () => {
    for (let race = 0; race < RACES; race++) {
      const recipient = newAddress();
      const answers = await Promise.all([0, 1].map(() => inviteTo(organization, recipient)));
      expect(answers.map(({ body }) => body.code ?? 'invited').sort()).toEqual([
        'invitations/already-invited',
        'invited',
      ]);
      const made = answers.find(({ status }) => status === 201)?.body.id;
      await owner.call('DELETE', `${organization}/invitations/${made}`);
    }
  });

  test('one tab accepts, and there is one membership', async () => {
    const { db } = product.services;
    for (let race = 0; race < RACES; race++) {
      const person = await proven(`two-tabs-${race}`);
      const { body } = await inviteTo(organization, person.email);
      const answers = await Promise.all([0, 1].map(() => person.call('GET', `/invitations/${body.id}/accept`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      const rows = await db
        .selectFrom('organization_members')
        .select('id')
        .where('user_id', '=', person.userId)
        .execute();
      expect(rows).toHaveLength(1);
      await db.deleteFrom('organization_members').where('user_id', '=', person.userId).execute();
    }
  });
});

describe('an invitation to the organization', () => {
  test('names projects, which its addressee joins as a member and goes on to', async () => {
    const other = await product.project(owner);
    const refused = await owner.call('POST', `${organization}/invitations`, {
      recipient: newAddress(),
      project_ids: [other.projectId],
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'request/invalid']);

    const second = await owner.call('POST', '/projects', {
      name: 'Second',
      organization_id: project.organizationId,
      crop_id: (await owner.call('GET', `${organization}/crops`)).body.data[0].id,
    });
    const jonas = await proven('jonas-invited');
    const sent = await owner.call('POST', `${organization}/invitations`, {
      recipient: jonas.email,
      project_ids: [second.body.id, project.projectId],
    });
    expect(sent.status, sent.text).toBe(201);
    const accepted = await jonas.call('GET', `/invitations/${sent.body.id}/accept`);
    expect(accepted.body).toEqual({ organization_id: project.organizationId, project_id: second.body.id });
    const { data } = (await jonas.call('GET', '/projects')).body;
    expect(data.map(({ id, role }: { id: string; role: string }) => [id, role]).sort()).toEqual(
      [
        [project.projectId, 'MEMBER'],
        [second.body.id, 'MEMBER'],
      ].sort(),
    );
  });

  test('gets its link to an address that was typed on the start page instead', async () => {
    const recipient = newAddress();
    const ask = () => product.app.inject({ method: 'POST', url: '/api/auth/link', payload: { email: recipient } });
    expect((await ask()).statusCode).toBe(404);
    await inviteTo(organization, recipient);
    const { link } = await mailTo(recipient);
    expect((await ask()).json()).toMatchObject({ status: 'sent' });
    expect((await mailTo(recipient, link)).link).toContain('/signin');
  });
});
