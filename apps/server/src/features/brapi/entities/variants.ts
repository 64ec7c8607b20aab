import type { Asked } from '../asked.ts';
import { EXPORTS, exportUrl } from '../exports.ts';
import { rowsByFile } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import type { GenotypeStudy } from '../studies.ts';
import { chromosomesOf, genotypesAsked } from './genotypes.ts';
import { referenceId } from './references.ts';

export const variantsets: ListEntity<GenotypeStudy> = {
  name: 'variantsets',
  id: 'variantSetDbId',
  hasSearch: true,
  segments: async (scope, asked) => [segmentOf(await genotypesAsked(scope, asked))],
  serialize: (scope, rows) =>
    rows.map(({ id, name, file, project }) =>
      complete('variantsets', {
        variantSetDbId: id,
        variantSetName: name,
        studyDbId: id,
        referenceSetDbId: id,
        callSetCount: file.row_count,
        variantCount: file.column_count,
        availableFormats: EXPORTS.map(({ format, dataFormat, fileFormat }) => ({
          dataFormat,
          fileFormat,
          fileURL: exportUrl(scope.origin, id, format),
          expandHomozygotes: true,
          sepPhased: '|',
          sepUnphased: '/',
          unknownString: format === 'flapjack' ? '-' : '.',
        })),
        metadataFields: [{ dataType: 'string', fieldName: 'Genotype', fieldAbbreviation: 'GT' }],
        additionalInfo: { trialDbId: project.id, programDbId: project.organization_id, fileName: file.name },
      }),
    ),
};

export interface VariantRow {
  study: GenotypeStudy;
  /** 0-based place in the file. */
  place: number;
  id: string;
  chromosome: string;
  /** Base pairs, 1-based; 0 when unknown. */
  positionBp: number;
  a1: string;
  a2: string;
}

export const variantId = (study: GenotypeStudy, place: number): string => `${study.id}-${place}`;

export const variants: ListEntity<VariantRow> = {
  name: 'variants',
  id: 'variantDbId',
  hasSearch: true,
  hasTokens: true,
  hasLongPages: true,
  segments: variantSegments,
  async serialize(scope, rows) {
    const placeOf = new Map<GenotypeStudy, Map<string, number>>();
    for (const study of new Set(rows.map((row) => row.study))) {
      const chromosomes = await chromosomesOf(scope, study.file);
      placeOf.set(study, new Map(chromosomes.map(({ name }, place) => [name, place])));
    }
    return rows.map(({ study, place, id, chromosome, positionBp, a1, a2 }) => {
      const start = positionBp > 0 ? positionBp - 1 : null;
      return complete('variants', {
        variantDbId: variantId(study, place),
        variantNames: [id],
        variantSetDbId: [study.id],
        variantType: a1.length === 1 && a2.length === 1 ? 'SNP' : 'INDEL',
        referenceDbId: referenceId(study, placeOf.get(study)?.get(chromosome) ?? 0),
        referenceName: chromosome,
        referenceSetDbId: study.id,
        referenceSetName: study.name,
        referenceBases: a1,
        alternateBases: [a2],
        alternate_bases: [a2],
        // 0-based, the end is not part of it.
        start,
        end: start === null ? null : start + a1.length,
        created: study.file.created_at,
        updated: study.file.updated_at,
      });
    });
  },
};

/** Markers of one file. */
export interface VariantSegment extends Segment<VariantRow> {
  study: GenotypeStudy;
}

/** Markers, read by ranges of the file; memory does not grow with their number. */
export async function variantSegments(scope: BrapiScope, asked: Asked): Promise<VariantSegment[]> {
  const studies = await genotypesAsked(scope, asked, ['variantDbId', 'referenceDbId']);
  const ids = asked.take('variantDbId');
  const places = ids && rowsByFile(ids);
  const references = asked.take('referenceDbId');
  const chromosomes = references && rowsByFile(references);
  const start = asked.number('start');
  const end = asked.number('end');
  const segments: VariantSegment[] = [];
  for (const study of studies) {
    const ranges = chromosomes
      ? (await chromosomesOf(scope, study.file)).flatMap(({ runs }, place) =>
          chromosomes.get(study.id)?.includes(place) === true ? runs : [],
        )
      : [{ first: 0, count: study.file.column_count ?? 0 }];
    for (const range of ranges) {
      const own = places?.get(study.id)?.filter((place) => place >= range.first && place < range.first + range.count);
      const segment = places ? pickedSegment(scope, study, own ?? []) : rangeSegment(scope, study, range);
      const isAnywhere = start === undefined && end === undefined;
      segments.push({ study, ...(isAnywhere ? segment : await between(segment, start, end)) });
    }
  }
  return segments;
}

export const rangeSegment = (
  scope: BrapiScope,
  study: GenotypeStudy,
  range: { first: number; count: number },
): Segment<VariantRow> => ({
  count: range.count,
  read: (first, count) => readVariants(scope, study, range.first + first, count),
});

const pickedSegment = (scope: BrapiScope, study: GenotypeStudy, places: readonly number[]): Segment<VariantRow> => ({
  count: places.length,
  read: async (first, count) => {
    const rows: VariantRow[] = [];
    for (const place of places.slice(first, first + count)) rows.push(...(await readVariants(scope, study, place, 1)));
    return rows;
  },
});

export async function readVariants(
  { files }: Pick<BrapiScope, 'files'>,
  study: GenotypeStudy,
  first: number,
  count: number,
): Promise<VariantRow[]> {
  if (count <= 0) return [];
  const { id, chromosome, positionBp, a1, a2 } = await (await files.markers(study.file)).readMarkers(first, count);
  return id.map((name, j) => ({
    study,
    place: first + j,
    id: name,
    chromosome: chromosome[j] ?? '',
    positionBp: positionBp[j] ?? 0,
    a1: a1[j] ?? '',
    a2: a2[j] ?? '',
  }));
}

const BLOCK = 4_096;

/** The markers whose 0-based position lies in start ≤ position < end. */
export async function between(
  segment: Segment<VariantRow>,
  start: number | undefined,
  end: number | undefined,
): Promise<Segment<VariantRow>> {
  const kept: VariantRow[] = [];
  for (let first = 0; first < segment.count; first += BLOCK)
    for (const row of await segment.read(first, Math.min(BLOCK, segment.count - first)))
      if (row.positionBp > 0 && row.positionBp - 1 >= (start ?? 0) && row.positionBp - 1 < (end ?? Number.MAX_VALUE))
        kept.push(row);
  return segmentOf(kept);
}
