import { existsSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BEAGLE_PATHS } from '@heterosis/analysis/phasing/run-beagle';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { beforeAll, expect, test } from 'vitest';
import { settledFile, until } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';

const HAS_BEAGLE = BEAGLE_PATHS.some((path) => existsSync(path));

/** Plants with two of four haplotypes, so that neighbours reveal missing calls. */
function panel(isInbred = false): string {
  const founders = [0, 1, 2, 3].map((f) => Array.from({ length: 60 }, (_, j) => (((j * 7 + f * 13) % 11) + f) % 2));
  const names = Array.from({ length: 40 }, (_, i) => `P${i + 1}`);
  const rows = Array.from({ length: 60 }, (_, j) =>
    [
      '1',
      (j + 1) * 10_000,
      `m${j + 1}`,
      'A',
      'C',
      '.',
      '.',
      '.',
      'GT',
      ...names.map((_, i) => {
        if ((i * 31 + j * 17) % 29 === 0) return '.';
        const first = founders[i % 4]?.[j];
        return `${first}/${isInbred ? first : founders[(i * 3 + 1) % 4]?.[j]}`;
      }),
    ].join('\t'),
  );
  const header = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
  return `##fileformat=VCFv4.2\n${header}\n${rows.join('\n')}\n`;
}

const { product, owner, member, project } = await startProject();
let genotype: FileDetail;

beforeAll(async () => {
  genotype = await product.uploadChecked(owner, project, { name: 'plants.vcf', fileType: 'GENOTYPE', bytes: panel() });
});

const address = (id: string) => `${project.address}/files/${id}/phasing`;
const file = async (id: string): Promise<FileDetail> =>
  (await owner.call('GET', `${project.address}/files/${id}`)).body;
const phasingOf = async (id: string) => (await file(id)).derivations[0] ?? null;
const phased = (id: string) =>
  until(
    () => phasingOf(id),
    (phasing) => phasing !== null && phasing.status !== 'PROCESSING',
  );

test.skipIf(!HAS_BEAGLE)(
  'a genotype is phased into a file of its own, which is checked, keeps every observed call and has none missing',
  async () => {
    expect(genotype.derivations).toEqual([]);
    const asked = await owner.call('POST', address(genotype.id), {});
    expect([asked.status, asked.body.derivations]).toMatchObject([
      202,
      [{ step: 'phase', status: 'PROCESSING', file: null }],
    ]);
    expect((await owner.call('POST', address(genotype.id), {})).body.code).toBe('files/derivation-under-way');
    const phasing = await phased(genotype.id);
    expect(phasing).toMatchObject({ status: 'SUCCESS', error_extra: null, file: { name: 'plants_phased.vcf.gz' } });
    const result = await settledFile(owner, project, phasing?.file?.id ?? '');
    expect(result).toMatchObject({
      file_type: 'GENOTYPE',
      row_count: 40,
      column_count: 60,
      description: expect.stringMatching(
        /^Phased from plants\.vcf\. [\d,]+ heterozygous calls phased and [\d,]+ missing calls filled by Beagle\./,
      ),
    });
    const calls = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split('\t').slice(9));
    const { pathname, search } = new URL(result.meta.file_url ?? '');
    const stored = await product.app.inject(`${pathname}${search}`);
    const before = calls(panel());
    const after = calls(gunzipSync(stored.rawPayload).toString());
    for (const [j, row] of before.entries())
      for (const [i, call] of row.entries()) {
        const now = after[j]?.[i] ?? '';
        expect(now).toMatch(/^[01]\|[01]$/);
        if (call !== '.') expect([...now].sort().join('')).toBe([...call.replace('/', '|')].sort().join(''));
      }
    // Repeating it takes the next free name and yields the same bytes.
    await owner.call('POST', address(genotype.id), {});
    const again = await phased(genotype.id);
    expect(again?.file?.name).toBe('plants_phased (2).vcf.gz');
    expect((await settledFile(owner, project, again?.file?.id ?? '')).sha256).toBe(result.sha256);
    // A deleted phased file is not linked.
    expect((await owner.call('DELETE', `${project.address}/files/${again?.file?.id}`)).status).toBe(204);
    expect(await phasingOf(genotype.id)).toMatchObject({ status: 'SUCCESS', file: null });
  },
);

test('without a heterozygous call there is nothing to phase, and the file says so', async () => {
  const inbred = await product.uploadChecked(owner, project, {
    name: 'lines.vcf',
    fileType: 'GENOTYPE',
    bytes: panel(true),
  });
  expect((await member.call('POST', address(inbred.id), { name: 'Lines, phased.vcf.gz' })).status).toBe(202);
  const phasing = await phased(inbred.id);
  expect(phasing?.file?.name).toBe('Lines, phased.vcf.gz');
  const result = await settledFile(owner, project, phasing?.file?.id ?? '');
  expect(result.description).toContain('Nothing was heterozygous');
  expect(result.created_by).toBe(member.email);
});

test('what waits is cancelled by who asked or a manager, and asked for again; another file is refused', async () => {
  const phenotype = await product.uploadChecked(owner, project, {
    name: 'trials.csv',
    fileType: 'PHENOTYPE',
    bytes: 'line,Yield\nP1,1\nP2,2\n',
  });
  expect((await owner.call('POST', address(phenotype.id), {})).status).toBe(400);
  expect((await owner.call('POST', address(genotype.id), { linkage_map_id: phenotype.id })).status).toBe(400);
  await product.stopWorker();
  const waiting = (await owner.call('POST', address(genotype.id), {})).body;
  expect(waiting.derivations).toMatchObject([{ status: 'PROCESSING', progress: { stage: 'queued' } }]);
  // The file itself is still ready.
  expect(waiting).toMatchObject({ status: genotype.status, progress: null });
  expect((await member.call('DELETE', address(genotype.id))).status).toBe(403);
  expect((await owner.call('DELETE', address(genotype.id))).body.derivations).toEqual([]);
  expect((await owner.call('DELETE', address(genotype.id))).body.code).toBe('runs/not-cancellable');
  await product.startWorker();
});
