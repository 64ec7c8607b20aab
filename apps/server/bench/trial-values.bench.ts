// 100,000 values of a trial in one file: 10,000 plots with ten traits as CSV and as XLSX, each reviewed, stored, and
// stored again, which must add nothing; then an export of Field Book, one value a row. A number sets other plots.

import type { RecordedValueFile, ValueFileReview } from '@heterosis/contracts/data/value-files';
import { requireShortTurns } from '@heterosis/test-support/short-turns';
import { workbookOf } from '@heterosis/test-support/workbook';
import { call, startBenchProduct } from './bench-product.ts';
import { loadNow, Usage } from './usage.ts';

const plots = Number(process.argv[2] ?? 10_000);
const TRAITS = Array.from({ length: 10 }, (_, k) => `Trait ${k + 1}`);
const LINES = 100;
const MOST_SECONDS = 60;

const numbers = Array.from({ length: plots }, (_, plot) => plot + 1);
const valueOf = (plot: number, trait: number, file: number): string =>
  (5 + Math.sin(plot * (trait + 1)) + file / 10).toFixed(2);
const head = ['plot', ...TRAITS];
const rowOf = (file: number) => (plot: number) => [plot, ...TRAITS.map((_, k) => valueOf(plot, k, file))].map(String);

const csv = (file: number): Buffer =>
  Buffer.from([head, ...numbers.map(rowOf(file))].map((row) => row.join(',')).join('\n'));

const fieldBook = (file: number): Buffer => {
  const rows = numbers.flatMap((plot) =>
    TRAITS.map(
      (trait, k) => `${plot},${trait},${valueOf(plot, k, file)},2026-08-05 11:52:45.379-05:00,Ana,,1,,,,Pixel`,
    ),
  );
  const columns =
    'plot,trait,value,timestamp,person,location,number,attached_photo,attached_video,attached_audio,device_name';
  return Buffer.from([columns, ...rows].join('\n'));
};

const workbook = (file: number): Buffer => workbookOf([head, ...numbers.map(rowOf(file))]);

const product = await startBenchProduct({ OUTGOING_NETWORKS: '127.0.0.1/32' });
let missed = 0;
try {
  const authorization = await product.signIn();
  const post = <Answer>(path: string, body: object): Promise<Answer> =>
    call<Answer>(`${product.address}/api${path}`, 'POST', body, authorization);
  const organization = await post<{ id: string }>('/organizations', { name: 'Bench' });
  const crop = await post<{ id: string }>(`/organizations/${organization.id}/crops`, { name: 'Maize' });
  const list = new FormData();
  const names = Array.from({ length: LINES }, (_, k) => `Line ${k + 1}`);
  list.set('crop_id', crop.id);
  list.set('file', new Blob([['name', ...names].join('\n')]), 'germplasm.csv');
  await post(`/organizations/${organization.id}/germplasms`, list);
  const { id: project } = await post<{ id: string }>('/projects', {
    ...{ name: 'Trials', organization_id: organization.id, crop_id: crop.id },
  });
  await call(
    `${product.address}/api/projects/${project}/traits`,
    'PUT',
    {
      traits: TRAITS.map((name) => ({
        name,
        scale: { kind: 'numeric', min: 0, max: 20 },
        direction: 'higher',
        unit: null,
        weight: 1,
      })),
    },
    authorization,
  );
  const width = Math.ceil(Math.sqrt(plots));
  const trial = async (season: string): Promise<string> => {
    const layout = {
      number: numbers,
      row: numbers.map((plot) => Math.floor((plot - 1) / width) + 1),
      column: numbers.map((plot) => ((plot - 1) % width) + 1),
      ...{ replicate: numbers.map(() => 1), block: numbers.map(() => null) },
      entry: numbers.map((plot) => plot % LINES),
      kind: numbers.map(() => 'ENTRY'),
    };
    const { data } = await post<{ data: { id: string }[] }>(`/projects/${project}/trials`, {
      ...{ name: `Season ${season}`, season, entries: names, traits: TRAITS },
      places: [{ location_name: 'Kiel', layout }],
    });
    return `/projects/${project}/trials/${data[0]?.id}/values_file`;
  };
  process.stdout.write(`${plots} plots × ${TRAITS.length} traits; load ${loadNow()} when it began\n`);
  const step = async <Answer>(what: string, path: string, file: [Buffer, string], choices?: object) => {
    const form = new FormData();
    if (choices !== undefined) form.set('choices', JSON.stringify(choices));
    form.set('file', new Blob([new Uint8Array(file[0])]), file[1]);
    const usage = new Usage(product);
    const start = performance.now();
    const answer = await post<Answer>(path, form);
    const seconds = (performance.now() - start) / 1000;
    const { cpuSeconds, databaseCpu, serverMb, serverGrowthMb } = await usage.end();
    if (seconds > MOST_SECONDS) missed++;
    process.stdout.write(
      `${what.padEnd(34)} ${seconds.toFixed(1)} s   CPU ${cpuSeconds.toFixed(1)} s (PostgreSQL ${databaseCpu.toFixed(1)})` +
        `   server ${serverMb.toFixed(0)} MB (+ ${serverGrowthMb.toFixed(0)})\n`,
    );
    return answer;
  };
  for (const [k, [name, file]] of (
    [
      ['values.csv', csv(0)],
      ['values.xlsx', workbook(1)],
      ['field-book.csv', fieldBook(2)],
    ] as const
  ).entries()) {
    const address = await trial(String(2026 + k));
    const size = `${name} (${(file.length / 1e6).toFixed(1)} MB)`;
    const review = await step<ValueFileReview>(`${size} review`, `${address}/review`, [file, name]);
    if (review.trials[0]?.added !== plots * TRAITS.length) throw new Error(JSON.stringify(review.trials));
    const stored = await step<RecordedValueFile>(`${size} stored`, address, [file, name], { reviewed: review.review });
    if (stored.recorded !== plots * TRAITS.length) throw new Error(JSON.stringify(stored));
    const again = await step<RecordedValueFile>(`${size} again`, address, [file, name]);
    if (again.recorded !== 0 || again.unchanged !== plots * TRAITS.length) throw new Error(JSON.stringify(again));
  }
  requireShortTurns(await (await fetch(`${product.address}/metrics`)).text());
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await product.stop();
}
