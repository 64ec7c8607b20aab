import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import type { BrapiFile } from '../collecting/collected.queries.ts';
import type { Json } from '../envelope.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked, studiesAsked } from '../scope.ts';
import { type GenotypeStudy, isGenotype } from '../studies.ts';
import { chromosomesOf } from './genotypes.ts';
import { readVariants, variantId } from './variants.ts';

/** A linkage map file, or the base pairs of a genotype file. */
interface MapRow {
  file: BrapiFile;
  project: ProjectRow;
  /** Null: a linkage map. */
  study: GenotypeStudy | null;
}

interface LinkageGroup {
  name: string;
  markerCount: number;
  maxPosition: number | null;
}

/** The linkage maps of the projects, and the physical maps of the genotype files, that are asked for. */
export async function mapsAsked(scope: BrapiScope, asked: Asked): Promise<MapRow[]> {
  const genotypes = (await studiesAsked(scope, asked)).filter(isGenotype);
  // A linkage map belongs to no study: one serves all studies of its project.
  const projects = asked.has('studyDbId')
    ? (await studiesAsked(scope, asked)).map(({ project }) => project)
    : projectsAsked(scope, asked);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const maps = (await scope.listFiles()).flatMap((file): MapRow[] => {
    const project = byId.get(file.project_id);
    return project === undefined || file.file_type !== 'LINKAGE_MAP' ? [] : [{ file, project, study: null }];
  });
  return [...maps, ...genotypes.map((study) => ({ file: study.file, project: study.project, study }))];
}

export async function linkageGroupsOf(scope: BrapiScope, { file, study }: MapRow): Promise<LinkageGroup[]> {
  if (study !== null)
    return (await chromosomesOf(scope, file)).map(({ name, runs }) => ({
      name,
      markerCount: runs.reduce((sum, { count }) => sum + count, 0),
      maxPosition: Math.max(...runs.map(({ lastBp }) => lastBp)),
    }));
  const { chromosome, positionCm } = await scope.files.map(file);
  const groups = new Map<string, LinkageGroup>();
  for (const [place, name] of chromosome.entries()) {
    const group = groups.get(name) ?? { name, markerCount: 0, maxPosition: null };
    const position = positionCm[place] ?? Number.NaN;
    group.markerCount++;
    if (!Number.isNaN(position)) group.maxPosition = Math.max(group.maxPosition ?? position, position);
    groups.set(name, group);
  }
  return [...groups.values()];
}

export const maps: ListEntity<MapRow> = {
  name: 'maps',
  id: 'mapDbId',
  hasSearch: false,
  segments: async (scope, asked) => [segmentOf(await mapsAsked(scope, asked))],
  serialize: (scope, rows) => Promise.all(rows.map((row) => mapEntry(scope, row))),
};

const mapName = ({ file, study }: MapRow): string => study?.name ?? (withoutEndings(file.name) || file.name);

async function mapEntry(scope: BrapiScope, row: MapRow): Promise<Json> {
  const groups = await linkageGroupsOf(scope, row);
  return complete('maps', {
    mapDbId: row.file.id,
    mapName: mapName(row),
    type: row.study === null ? 'Genetic' : 'Physical',
    unit: row.study === null ? 'cM' : 'bp',
    commonCropName: row.project.crop_name ?? '',
    linkageGroupCount: groups.length,
    markerCount: groups.reduce((sum, { markerCount }) => sum + markerCount, 0),
    additionalInfo: { trialDbId: row.project.id, programDbId: row.project.organization_id },
  });
}

interface PositionRow {
  map: MapRow;
  linkageGroup: string;
  /** Null where the map leaves it blank. */
  position: number | null;
  name: string;
  variantDbId: string | null;
}

export const markerpositions: ListEntity<PositionRow> = {
  name: 'markerpositions',
  id: null,
  hasSearch: true,
  hasLongPages: true,
  async segments(scope, asked) {
    const ids = asked.take('mapDbId');
    const least = asked.number('minPosition');
    const most = asked.number('maxPosition');
    const wanted = (await mapsAsked(scope, asked)).filter(({ file }) => ids === undefined || ids.includes(file.id));
    const segments = await Promise.all(wanted.map((map) => positionsOf(scope, map)));
    if (least === undefined && most === undefined) return segments;
    const rows: PositionRow[] = [];
    for (const segment of segments)
      for (const row of await segment.read(0, segment.count))
        if (row.position !== null && row.position >= (least ?? -Infinity) && row.position <= (most ?? Infinity))
          rows.push(row);
    return [segmentOf(rows)];
  },
  serialize: (_scope, rows) =>
    rows.map(({ map, linkageGroup, position, name, variantDbId }) =>
      complete('markerpositions', {
        mapDbId: map.file.id,
        mapName: mapName(map),
        linkageGroupName: linkageGroup,
        // Centimorgans keep their decimals, although the standard speaks of whole numbers.
        position,
        variantDbId,
        variantName: name,
      }),
    ),
};

async function positionsOf(scope: BrapiScope, map: MapRow): Promise<Segment<PositionRow>> {
  const { study, file } = map;
  if (study !== null)
    return {
      count: file.column_count ?? 0,
      read: async (first, count) =>
        (await readVariants(scope, study, first, Math.min(count, (file.column_count ?? 0) - first))).map(
          ({ place, id, chromosome, positionBp }) => ({
            map,
            linkageGroup: chromosome,
            position: positionBp > 0 ? positionBp : null,
            name: id,
            variantDbId: variantId(study, place),
          }),
        ),
    };
  const { markerId, chromosome, positionCm } = await scope.files.map(file);
  return {
    count: markerId.length,
    read: async (first, count) =>
      markerId.slice(first, first + count).map((name, j) => {
        const position = positionCm[first + j] ?? Number.NaN;
        return {
          map,
          linkageGroup: chromosome[first + j] ?? '',
          position: Number.isNaN(position) ? null : position,
          name,
          variantDbId: null,
        };
      }),
  };
}
