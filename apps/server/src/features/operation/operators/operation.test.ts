import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer } from '../../../platform/mail/create-mailer.ts';
import {
  type Person,
  type Product,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  sendTable,
  startProduct,
  until,
} from '../../../testing/product.ts';
import { findUserByEmail, insertPendingRegistration, updateOperator } from '../../people/accounts/index.ts';

let product: Product;
let operator: Person;
let owner: Person;
beforeAll(async () => {
  product = await startProduct({ changes: { registration: 'approval' } });
  operator = await product.person('odette');
  owner = await product.person('olga');
  await updateOperator(product.services.db, operator.email, true);
});
afterAll(() => product.close());

const list = async (what: string) => (await operator.call('GET', `/operator/${what}`)).body.data;
const mailsTo = (to: string) =>
  product.services.db.selectFrom('mail_outbox').select(['subject', 'text']).where('to', '=', to).execute();
const signUp = (email: string) => product.app.inject({ method: 'POST', url: '/api/signup', payload: { email } });

test('an operator who is none any more, and the token of one, find nothing', async () => {
  const former = await product.person('fred');
  await updateOperator(product.services.db, former.email, true);
  expect((await former.call('GET', '/operator/queue')).status).toBe(200);
  const made = await former.call('POST', '/access_tokens', { name: 'Script', scopes: ['write'], expires_in_days: 1 });
  const byToken = await product.app.inject({
    url: '/api/operator/queue',
    headers: { authorization: `Bearer ${made.body.token}` },
  });
  expect(byToken.statusCode).toBe(404);
  await updateOperator(product.services.db, former.email, false);
  const refused = await former.call('GET', '/operator/queue');
  const nowhere = await former.call('GET', '/operator/nothing');
  expect([refused.status, refused.body.code]).toEqual([404, 'request/not-found']);
  expect({ ...refused.body, request_id: '', instance: '' }).toEqual({ ...nowhere.body, request_id: '', instance: '' });
});

describe('requests for accounts', () => {
  test('are mailed to operators once, and approved with a mail to the person', async () => {
    const email = 'new@example.org';
    await signUp(email);
    await signUp(email);
    await until(
      () => mailsTo(operator.email),
      (mails) => mails.some(({ subject }) => subject.startsWith(email)),
    );
    expect((await mailsTo(operator.email)).filter(({ subject }) => subject.startsWith(email))).toHaveLength(1);
    const [asked] = await list('registrations?status=PENDING');
    expect(asked).toMatchObject({ email, status: 'PENDING', decided_by: null });
    const approve = () => operator.call('POST', `/operator/registrations/${asked.id}/approve`);
    expect((await approve()).body).toMatchObject({
      registration: { status: 'APPROVED', decided_by: operator.email },
      mailed: true,
    });
    expect(await findUserByEmail(product.services.db, email)).toBeDefined();
    expect((await mailsTo(email))[0]?.subject).toBe('Your Heterosis account is ready');
    expect((await approve()).status).toBe(409);
  });

  test('are rejected with a reason, and of two operators the second hears that it was decided', async () => {
    const id = await insertPendingRegistration(product.services.db, 'bot@example.org');
    const reject = () => operator.call('POST', `/operator/registrations/${id}/reject`, { reason: 'Who are you?' });
    const answers = await Promise.all([reject(), reject()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await mailsTo('bot@example.org')).map(({ text }) => text)).toEqual([
      expect.stringContaining('Who are you?'),
    ]);
    expect((await operator.call('POST', `/operator/registrations/${uuidv7()}/approve`)).status).toBe(404);
  });
});

test('organizations are listed with what they use, and get quotas of their own', async () => {
  const project = await product.project(owner);
  await product.upload(owner, project, { name: 'a.txt', fileType: null, bytes: 'x'.repeat(600) });
  const find = async () =>
    (await list('organizations?limit=100')).find(({ id }: { id: string }) => id === project.organizationId);
  expect(await find()).toMatchObject({
    name: 'Acme Breeding',
    owners: [owner.email],
    seat_usage: 1,
    projects: 1,
    storage_used_bytes: 600,
    storage_quota_bytes: null,
  });
  const quotas = await operator.call('PUT', `/operator/organizations/${project.organizationId}/quotas`, {
    storage_bytes: 500,
    runs: 3,
  });
  expect(quotas.body).toMatchObject({ storage_quota_bytes: 500, own_storage_quota_bytes: 500, run_quota: 3 });
  const [event] = await list('audit');
  expect(event).toMatchObject({ action: 'organization.quotas-changed', actor: { email: operator.email } });
  expect(
    (await operator.call('PUT', `/operator/organizations/${uuidv7()}/quotas`, { storage_bytes: 1, runs: 1 })).status,
  ).toBe(404);
  // The content of tenants is not the operators'.
  expect((await operator.call('GET', project.address)).status).toBe(404);
});

test('a run and a check that the installation made fail begin again, once', async () => {
  const project = await product.project(owner);
  const checked = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  const genotype = await checked('g.vcf', 'GENOTYPE', SMALL_VCF);
  const phenotype = await checked('p.csv', 'PHENOTYPE', SMALL_PHENOTYPE);
  await product.stopWorker();
  const { body: gwas } = await owner.call('POST', `${project.address}/gwas`, {
    name: 'G',
    traits: ['Yield'],
    genotype_id: genotype.id,
    phenotype_id: phenotype.id,
  });
  const { db } = product.services;
  const fail = (entity: string, code: string) =>
    sql`update runs set state = 'FAILED', error_code = ${code}, error_extra = '{}', finished_at = now()
      where entity_id = ${entity}`.execute(db);
  const error = JSON.stringify({ code: 'server/internal', message: 'x', action: 'y' });
  await sql`update gwas_traits set status = 'ERROR', error_extra = ${error}::jsonb where gwas_id = ${gwas.id}`.execute(
    db,
  );
  const { body: upload } = await sendTable(product, owner, `/projects/${project.projectId}/germplasms/uploads`, [
    'name',
    'B73',
  ]);
  await sql`update germplasm_uploads set status = 'FAILED' where id = ${upload.id}`.execute(db);
  await fail(upload.id, 'compute/crashed');
  await fail(gwas.id, 'jobs/worker-lost');
  await fail(phenotype.id, 'server/internal');
  await fail(genotype.id, 'E-VCF-HEADER');

  const failed = await list('failed_runs');
  expect(failed).toMatchObject([
    { kind: 'germplasm_upload', step: 'settle', project_id: null, organization: 'Acme Breeding', is_retryable: true },
    { kind: 'gwas', code: 'jobs/worker-lost', is_retryable: true },
    { kind: 'file', step: 'import', code: 'server/internal' },
  ]);
  for (const { id } of failed) {
    expect((await operator.call('POST', `/operator/failed_runs/${id}/retry`)).status).toBe(204);
    expect((await operator.call('POST', `/operator/failed_runs/${id}/retry`)).status).toBe(404);
  }
  expect(await list('failed_runs')).toEqual([]);
  expect((await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body.status.Yield).toBe('PROCESSING');
  expect((await owner.call('GET', `${project.address}/files/${phenotype.id}`)).body.status).toBe('UPLOADED');
  const again = await db.selectFrom('runs').select('requested_by').where('entity_id', '=', gwas.id).execute();
  expect(again).toEqual([{ requested_by: owner.userId }, { requested_by: owner.userId }]);

  const { body: uploadAgain } = await owner.call(
    'GET',
    `/projects/${project.projectId}/germplasms/uploads/${upload.id}`,
  );
  expect(uploadAgain.status).toBe('CHECKING');

  const lanes: { lane: string; waiting: number }[] = await list('queue');
  expect(lanes.find(({ lane }) => lane === 'long')?.waiting).toBeGreaterThan(0);
  expect(await list('workers')).toEqual([]);
  await product.startWorker();
  expect(await list('workers')).toMatchObject([{ cores: 2, memory_mb: 8_000, disk_mb: 8_000 }]);
});

test('a mail that was not taken is listed without its text, and made and sent again', async () => {
  const project = await product.project(owner);
  await product.stopWorker();
  const invited = await owner.call('POST', `/organizations/${project.organizationId}/invitations`, {
    recipient: 'late@example.org',
  });
  const mailer = createMailer({
    config: { mail: { kind: 'smtp', url: 'smtp://127.0.0.1:1', from: 'h@example.org' } },
    db: product.services.db,
    print: () => {},
  });
  const job = { name: 'send-invitation-mail', payload: { invitation_id: invited.body.id } };
  const mail = { to: 'late@example.org', subject: 'Invitation', text: 'secret link', job };
  await expect(mailer.send(mail)).rejects.toThrow();
  await expect(mailer.send({ ...mail, to: 'nobody@example.org' })).rejects.toThrow();
  await mailer.close();

  const failed = await list('mails?state=FAILED');
  expect(failed).toHaveLength(2);
  const [, late] = failed;
  expect(late).toMatchObject({ to: 'late@example.org', state: 'FAILED', is_retryable: true, attempts: 1 });
  expect(late.error).toContain('ECONNREFUSED');
  expect(JSON.stringify(await product.services.db.selectFrom('mail_outbox').selectAll().execute())).not.toContain(
    'secret link',
  );
  const retry = () => operator.call('POST', `/operator/mails/${late.id}/retry`);
  expect((await retry()).status).toBe(204);
  expect((await retry()).status).toBe(404);
  await product.startWorker();
  await until(
    () => mailsTo('late@example.org'),
    (mails) => mails.some(({ text }) => text.includes('/invitation?code=')),
  );
});
