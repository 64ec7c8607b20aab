import { type GwasDetail, type GwasRow, gwasRow } from '@heterosis/contracts/work/gwas';
import { JOINT_TRAIT } from '@heterosis/contracts/work/gwas-names';
import { beforeAll, expect, test } from 'vitest';
import { download, type MaizeFiles, until, uploadMaize } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject();
let maize: MaizeFiles;
beforeAll(async () => {
  maize = await uploadMaize(product, project);
});

const body = (changes: object) => ({
  ...{ name: 'Together', genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id },
  ...{ traits: ['EarHT', 'dpoll'], test: 'SCORE', multi_trait: 'any', ...changes },
});

test('traits are tested together beside each alone, under a name of their own', async () => {
  const made = await owner.call('POST', `${project.address}/gwas`, body({ clumps: {}, loco: true }));
  expect(made.status, made.text).toBe(201);
  const address = `${project.address}/gwas/${made.body.id}`;
  const run = await until(
    async (): Promise<GwasDetail> => (await owner.call('GET', address)).body,
    ({ status }) => Object.values(status).every((one) => one !== 'PROCESSING'),
  );
  expect(run.error_extras[JOINT_TRAIT]).toBeNull();
  expect(run).toMatchObject({ traits: ['EarHT', 'dpoll'], multi_trait: 'any' });
  expect(run.status).toEqual({ EarHT: 'SUCCESS', dpoll: 'SUCCESS', [JOINT_TRAIT]: 'SUCCESS' });
  const summary = run.summary[JOINT_TRAIT];
  expect(summary).toMatchObject({ h2: null, several: { test: 'any', traits: ['EarHT', 'dpoll'], converged: true } });
  // Lines may lack one of the traits.
  expect(summary?.n).toBeGreaterThanOrEqual(run.summary['EarHT']?.n ?? 0);
  expect(run.methods).toContain('tested on the traits together');
  expect(run.methods).toContain('of the model without marker and without its chromosome (P3D)');
  expect(run.provenance.parameters.multi_trait).toBe('any');

  const trait = encodeURIComponent(JOINT_TRAIT);
  const rows = (await owner.call('GET', `${address}/results?trait=${trait}&limit=5`)).body.data as GwasRow[];
  for (const row of rows) {
    expect(() => gwasRow.parse(row)).not.toThrow();
    expect(row).toMatchObject({ beta: null, h2: null, pve: null, score: 0, joint: { df: 2, main: null } });
    expect(row.p).toBeCloseTo(Math.exp(-0.5 * (row.joint?.chi2 ?? 0)), 10);
    expect(row.joint?.effects.map((one) => one.trait)).toEqual(['EarHT', 'dpoll']);
  }
  expect(summary?.top?.id).toBe(rows[0]?.id);
  expect(summary?.top?.p).toBeCloseTo(rows[0]?.p ?? 1, 12);
  const csv = (await download(product.app, run.result_urls[JOINT_TRAIT] ?? '')).text.trim().split('\n');
  expect(csv[0]).toMatch(/,chi2,df,p,neg_log10_p,q,effect_EarHT,effect_se_EarHT,p_EarHT,effect_dpoll,/);
  expect(csv).toHaveLength(1 + (summary?.m ?? 0));
  const marker = await owner.call('GET', `${address}/markers/${rows[0]?.id}?trait=${trait}`);
  expect([marker.status, marker.body.classes]).toEqual([200, []]);
  expect(marker.body.neighbours.length).toBeGreaterThan(1);
  for (const part of ['plot', 'qq', 'clumps']) {
    expect((await owner.call('GET', `${address}/${part}?trait=${trait}`)).status).toBe(200);
  }
});

test('one trait, seven traits, and what does not go with several are refused', async () => {
  for (const changes of [{ traits: ['EarHT'] }, { multi_trait: 'all' }]) {
    const refused = await owner.call('POST', `${project.address}/gwas`, body({ name: 'Refused', ...changes }));
    expect(refused.status).toBe(400);
  }
});
