// 200,000 germplasm with parents, synonyms and attributes: the one-call upload into an empty list, the same file again,
// and the way by the review (checked, listed, accepted). The goal is an import in < 30 s under 300 MB. The memory of a
// process is its largest resident set; what counts is the compute child, and what the worker's grows by.

import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchProduct, call, startBenchProduct } from './bench-product.ts';
import { loadNow, Usage } from './usage.ts';

const size = Number(process.argv[2] ?? 200_000);
const MOST_SECONDS = 30;
const MOST_MEGABYTES = 300;

/** Lines of a breeding programme, in families of 20; the file names parents before and after their rows. */
function germplasmCsv(prefix: string): string {
  const rows = ['name,female parent,male parent,generation,collection,synonyms,origin,year'];
  let state = 12_345;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const founders = Math.ceil(size / 100);
  const nameOf = (i: number): string => `${prefix}-${String(i).padStart(6, '0')}`;
  let [mother, father] = [0, 1];
  for (let i = 0; i < size; i++) {
    if (i >= founders && i % 20 === 0) {
      mother = below(i - 20);
      father = (mother + 1 + below(i - 21)) % (i - 20);
    }
    const parents = i < founders ? ',,' : `${nameOf(mother)},${nameOf(father)},F5`;
    rows.push(`${nameOf(i)},${parents},Cycle ${i % 12},Plot ${prefix} ${i},CIMMYT,${1990 + (i % 30)}`);
  }
  for (let i = rows.length - 1; i > 1; i--) {
    const other = 1 + below(i);
    [rows[i], rows[other]] = [rows[other] ?? '', rows[i] ?? ''];
  }
  return `${rows.join('\n')}\n`;
}

async function measured(product: BenchProduct, what: string, work: () => Promise<void>): Promise<boolean> {
  const usage = new Usage(product);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { cpuSeconds, databaseCpu, serverMb, serverGrowthMb, childMb } = await usage.end();
  const isMet = seconds < MOST_SECONDS && Math.max(childMb, serverMb) < MOST_MEGABYTES;
  process.stdout.write(
    `${isMet ? 'ok  ' : 'MISS'} ${what.padEnd(34)} ${seconds.toFixed(1)} s   CPU ${cpuSeconds.toFixed(1)} s (PostgreSQL ` +
      `${databaseCpu.toFixed(1)})   compute child ${childMb.toFixed(0)} MB   server with worker ${serverMb.toFixed(0)} MB ` +
      `(+ ${serverGrowthMb.toFixed(0)})\n`,
  );
  return isMet;
}

interface Upload {
  id: string;
  status: string;
  totals: { errors: number; warnings: number };
  problems: { message: string }[];
}

const product = await startBenchProduct();
process.stdout.write(`${size} germplasm; load ${loadNow()} when it began\n`);
try {
  const authorization = await product.signIn();
  const post = <Answer>(path: string, body: object): Promise<Answer> =>
    call<Answer>(`${product.address}/api${path}`, 'POST', body, authorization);
  const organization = await post<{ id: string }>('/organizations', { name: 'Bench' });
  const crop = await post<{ id: string }>(`/organizations/${organization.id}/crops`, { name: 'Maize' });
  const list = `/organizations/${organization.id}/germplasms`;
  const form = (csv: string): FormData => {
    const data = new FormData();
    data.set('crop_id', crop.id);
    data.set('file', new Blob([csv]), 'germplasm.csv');
    return data;
  };
  const settled = async (id: string): Promise<Upload> => {
    for (;;) {
      const upload = await call<Upload>(`${product.address}/api${list}/uploads/${id}`, 'GET', undefined, authorization);
      if (upload.status !== 'CHECKING' && upload.status !== 'ACCEPTING') return upload;
      await sleep(50);
    }
  };
  const inReview = async (csv: string): Promise<Upload> => {
    const { id } = await post<Upload>(`${list}/uploads`, form(csv));
    const upload = await settled(id);
    if (upload.status === 'REVIEW' && upload.totals.errors === 0) return upload;
    throw new Error(`${upload.status}: ${upload.problems[0]?.message}`);
  };
  const first = germplasmCsv('A');
  const second = germplasmCsv('B');
  const met = [
    await measured(product, 'one call, empty list', async () => void (await post(list, form(first)))),
    await measured(product, 'one call, all known', async () => void (await post(list, form(first)))),
  ];
  let review: Upload | undefined;
  met.push(
    await measured(product, 'checked for the review', async () => {
      review = await inReview(second);
    }),
    await measured(product, 'accepted', async () => {
      await post(`${list}/uploads/${review?.id}/accept`, { confirm_warnings: true });
      const { status } = await settled(review?.id ?? '');
      if (status !== 'ACCEPTED') throw new Error(status);
    }),
  );
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  await product.stop();
}
