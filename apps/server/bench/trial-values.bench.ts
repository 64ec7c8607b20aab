// 100,000 values of a trial in one file: 10,000 plots with ten traits as CSV and as XLSX, each reviewed, stored, and
// stored again, which must add nothing; then an export of Field Book, one value a row. A number sets other plots.

import { crc32, deflateRawSync } from 'node:zlib';
import type { RecordedValueFile, ValueFileReview } from '@heterosis/contracts/data/value-files';
import { requireShortTurns } from '@heterosis/test-support/short-turns';
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

/** A workbook of one sheet, as numbers. */
function workbook(file: number): Buffer {
  const cell = (text: string): string =>
    Number.isNaN(Number(text)) ? `<c t="inlineStr"><is><t>${text}</t></is></c>` : `<c><v>${text}</v></c>`;
  const rows = [head, ...numbers.map(rowOf(file))].map((row) => `<row>${row.map(cell).join('')}</row>`);
  return zipped({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Values" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

/** A zip archive of texts (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). */
function zipped(texts: Record<string, string>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const packed = deflateRawSync(text);
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(8, 4);
    entry.writeUInt32LE(crc32(text), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(Buffer.byteLength(text), 18);
    entry.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), entry, rest, Buffer.from(name)]));
    files.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}

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
