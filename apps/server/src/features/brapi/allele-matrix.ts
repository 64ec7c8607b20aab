import { type Asked, type PageRequest, wholeNumber } from './asked.ts';
import { fieldsOf } from './calls.ts';
import { chromosomesOf, genotypesAsked } from './entities/genotypes.ts';
import { type SampleRow, sampleId, sampleSegments } from './entities/samples.ts';
import {
  between,
  rangeSegment,
  type VariantRow,
  type VariantSegment,
  variantId,
  variantSegments,
} from './entities/variants.ts';
import { type Json, metadataOf, paginationOf } from './envelope.ts';
import { type CallSpelling, callSpelling, callsOfVariants, callTexts } from './genotype-text.ts';
import { segmentOf, slice } from './list-entity.ts';
import type { BrapiScope } from './scope.ts';
import type { GenotypeStudy } from './studies.ts';

/** Genotypes of one page. */
const MOST_CELLS = 1_000_000;
/** Variants, or call sets, of one page. */
const MOST_OF_A_DIMENSION = 50_000;
/** Unless the request says otherwise. There are as many variants then as a page holds: brapiR2 reads one. */
const USUAL_SAMPLES = 1_000;

interface MatrixRequest {
  variants: PageRequest;
  samples: PageRequest;
}

/** A page of genotypes as JSON, variants in rows and call sets in columns, made while it is sent. */
export async function alleleMatrix(
  scope: BrapiScope,
  asked: Asked,
  { given, warnings, expandsByDefault }: { given: Json; warnings: string[]; expandsByDefault: boolean },
): Promise<AsyncGenerator<string>> {
  const spelling = callSpelling(asked, expandsByDefault);
  const isPreview = asked.flag('preview') === true;
  const names = [asked.take('dataMatrixName'), asked.take('dataMatrixAbbreviation')];
  // GET parameters have the plural.
  const [plainNames, plainAbbreviations] = [asked.take('dataMatrixNames'), asked.take('dataMatrixAbbreviations')];
  const isWanted =
    ((names[0] ?? plainNames)?.includes('Genotype') ?? true) &&
    ((names[1] ?? plainAbbreviations)?.includes('GT') ?? true);

  const samples = await sampleSegments(scope, asked);
  const sampleCount = samples.reduce((sum, { count }) => sum + count, 0);
  const studies = new Set(samples.filter(({ count }) => count > 0).map(({ study }) => study));
  const variants = (await placedVariants(scope, asked)).filter(({ study }) => studies.has(study));
  const variantCount = variants.reduce((sum, { count }) => sum + count, 0);

  const request = matrixRequest(asked, given, sampleCount, warnings);
  const columns = await slice(samples, request.samples.page * request.samples.size, request.samples.size);
  const rows = await slice(variants, request.variants.page * request.variants.size, request.variants.size);
  const pagination = [
    dimension('VARIANTS', request.variants, variantCount),
    dimension('CALLSETS', request.samples, sampleCount),
  ];
  const metadata = metadataOf(paginationOf(request.variants, variantCount), warnings);
  const result = {
    pagination,
    callSetDbIds: columns.map(sampleId),
    variantSetDbIds: [...new Set([...columns, ...rows].map(({ study }) => study.id))],
    variantDbIds: rows.map(({ study, place }) => variantId(study, place)),
  };
  const head = `{"@context":null,"metadata":${JSON.stringify(metadata)},"result":{${JSON.stringify(result).slice(1, -1)},${fieldsOf(spelling)},"dataMatrices":[`;
  return writeMatrix(head, isWanted, isPreview ? noRows() : matrixRows(scope, rows, columns, spelling));
}

async function* noRows(): AsyncGenerator<string> {}

async function* writeMatrix(head: string, isWanted: boolean, rows: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  if (isWanted) {
    yield '{"dataMatrixName":"Genotype","dataMatrixAbbreviation":"GT","dataType":"string","dataMatrix":[';
    yield* rows;
    yield ']}';
  }
  yield ']}}';
}

async function* matrixRows(
  scope: BrapiScope,
  rows: readonly VariantRow[],
  columns: readonly SampleRow[],
  spelling: CallSpelling,
): AsyncGenerator<string> {
  // Column of the file by column of the matrix; −1: the call set is of another file.
  const placesOf = (study: GenotypeStudy): Int32Array =>
    Int32Array.from(columns, (sample) => (sample.study === study ? sample.column : -1));
  const unknown = JSON.stringify(spelling.unknownString);
  let separator = '';
  for (let from = 0; from < rows.length; ) {
    const study = rows[from]?.study;
    let end = from;
    while (end < rows.length && rows[end]?.study === study) end++;
    if (study === undefined) return;
    const places = placesOf(study);
    const texts = callTexts(spelling, study.file, (text) => JSON.stringify(text));
    for await (const { callOf } of callsOfVariants(scope, study, rows.slice(from, end), texts)) {
      let text = `${separator}[`;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] ?? -1;
        if (i > 0) text += ',';
        text += place < 0 ? unknown : callOf(place);
      }
      separator = ',';
      yield `${text}]`;
    }
    from = end;
  }
}

const dimension = (name: string, { page, size }: PageRequest, totalCount: number): Json => ({
  dimension: name,
  page,
  pageSize: size,
  totalCount,
  totalPages: Math.ceil(totalCount / size),
});

/** The pages of both dimensions; the genotypes of a page are clamped. */
function matrixRequest(asked: Asked, given: Json, sampleCount: number, warnings: string[]): MatrixRequest {
  const inBody = new Map(
    (Array.isArray(given['pagination']) ? given['pagination'] : [])
      .filter((one): one is Json => typeof one === 'object' && one !== null)
      .map((one) => [String(one['dimension']), one]),
  );
  const read = (name: string, parameter: string, usual: number): PageRequest => {
    const page = asked.number(`${parameter}Page`) ?? wholeNumber(inBody.get(name)?.['page']) ?? 0;
    const size = asked.number(`${parameter}PageSize`) ?? wholeNumber(inBody.get(name)?.['pageSize']) ?? usual;
    return {
      page: Number.isSafeInteger(page) && page > 0 ? page : 0,
      size: Math.max(1, Math.min(Math.trunc(size), MOST_OF_A_DIMENSION)),
    };
  };
  const samples = read('CALLSETS', 'dimensionCallSet', USUAL_SAMPLES);
  const columns = Math.min(samples.size, Math.max(1, sampleCount));
  const size = Math.floor(MOST_CELLS / columns);
  const variants = read('VARIANTS', 'dimensionVariant', size);
  if (variants.size <= size) return { variants, samples };
  warnings.push(`A page has at most ${MOST_CELLS} genotypes: ${size} variants of ${columns} call sets.`);
  return { samples, variants: { ...variants, size } };
}

/** `contig:start-end`, 1-based and with both ends; the end may be missing, and both may be. */
const RANGE = /^(.+?)(?::(\d+)(?:-(\d*))?)?$/;

/** The variants asked for, in the ranges asked for, each once. */
async function placedVariants(scope: BrapiScope, asked: Asked): Promise<VariantSegment[]> {
  const ranges = asked.take('positionRange');
  if (ranges === undefined) return await variantSegments(scope, asked);
  const ids = asked.take('variantDbId') === undefined ? undefined : await variantSegments(scope, asked);
  const segments: VariantSegment[] = [];
  for (const study of await genotypesAsked(scope, asked, ['variantDbId'])) {
    const kept = new Map<number, VariantRow>();
    const chromosomes = await chromosomesOf(scope, study.file);
    for (const range of ranges) {
      const whole = chromosomes.filter(({ name }) => name === range);
      const [, name, start, end] = RANGE.exec(range) ?? [];
      const [from, to] = whole.length > 0 ? ['1', undefined] : [start ?? '1', end === '' ? undefined : end];
      for (const { runs } of whole.length > 0 ? whole : chromosomes.filter((one) => one.name === name))
        for (const run of runs) {
          const segment = await between(
            rangeSegment(scope, study, run),
            Math.max(0, Number(from) - 1),
            to === undefined ? undefined : Number(to),
          );
          for (const row of await segment.read(0, segment.count)) kept.set(row.place, row);
        }
    }
    if (ids !== undefined) {
      const own = ids.filter((segment) => segment.study === study);
      const wanted = new Set((await slice(own, 0, MOST_CELLS)).map(({ place }) => place));
      for (const place of kept.keys()) if (!wanted.has(place)) kept.delete(place);
    }
    segments.push({ study, ...segmentOf([...kept.values()].sort((a, b) => a.place - b.place)) });
  }
  return segments;
}
