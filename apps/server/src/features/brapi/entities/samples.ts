import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { Asked } from '../asked.ts';
import { germplasmOfRows } from '../germplasm-names.ts';
import { rowsByFile } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import type { GenotypeStudy } from '../studies.ts';
import { genotypesAsked, germplasmAsked } from './genotypes.ts';

export interface SampleRow {
  study: GenotypeStudy;
  /** 0-based place in the file. */
  column: number;
  name: string;
}

/** A sample and its call set have one id: QBMS joins them by it. */
export const sampleId = ({ study, column }: SampleRow): string => `${study.id}-${column}`;

/** Individuals of one file. */
export interface SampleSegment extends Segment<SampleRow> {
  study: GenotypeStudy;
}

const ROW_FILTERS = ['callSetDbId', 'sampleDbId'];

/** The individuals of genotype files that the filters leave; names are left to the caller. */
export async function sampleSegments(scope: BrapiScope, asked: Asked): Promise<SampleSegment[]> {
  const studies = await genotypesAsked(scope, asked, ROW_FILTERS);
  const filters = ROW_FILTERS.map((name) => asked.take(name)).filter((ids) => ids !== undefined);
  const columns = filters.map(rowsByFile);
  const individuals = await germplasmAsked(scope, asked);
  const segments: SampleSegment[] = [];
  for (const study of studies) {
    const own = individuals?.get(study.id);
    if (individuals !== undefined && own === undefined) continue;
    const allowed = columns.map((byFile) => new Set(byFile.get(study.id)));
    if (allowed.some(({ size }) => size === 0)) continue;
    if (own === undefined && allowed.length === 0) {
      segments.push({
        study,
        count: study.file.row_count ?? 0,
        read: async (first, count) => (await samplesOf(scope, study)).slice(first, first + count),
      });
      continue;
    }
    const samples = await samplesOf(scope, study);
    const kept = samples.filter(
      ({ column, name }) =>
        allowed.every((set) => set.has(column)) && (own === undefined || own.has(normalizeName(name))),
    );
    segments.push({ study, ...segmentOf(kept) });
  }
  return segments;
}

const samplesOf = async (scope: BrapiScope, study: GenotypeStudy): Promise<SampleRow[]> =>
  (await scope.files.samples(study.file)).map((name, column) => ({ study, column, name }));

const meant = (scope: BrapiScope, rows: readonly SampleRow[]) =>
  germplasmOfRows(scope.db, rows, ({ study, name }) => [study.project.crop_id, name]);

export const samples: ListEntity<SampleRow> = {
  name: 'samples',
  id: 'sampleDbId',
  hasSearch: true,
  segments: sampleSegments,
  async serialize(scope, rows) {
    const germplasmOf = await meant(scope, rows);
    return rows.map((row) => {
      const { study, name } = row;
      const germplasm = germplasmOf(row);
      return complete('samples', {
        sampleDbId: sampleId(row),
        sampleName: name,
        germplasmDbId: germplasm?.id ?? null,
        studyDbId: study.id,
        trialDbId: study.project.id,
        programDbId: study.project.organization_id,
        sampleType: 'DNA',
        additionalInfo: { germplasmName: germplasm?.name ?? null, callSetDbId: sampleId(row) },
      });
    });
  },
};

export const callsets: ListEntity<SampleRow> = {
  name: 'callsets',
  id: 'callSetDbId',
  hasSearch: true,
  paths: { sampleName: 'callSetName' },
  segments: sampleSegments,
  async serialize(scope, rows) {
    const germplasmOf = await meant(scope, rows);
    return rows.map((row) => {
      const { study, name } = row;
      const germplasm = germplasmOf(row);
      return complete('callsets', {
        callSetDbId: sampleId(row),
        callSetName: name,
        sampleDbId: sampleId(row),
        studyDbId: study.id,
        variantSetDbIds: [study.id],
        created: study.file.created_at,
        updated: study.file.updated_at,
        additionalInfo: { germplasmDbId: germplasm?.id ?? null, germplasmName: germplasm?.name ?? null },
      });
    });
  },
};
