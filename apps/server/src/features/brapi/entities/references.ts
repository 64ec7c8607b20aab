import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import type { GenotypeStudy } from '../studies.ts';
import { type Chromosome, chromosomesOf, genotypesAsked, germplasmAsked } from './genotypes.ts';

/** Genotype files with one of the germplasm that are asked for. */
async function withGermplasm(scope: BrapiScope, asked: Asked): Promise<GenotypeStudy[]> {
  const studies = await genotypesAsked(scope, asked, ['referenceDbId']);
  const individuals = await germplasmAsked(scope, asked);
  return studies.filter(({ id }) => individuals?.has(id) ?? true);
}

/** The chromosomes that the markers of a genotype file lie on. */
export const referencesets: ListEntity<GenotypeStudy> = {
  name: 'referencesets',
  id: 'referenceSetDbId',
  hasSearch: true,
  paths: { accession: 'sourceAccessions' },
  segments: async (scope, asked) => [segmentOf(await withGermplasm(scope, asked))],
  serialize: (_scope, rows) =>
    rows.map(({ id, name, project }) =>
      complete('referencesets', {
        referenceSetDbId: id,
        referenceSetName: name,
        description: `The chromosomes of ${name}, as the file names them`,
        isDerived: false,
        commonCropName: project.crop_name,
      }),
    ),
};

interface ReferenceRow extends Chromosome {
  study: GenotypeStudy;
  place: number;
}

export const referenceId = (study: GenotypeStudy, place: number): string => `${study.id}-${place}`;

export const references: ListEntity<ReferenceRow> = {
  name: 'references',
  id: 'referenceDbId',
  hasSearch: true,
  paths: { accession: 'sourceAccessions' },
  async segments(scope, asked) {
    const rows: ReferenceRow[] = [];
    for (const study of await withGermplasm(scope, asked))
      for (const [place, chromosome] of (await chromosomesOf(scope, study.file)).entries())
        rows.push({ study, place, ...chromosome });
    // A genotype file says where markers lie and not how long a chromosome is.
    const isMeasured = [asked.take('minLength'), asked.take('maxLength')].some(Boolean);
    return isMeasured ? [] : [segmentOf(rows)];
  },
  serialize: (_scope, rows) => rows.map(referenceEntry),
};

const referenceEntry = ({ study, place, name, runs }: ReferenceRow): Json =>
  complete('references', {
    referenceDbId: referenceId(study, place),
    referenceName: name,
    referenceSetDbId: study.id,
    referenceSetName: study.name,
    isDerived: false,
    commonCropName: study.project.crop_name,
    additionalInfo: {
      markerCount: runs.reduce((sum, { count }) => sum + count, 0),
      lastPosition: Math.max(...runs.map(({ lastBp }) => lastBp)),
    },
  });
