import type { StackReport } from '@heterosis/analysis/stacking/plan-targets';
import { scheduleCsv } from '@heterosis/analysis/stacking/stack-csv';
import type { StackingPlanDetail } from '@heterosis/contracts/work/stacking-plans';
import { beforeAll, expect, test } from 'vitest';
import { download, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject();
let genotypeId: string;

const LINES = ['Elite', 'D1', 'D2'];
/** a2 is in D1, a8 in D2, and b5 in both. */
const CALLS: Record<string, string> = { a2: '010', a8: '001', b5: '011' };
const MARKERS = ['a', 'b'].flatMap((c, k) =>
  Array.from({ length: 11 }, (_, i) => ({ name: `${c}${i}`, chromosome: k + 1, bp: 1 + 10_000_000 * i })),
);
const VCF = [
  '##fileformat=VCFv4.2',
  ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...LINES].join('\t'),
  ...MARKERS.map(({ name, chromosome, bp }) => {
    const calls = [...(CALLS[name] ?? '010')].map((allele) => `${allele}/${allele}`);
    return [chromosome, bp, name, 'A', 'G', '.', '.', '.', 'GT', ...calls].join('\t');
  }),
  '',
].join('\n');
const TARGETS = ['a2', 'a8', 'b5'].map((marker) => ({ marker, allele: 'G' }));

beforeAll(async () => {
  genotypeId = (await product.uploadChecked(owner, project, { name: 'p.vcf', fileType: 'GENOTYPE', bytes: VCF })).id;
});

const plans = () => `${project.address}/stacking_plans`;
const create = (body: object) =>
  owner.call('POST', plans(), { name: 'Stack', genotype_id: genotypeId, donors: ['D1', 'D2'], ...body });
const settled = (id: string): Promise<StackingPlanDetail> =>
  until(
    async () => (await owner.call('GET', `${plans()}/${id}`)).body as StackingPlanDetail,
    ({ status }) => status !== 'PROCESSING',
  );

test('a plan has the schedule of the command line, as a report and a file', async () => {
  const asked = { recurrent: 'Elite', targets: TARGETS, replicates: 30, backcrosses: 1, bp_per_cm: 2_000_000 };
  const created = await create(asked);
  expect([created.body.message ?? '', created.status]).toEqual(['', 201]);
  const plan = await settled(created.body.id);
  expect(plan).toMatchObject({ status: 'SUCCESS', provenance: { seed: 1, parameters: { targets: TARGETS } } });
  const { report } = plan;
  expect(report?.steps.map(({ kind }) => kind)).toEqual(['cross', 'cross', 'backcross', 'dh']);
  // Half as long in Morgan as with a million base pairs a cM.
  expect(report?.targets.map(({ position_cm }) => Math.round(position_cm))).toEqual([10, 40, 25]);
  expect(report?.targets.map(({ donors }) => donors)).toEqual([['D1'], ['D2'], ['D1', 'D2']]);
  expect((await download(product.app, plan.schedule_url ?? '')).text).toBe(
    [...scheduleCsv(report as StackReport)].join(''),
  );
  expect(plan.methods).toContain('In each backcross to Elite, 5 carriers');
  const again = await owner.call('GET', plans());
  expect(again.body.data[0]).toMatchObject({ key_figure: `${report?.plants} plants in 4 generations` });
});

test('names that the genotype lacks are refused at once, impossible stacks by the run', async () => {
  for (const [body, name] of [
    [{ targets: [{ marker: 'z9', allele: 'G' }] }, 'body.targets'],
    [{ targets: TARGETS, donors: ['D9'] }, 'body.donors'],
    [{ targets: TARGETS, recurrent: 'Nobody' }, 'body.recurrent'],
  ] as const) {
    const refused = await create({ name: 'Refused', ...body });
    expect(refused).toMatchObject({ status: 400, body: { invalid_params: [{ name }] } });
  }
  const wrong = await create({ name: 'Wrong', targets: [{ marker: 'a2', allele: 'T' }] });
  expect(wrong.body.code).toBeUndefined();
  expect(await settled(wrong.body.id)).toMatchObject({
    status: 'ERROR',
    report: null,
    error_extra: { code: 'stacking/unknown-allele' },
  });
});
