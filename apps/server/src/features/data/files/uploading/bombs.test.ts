import { Writable } from 'node:stream';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { FileType } from '@heterosis/contracts/data/files';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createComputePool } from '../../../../platform/compute/compute-pool.ts';
import { type Person, type Product, type Project, startProduct } from '../../../../testing/product.ts';

/**
 * Files of ten megabytes that unpack to ten gigabytes. The file repeats one compressed piece a hundred times: gzip
 * members and bgzip blocks may follow each other, and a raw deflate stream that was flushed ends at a byte.
 */
const PIECE_BYTES = 100_000_000;
const PIECES = 100;
/** The longest line, 256 MB, is in memory twice while its buffer grows; Node and the rest need 100 MB. */
const MOST_MEMORY_MB = 620;

const HEADERS = { vcf: '##fileformat=VCFv4.2\n', table: 'line,Yield\n' };
type Header = keyof typeof HEADERS;
/** An endless line, or endless lines. */
const LINES = { one: 'a', rows: 'a,0\n' };
type Lines = keyof typeof LINES;

const piece = (lines: Lines): Buffer => Buffer.alloc(PIECE_BYTES, LINES[lines]);
const repeated = (bytes: Buffer): Buffer[] => Array.from({ length: PIECES }, () => bytes);

const gzipBomb = (header: Header, lines: Lines): Buffer =>
  Buffer.concat([gzipSync(HEADERS[header]), ...repeated(gzipSync(piece(lines), { level: 9 }))]);

function bgzipBomb(header: Header, lines: Lines): Buffer {
  const block = bgzipBlock(Buffer.alloc(65_280, LINES[lines]));
  const count = Math.floor(PIECE_BYTES / 65_280);
  return Buffer.concat([
    bgzipBlock(Buffer.from(HEADERS[header])),
    ...repeated(Buffer.concat(Array.from({ length: count }, () => block))),
  ]);
}

/** SAM specification, section 4.1: gzip whose extra field gives the length of the block. */
function bgzipBlock(bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes, { level: 9 });
  const head = Buffer.from([31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0, 0, 0]);
  head.writeUInt16LE(packed.length + 25, 16);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, packed, tail]);
}

/** An archive with one file, whose directory states only the packed size truthfully. */
function zipBomb(name: string, header: Header, lines: Lines): Buffer {
  const flushed = { level: 9, finishFlush: constants.Z_FULL_FLUSH } as const;
  const lastBlock = Buffer.from([3, 0]);
  const packed = Buffer.concat([
    deflateRawSync(HEADERS[header], flushed),
    ...repeated(deflateRawSync(piece(lines), flushed)),
    lastBlock,
  ]);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(2 ** 31, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name)]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, entry, end]);
}

let product: Product;
let owner: Person;
let project: Project;
/** Peak memory of every compute process, from the log. */
const peaksMb: number[] = [];

beforeAll(async () => {
  const log = new Writable({
    write(line: Buffer, _encoding, done) {
      const { msg, peak_mb } = JSON.parse(line.toString()) as { msg: string; peak_mb: number };
      if (msg === 'computed') peaksMb.push(peak_mb);
      done();
    },
  });
  const logger = pino({ level: 'debug' }, log);
  product = await startProduct({ compute: createComputePool({ size: 1, threads: 1, memoryMb: 1024, logger }) });
  owner = await product.person('olga');
  project = await product.project(owner);
});
afterAll(() => product.close());

type Bomb = [what: string, name: string, fileType: FileType, bomb: () => Buffer];

describe('a file that unpacks to ten gigabytes ends in a problem, without filling memory or disk', () => {
  test.for<Bomb>([
    ['a VCF, bgzip, one line', 'g2.vcf.gz', 'GENOTYPE', () => bgzipBomb('vcf', 'one')],
    ['a matrix, gzip, many lines', 'g4.csv.gz', 'GENOTYPE', () => gzipBomb('table', 'rows')],
  ])('%s', expectRefused);

  // Further pairs of what is packed and how; the zip is unpacked by the same reader as the gzip.
  test.for<Bomb>([
    ['a phenotype, gzip, one line', 'p1.csv.gz', 'PHENOTYPE', () => gzipBomb('table', 'one')],
    ['a phenotype, bgzip, many lines', 'p2.csv.gz', 'PHENOTYPE', () => bgzipBomb('table', 'rows')],
    ['a VCF, gzip, one line', 'g1.vcf.gz', 'GENOTYPE', () => gzipBomb('vcf', 'one')],
    ['a VCF in a zip, one line', 'g3.zip', 'GENOTYPE', () => zipBomb('g3.vcf', 'vcf', 'one')],
  ])('%s', { tags: 'whole' }, expectRefused);

  async function expectRefused([, name, fileType, bomb]: Bomb): Promise<void> {
    peaksMb.length = 0;
    const bytes = bomb();
    expect(bytes.length).toBeLessThan(20_000_000);
    const file = await product.uploadChecked(owner, project, { name, fileType, bytes });
    expect(file.status).toBe('INVALID');
    const { body } = await owner.call('GET', `${project.address}/files/${file.id}/problems`);
    expect(body.by_code).toHaveProperty('E-TOO-LARGE');
    expect(peaksMb).toHaveLength(1);
    expect(peaksMb.pop()).toBeLessThan(MOST_MEMORY_MB);
    const prefix = `projects/${project.projectId}/files/${file.id}/`;
    const keys: string[] = [];
    for await (const { key } of product.services.storage.list(prefix)) keys.push(key.slice(prefix.length));
    expect(keys).toEqual(['original']);
  }
});
