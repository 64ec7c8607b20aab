import type { DeletedPlace } from '@heterosis/contracts/data/bin';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Person,
  type Product,
  type Project,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  settledFile,
  startProduct,
} from '../../../testing/product.ts';
import { sweepAllRuns } from '../../work/runs/sweep/index.ts';

let product: Product;
let owner: Person;
let manager: Person;
beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  manager = await product.person('mara');
});
afterAll(() => product.close());

async function place(): Promise<{ project: Project; organization: string }> {
  const project = await product.project(owner);
  await product.services.db
    .insertInto('organization_members')
    .values({ id: uuidv7(), organization_id: project.organizationId, user_id: manager.userId, role: 'MANAGER' })
    .execute();
  return { project, organization: `/organizations/${project.organizationId}` };
}

const deletedProjects = async (organization: string, person = manager): Promise<DeletedPlace[]> =>
  (await person.call('GET', `${organization}/deleted_projects`)).body.data;
const restoreProject = (organization: string, id: string, person = manager) =>
  person.call('POST', `${organization}/deleted_projects/${id}/restore`);

test('a manager restores a deleted project, whose stopped run says so and whose stopped check is done again', async () => {
  const { project, organization } = await place();
  const files = {
    genotype_id: (
      await product.uploadChecked(owner, project, { name: 'g.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF })
    ).id,
    phenotype_id: (
      await product.uploadChecked(owner, project, { name: 'p.csv', fileType: 'PHENOTYPE', bytes: SMALL_PHENOTYPE })
    ).id,
  };
  await product.stopWorker();
  const { body: gwas } = await owner.call('POST', `${project.address}/gwas`, {
    name: 'G',
    traits: ['Yield'],
    ...files,
  });
  const unchecked = await product.upload(owner, project, {
    name: 'late.csv',
    fileType: 'PHENOTYPE',
    bytes: SMALL_PHENOTYPE,
  });
  const { name } = (await owner.call('GET', project.address)).body;
  expect((await owner.call('DELETE', project.address)).status).toBe(204);
  for (const sweep of sweepAllRuns(product.services, [])) await sweep();
  for (const read of ['', '/overview', '/files', '/bin', `/gwas/${gwas.id}`])
    expect((await owner.call('GET', `${project.address}${read}`)).status).toBe(404);

  const [entry] = await deletedProjects(organization);
  expect(entry).toMatchObject({ id: project.projectId, name, deleted_by: owner.email });
  expect(Date.parse(entry?.gone_at ?? '') - Date.parse(entry?.deleted_at ?? '')).toBe(30 * 86_400_000);

  const back = await restoreProject(organization, project.projectId);
  expect([back.status, back.body]).toEqual([200, { id: project.projectId, name }]);
  expect(await deletedProjects(organization)).toEqual([]);
  expect((await restoreProject(organization, project.projectId)).status).toBe(404);
  const { error_extras } = (await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body;
  expect(error_extras.Yield).toMatchObject({ code: 'runs/cancelled', message: expect.stringContaining('deleted') });
  await product.startWorker();
  expect((await settledFile(owner, project, unchecked.id)).status).toMatch(/^READY/);
});

test('a name that was taken meanwhile gets an addition, and guests come back only onto free seats', async () => {
  const { project, organization } = await place();
  const guest = await product.person('gero');
  await product.join(project, guest, 'MEMBER');
  const { name, crop } = (await owner.call('GET', project.address)).body;
  await owner.call('DELETE', project.address);
  await owner.call('POST', '/projects', { name, organization_id: project.organizationId, crop_id: crop.id });
  const seats = (seat_total: number) =>
    product.services.db
      .updateTable('organizations')
      .set({ seat_total })
      .where('id', '=', project.organizationId)
      .execute();
  await seats(2);
  const refused = await restoreProject(organization, project.projectId);
  expect([refused.status, refused.body.code]).toEqual([409, 'organizations/seats-exhausted']);
  expect((await guest.call('GET', project.address)).status).toBe(404);
  await seats(3);
  expect((await restoreProject(organization, project.projectId)).body.name).toBe(`${name} (restored)`);
  expect((await guest.call('GET', project.address)).status).toBe(200);
});

test('the project of another organization is not restored', async () => {
  const [mine, other] = [await place(), await place()];
  await owner.call('DELETE', other.project.address);
  expect((await restoreProject(mine.organization, other.project.projectId)).status).toBe(404);
  expect((await restoreProject(mine.organization, 'x')).status).toBe(404);
});

test('an owner restores a deleted organization with its projects, and nobody else does', async () => {
  const { project, organization } = await place();
  const deleted = async (person: Person): Promise<DeletedPlace[]> =>
    (await person.call('GET', '/deleted_organizations?limit=100')).body.data;
  const restore = (person: Person) => person.call('POST', `/deleted_organizations/${project.organizationId}/restore`);
  expect((await restore(owner)).status).toBe(404);
  expect((await owner.call('DELETE', organization)).status).toBe(204);
  for (const address of [organization, `${organization}/members`, `${organization}/crops`, project.address])
    expect((await owner.call('GET', address)).status).toBe(404);
  expect((await owner.call('GET', '/organizations?limit=100')).text).not.toContain(project.organizationId);

  expect(await deleted(manager)).toEqual([]);
  expect((await restore(manager)).status).toBe(404);
  expect(await deleted(owner)).toMatchObject([{ id: project.organizationId, deleted_by: owner.email }]);
  expect((await restore(owner)).body).toEqual({ id: project.organizationId, name: 'Acme Breeding' });
  expect((await manager.call('GET', project.address)).status).toBe(200);
  expect(await deleted(owner)).toEqual([]);
});
