import { sql } from 'kysely';
import { all } from '../../data/germplasm/index.ts';
import type { Asked } from '../asked.ts';
import { listWrittenCrosses, type WrittenCross } from '../crossing/written-crosses.queries.ts';
import type { Json } from '../envelope.ts';
import { germplasmOfRows } from '../germplasm-names.ts';
import { idOfText } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked } from '../scope.ts';
import { crossingProjectsAsked, parentEntry } from './crossing-projects.ts';
import { germplasmConditions } from './germplasm.ts';

/** Two parents that have progeny. */
interface PairRow {
  maternal_id: string;
  maternal_name: string;
  paternal_id: string;
  paternal_name: string;
  progeny: number;
}

interface WrittenRow {
  cross: WrittenCross;
  cropId: string | null;
  crossingProjectName: string | null;
}

type Row = PairRow | WrittenRow;

/** Crosses that were made: what clients wrote, and the pairs of parents of the germplasm. */
export const crosses: ListEntity<Row> = {
  name: 'crosses',
  id: null,
  hasSearch: false,
  segments: async (scope, asked) => [segmentOf(await writtenCrosses(scope, asked)), await pairs(scope, asked)],
  async serialize(scope, rows) {
    const parents = rows.flatMap((row) => ('cross' in row ? parentsOf(row).map((name) => ({ row, name })) : []));
    const germplasmOf = await germplasmOfRows(scope.db, parents, ({ row, name }) => [row.cropId, name]);
    return rows.map((row) => {
      if (!('cross' in row)) return pairEntry(row);
      const { cross, crossingProjectName } = row;
      const entryOf = (name: string, type: 'FEMALE' | 'MALE') => parentEntry(name, germplasmOf({ row, name }), type);
      return complete('crosses', {
        crossDbId: cross.id,
        crossName: cross.name,
        crossType: cross.cross_type,
        crossingProjectDbId: cross.crossing_project,
        crossingProjectName,
        plannedCrossDbId: cross.planned_cross,
        parent1: entryOf(cross.female, 'FEMALE'),
        parent2: cross.male === null ? null : entryOf(cross.male, 'MALE'),
        pollinationEvents: cross.pollination_events,
        crossAttributes: cross.cross_attributes,
        additionalInfo: cross.additional_info,
        externalReferences: cross.external_references,
      });
    });
  },
};

const parentsOf = ({ cross: { female, male } }: WrittenRow): string[] => (male === null ? [female] : [female, male]);

const pairEntry = ({ maternal_id, maternal_name, paternal_id, paternal_name, progeny }: PairRow): Json =>
  complete('crosses', {
    crossDbId: idOfText('cross', maternal_id, paternal_id),
    crossName: `${maternal_name} × ${paternal_name}`,
    crossType: maternal_id === paternal_id ? 'SELF' : 'BIPARENTAL',
    parent1: parentEntry(maternal_name, { id: maternal_id, name: maternal_name }, 'FEMALE'),
    parent2: parentEntry(paternal_name, { id: paternal_id, name: paternal_name }, 'MALE'),
    crossAttributes: [{ crossAttributeName: 'progeny', crossAttributeValue: String(progeny) }],
  });

async function writtenCrosses(scope: BrapiScope, asked: Asked): Promise<WrittenRow[]> {
  const projects = new Map(projectsAsked(scope, asked).map((project) => [project.id, project]));
  const written = await listWrittenCrosses(scope.db, [...projects.keys()]);
  if (written.length === 0) return [];
  const names = new Map((await crossingProjectsAsked(scope, projects)).map(({ id, name }) => [id, name]));
  return written.map((cross) => ({
    cross,
    cropId: projects.get(cross.project_id)?.crop_id ?? null,
    crossingProjectName: names.get(cross.crossing_project) ?? null,
  }));
}

async function pairs(scope: BrapiScope, asked: Asked): Promise<Segment<PairRow>> {
  const condition = all([await scope.visibleGermplasm(), ...(await germplasmConditions(scope, asked))]);
  const found = sql`
    select g.maternal_id, g.paternal_id, count(*) as progeny from germplasm as g
    where g.maternal_id is not null and g.paternal_id is not null and ${condition}
    group by g.maternal_id, g.paternal_id`;
  const counted = await sql<{ count: number }>`select count(*) as count from (${found}) as pair`.execute(scope.db);
  return {
    count: counted.rows[0]?.count ?? 0,
    read: async (first, count) =>
      (
        await sql<PairRow>`
          select pair.*, mother.name as maternal_name, father.name as paternal_name from (${found}) as pair
          join germplasm as mother on mother.id = pair.maternal_id
          join germplasm as father on father.id = pair.paternal_id
          order by pair.maternal_id, pair.paternal_id limit ${count} offset ${first}
        `.execute(scope.db)
      ).rows,
  };
}
