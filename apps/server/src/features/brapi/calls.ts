import type { Asked, PageRequest } from './asked.ts';
import { type SampleRow, type SampleSegment, sampleId, sampleSegments } from './entities/samples.ts';
import { type VariantSegment, variantId, variantSegments } from './entities/variants.ts';
import { metadataOf, paginationOf } from './envelope.ts';
import { type CallSpelling, callSpelling, callsOfVariants, callTexts } from './genotype-text.ts';
import { slice } from './list-entity.ts';
import type { BrapiScope } from './scope.ts';
import type { GenotypeStudy } from './studies.ts';

/** A page is written while it is sent: 1,000,000 calls are 390 MB of text, for 0.7 s of one core. */
export const MOST_CALLS = 1_000_000;

/** flapjack-bytes never asks for more than it gets, and a small panel has a million calls. */
export const USUAL_CALLS = 100_000;

/** What is asked for in one file: the calls of all variants, each with all samples. */
interface CallSet {
  study: GenotypeStudy;
  variants: VariantSegment[];
  samples: SampleSegment[];
  variantCount: number;
  sampleCount: number;
}

/** A page of calls as JSON, made while it is sent. */
export async function callsPage(
  scope: BrapiScope,
  asked: Asked,
  request: PageRequest,
  { warnings, expandsByDefault }: { warnings: readonly string[]; expandsByDefault: boolean },
): Promise<AsyncGenerator<string>> {
  const spelling = callSpelling(asked, expandsByDefault);
  const sets = await setsAsked(scope, asked);
  const total = sets.reduce((sum, { variantCount, sampleCount }) => sum + variantCount * sampleCount, 0);
  const metadata = metadataOf(paginationOf(request, total, true), warnings);
  return writeCalls(scope, sets, request, { spelling, metadata });
}

async function setsAsked(scope: BrapiScope, asked: Asked): Promise<CallSet[]> {
  const variants = Map.groupBy(await variantSegments(scope, asked), ({ study }) => study);
  const samples = Map.groupBy(await sampleSegments(scope, asked), ({ study }) => study);
  const counted = (segments: readonly { count: number }[]): number =>
    segments.reduce((sum, { count }) => sum + count, 0);
  return [...variants].flatMap(([study, own]): CallSet[] => {
    const columns = samples.get(study) ?? [];
    const [variantCount, sampleCount] = [counted(own), counted(columns)];
    return variantCount * sampleCount === 0
      ? []
      : [{ study, variants: own, samples: columns, variantCount, sampleCount }];
  });
}

async function* writeCalls(
  scope: BrapiScope,
  sets: readonly CallSet[],
  { page, size }: PageRequest,
  { spelling, metadata }: { spelling: CallSpelling; metadata: object },
): AsyncGenerator<string> {
  yield `{"@context":null,"metadata":${JSON.stringify(metadata)},"result":{${fieldsOf(spelling)},"data":[`;
  let skip = page * size;
  let left = size;
  let isFirst = true;
  for (const { study, variants, samples, variantCount, sampleCount } of sets) {
    const count = variantCount * sampleCount;
    if (skip >= count) {
      skip -= count;
      continue;
    }
    if (left === 0) break;
    const firstVariant = Math.floor(skip / sampleCount);
    let column = skip % sampleCount;
    skip = 0;
    const rows = await slice(variants, firstVariant, Math.ceil((column + left) / sampleCount));
    const columns = await slice(samples, 0, sampleCount);
    const beginnings = columns.map(sampleBeginning);
    const genotypes = callTexts(
      spelling,
      study.file,
      (text) => `"genotypeValue":${JSON.stringify(text)},"genotype":{"values":[${JSON.stringify(text)}]}}`,
    );
    const ending = `,"variantSetDbId":${JSON.stringify(study.id)},"variantSetName":${JSON.stringify(study.name)},"additionalInfo":null,"genotypeMetadata":[],"genotype_likelihood":[],"phaseSet":null,`;
    for await (const { variant, callOf } of callsOfVariants(scope, study, rows, genotypes)) {
      const middle = `"variantDbId":"${variantId(study, variant.place)}","variantName":${JSON.stringify(variant.id)}${ending}`;
      const end = Math.min(sampleCount, column + left);
      let text = '';
      for (let i = column; i < end; i++) {
        text += isFirst ? '' : ',';
        text += beginnings[i] + middle + callOf(columns[i]?.column ?? 0);
        isFirst = false;
      }
      left -= end - column;
      column = 0;
      yield text;
      if (left === 0) break;
    }
  }
  yield ']}}';
}

export const fieldsOf = ({ expandHomozygotes, sepPhased, sepUnphased, unknownString }: CallSpelling): string =>
  JSON.stringify({ expandHomozygotes, sepPhased, sepUnphased, unknownString }).slice(1, -1);

const sampleBeginning = (row: SampleRow): string =>
  `{"callSetDbId":"${sampleId(row)}","callSetName":${JSON.stringify(row.name)},`;
