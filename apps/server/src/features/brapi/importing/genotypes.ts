import type { GuardedAnswer } from '../../../platform/outgoing/guarded-fetch.ts';
import { type BrapiClient, type Json, listIn, numberIn, objectIn, RemoteError, textIn } from './brapi-client.ts';

export interface GenotypeBytes {
  /** Ending of the new file. */
  ending: string;
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
  total: number | null;
}

type OnProgress = (done: number, total: number | null) => void;

/** Files that hold all of a variant set, the one that loses least first. */
const FORMATS: readonly { isIt: RegExp; ending: string; contentType: string }[] = [
  { isIt: /^vcf/i, ending: '.vcf', contentType: 'text/plain' },
  { isIt: /^hapmap/i, ending: '.hmp.txt', contentType: 'text/plain' },
];

/** The genotypes of a variant set: a file that the server offers, or else its matrix, written as VCF. */
export async function genotypesOf(
  client: BrapiClient,
  variantSetId: string,
  most: number,
  onProgress: OnProgress,
): Promise<GenotypeBytes> {
  const set = await client.result(`variantsets/${encodeURIComponent(variantSetId)}`);
  const offered = listIn(set, 'availableFormats');
  for (const { isIt, ending, contentType } of FORMATS) {
    const url = offered
      .map((one) => (isIt.test(textIn(one, 'dataFormat') ?? '') ? textIn(one, 'fileURL') : null))
      .find((one) => one !== null);
    if (url == null) continue;
    const answer = await client.download(url);
    const isPacked = /gzip/.test(answer.headers['content-type'] ?? '') || /\.gz\b/.test(dispositionOf(answer));
    const total = Number(answer.headers['content-length']);
    return {
      ending: isPacked ? `${ending}.gz` : ending,
      contentType: isPacked ? 'application/gzip' : contentType,
      bytes: counted(answer.body, most, onProgress, Number.isFinite(total) && total > 0 ? total : null),
      total: Number.isFinite(total) ? total : null,
    };
  }
  return {
    ending: '.vcf',
    contentType: 'text/plain',
    bytes: encoded(matrixAsVcf(client, variantSetId, onProgress), most),
    total: numberIn(set, 'variantCount'),
  };
}

const dispositionOf = ({ headers }: GuardedAnswer): string => headers['content-disposition'] ?? '';

async function* counted(
  body: AsyncIterable<Uint8Array>,
  most: number,
  onProgress: OnProgress,
  total: number | null,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of body) {
    done += chunk.length;
    if (done > most) throw new RemoteError(`The file is larger than the ${most} bytes that this server takes.`);
    onProgress(done, total);
    yield chunk;
  }
}

async function* encoded(texts: AsyncIterable<string>, most: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let done = 0;
  for await (const text of texts) {
    const chunk = encoder.encode(text);
    done += chunk.length;
    if (done > most) throw new RemoteError(`The genotypes are larger than the ${most} bytes that this server takes.`);
    yield chunk;
  }
}

/** Variants and individuals of one request: 1,000,000 genotypes are the most that servers answer. */
const VARIANTS = 500;
const CALL_SETS = 1_000;

/**
 * The matrix of a variant set as VCF, from `variants`, `callsets` and `allelematrix`. Memory: the positions of all
 * variants, some 150 bytes each, and a page of them with the genotypes of all individuals.
 */
export async function* matrixAsVcf(
  client: BrapiClient,
  variantSetId: string,
  onProgress: OnProgress,
): AsyncGenerator<string> {
  const columns = new Map<string, number>();
  const names: string[] = [];
  for await (const set of client.entries('callsets', { variantSetDbId: variantSetId })) {
    const id = textIn(set, 'callSetDbId') ?? '';
    columns.set(id, names.length);
    names.push(textIn(set, 'callSetName') ?? id);
  }
  if (names.length === 0) throw new RemoteError('The variant set has no individuals.');
  const fixed = new Map<string, string>();
  for await (const variant of client.entries('variants', { variantSetDbId: variantSetId }))
    fixed.set(textIn(variant, 'variantDbId') ?? '', fixedColumns(variant));
  const header = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names];
  yield `##fileformat=VCFv4.3\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n${header.join('\t')}\n`;
  let done = 0;
  for (let page = 0; done < fixed.size; page++) {
    const rows = await readBlock(client, variantSetId, page, columns);
    if (rows.size === 0)
      throw new RemoteError(`The server has genotypes of ${done} of the ${fixed.size} variants only.`);
    for (const [id, row] of rows) {
      const start = fixed.get(id);
      if (start === undefined)
        throw new RemoteError(`The matrix has a variant "${id}" that the list of variants lacks.`);
      yield `${start}\tGT\t${row.join('\t')}\n`;
    }
    done += rows.size;
    onProgress(done, fixed.size);
  }
}

/** Genotypes of a page of variants by their ids: a row each, in the order of the columns. */
async function readBlock(
  client: BrapiClient,
  variantSetDbId: string,
  variantPage: number,
  columns: ReadonlyMap<string, number>,
): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (let page = 0; page * CALL_SETS < columns.size; page++) {
    const matrix = await client.result('allelematrix', {
      variantSetDbId,
      ...{ expandHomozygotes: 'true', sepPhased: '|', sepUnphased: '/', unknownString: '.' },
      dimensionVariantPage: String(variantPage),
      dimensionVariantPageSize: String(VARIANTS),
      dimensionCallSetPage: String(page),
      dimensionCallSetPageSize: String(CALL_SETS),
      dataMatrixAbbreviations: 'GT',
    });
    const places = idsIn(matrix, 'callSetDbIds').map((id) => columns.get(id));
    const gt = listIn(matrix, 'dataMatrices').find((one) => textIn(one, 'dataMatrixAbbreviation') === 'GT');
    const cells = gt?.['dataMatrix'];
    if (!Array.isArray(cells)) throw new RemoteError('The server has no genotypes (GT) in its allele matrix.');
    for (const [k, id] of idsIn(matrix, 'variantDbIds').entries()) {
      const row = rows.get(id) ?? Array.from<string>({ length: columns.size }).fill('./.');
      rows.set(id, row);
      const values: unknown = cells[k];
      if (!Array.isArray(values)) continue;
      for (const [j, place] of places.entries()) if (place !== undefined) row[place] = genotypeOf(values[j]);
    }
  }
  return rows;
}

const idsIn = (value: Json, name: string): string[] => (Array.isArray(value[name]) ? value[name].map(String) : []);

/** `0` of a server that does not expand homozygotes is `0/0`, and nothing is missing. */
function genotypeOf(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^\d+$/.test(text)) return `${text}/${text}`;
  return /^(?:\d+|\.)[/|](?:\d+|\.)$/.test(text) ? text : './.';
}

function fixedColumns(variant: Json): string {
  const names = variant['variantNames'];
  const name = (Array.isArray(names) ? names.map(String)[0] : null) ?? textIn(variant, 'variantDbId') ?? '.';
  // BrAPI counts from 0.
  const start = numberIn(variant, 'start');
  const alternates = variant['alternateBases'] ?? variant['alternate_bases'];
  const alternate = Array.isArray(alternates) ? alternates.map(String).join(',') : '';
  return [
    textIn(variant, 'referenceName') ?? textIn(objectIn(variant, 'reference'), 'referenceName') ?? '0',
    start === null ? '0' : String(start + 1),
    name,
    textIn(variant, 'referenceBases') ?? 'N',
    alternate === '' ? '.' : alternate,
    '.',
    '.',
    '.',
  ]
    .map((cell) => cell.replaceAll(/[\t\r\n]/g, ' '))
    .join('\t');
}
