import { withoutEndings } from '@heterosis/contracts/file-formats';
import {
  type Cross,
  type CrossType,
  parentsOfCross,
} from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { sql } from 'kysely';
import type { FileRow } from '../../files/index.ts';
import { all } from '../../germplasm/index.ts';
import type { ProjectRow } from '../../projects/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { germplasmOfRows, type NamedGermplasm } from '../germplasm-names.ts';
import { idOfText } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked } from '../scope.ts';
import { germplasmConditions } from './germplasm.ts';

/** A crossing table. */
interface TableRow {
  file: FileRow;
  project: ProjectRow;
}

const tableName = ({ file }: TableRow): string => withoutEndings(file.name) || file.name;

async function tablesAsked(scope: BrapiScope, asked: Asked): Promise<TableRow[]> {
  const projects = new Map(projectsAsked(scope, asked).map((project) => [project.id, project]));
  const ids = asked.take('crossingProjectDbId');
  const names = asked.take('crossingProjectName');
  return (await scope.listFiles()).flatMap((file): TableRow[] => {
    const project = projects.get(file.project_id);
    if (project === undefined || file.file_type !== 'CROSSING_TABLE') return [];
    const table = { file, project };
    const isAsked =
      (ids === undefined || ids.includes(file.id)) && (names === undefined || names.includes(tableName(table)));
    return isAsked ? [table] : [];
  });
}

export const crossingprojects: ListEntity<TableRow> = {
  name: 'crossingprojects',
  id: 'crossingProjectDbId',
  hasSearch: false,
  segments: async (scope, asked) => [segmentOf(await tablesAsked(scope, asked))],
  serialize: (scope, rows, asked) => {
    const withParents = asked.flag('includePotentialParents') === true;
    return Promise.all(
      rows.map(async (row) =>
        complete('crossingprojects', {
          crossingProjectDbId: row.file.id,
          crossingProjectName: tableName(row),
          crossingProjectDescription: row.file.description,
          programDbId: row.project.organization_id,
          programName: row.project.organization_name,
          commonCropName: row.project.crop_name,
          potentialParents: withParents ? await parentsIn(scope, row) : [],
          additionalInfo: { trialDbId: row.project.id },
        }),
      ),
    );
  },
};

/** Everybody who is a parent in a table, once as female and once as male. */
async function parentsIn(scope: BrapiScope, { file, project }: TableRow): Promise<Json[]> {
  const crosses = await scope.files.crosses(file);
  const roles = [
    ...[...new Set(crosses.map(({ female }) => female))].map((name) => ({ name, type: 'FEMALE' as const })),
    ...[...new Set(crosses.map(({ male }) => male))].map((name) => ({ name, type: 'MALE' as const })),
  ];
  const germplasmOf = await germplasmOfRows(scope.db, roles, ({ name }) => [project.crop_id, name]);
  return roles.map((role) => parentEntry(role.name, germplasmOf(role), role.type));
}

/** Intercross reads the unit: a line stands for its plants. */
const parentEntry = (name: string, germplasm: NamedGermplasm | undefined, parentType: 'FEMALE' | 'MALE'): Json => ({
  germplasmDbId: germplasm?.id ?? null,
  germplasmName: germplasm?.name ?? name,
  observationUnitDbId: germplasm?.id ?? name,
  observationUnitName: germplasm?.name ?? name,
  parentType,
});

interface PlannedRow {
  table: TableRow;
  place: number;
  cross: Cross;
}

export const plannedcrosses: ListEntity<PlannedRow> = {
  name: 'plannedcrosses',
  id: null,
  hasSearch: false,
  async segments(scope, asked) {
    const rows: PlannedRow[] = [];
    for (const table of await tablesAsked(scope, asked))
      for (const [place, cross] of (await scope.files.crosses(table.file)).entries())
        rows.push({ table, place, cross });
    return [segmentOf(rows)];
  },
  async serialize(scope, rows) {
    const parents = rows.flatMap((row) => parentsOfCross(row.cross).map((name) => ({ row, name })));
    const germplasmOf = await germplasmOfRows(scope.db, parents, ({ row, name }) => [row.table.project.crop_id, name]);
    const entryOf = (row: PlannedRow, name: string, type: 'FEMALE' | 'MALE'): Json =>
      parentEntry(name, germplasmOf({ row, name }), type);
    return rows.map((row) => {
      const { table, place, cross } = row;
      const [, , third, fourth] = parentsOfCross(cross);
      const count = String(cross.progenyCount ?? 1);
      return complete('plannedcrosses', {
        plannedCrossDbId: `${table.file.id}-${place}`,
        plannedCrossName: cross.name,
        crossingProjectDbId: table.file.id,
        crossingProjectName: tableName(table),
        crossType: crossTypeOf(cross.type),
        status: 'TODO',
        parent1: entryOf(row, cross.female, 'FEMALE'),
        parent2: entryOf(row, cross.male, 'MALE'),
        // Intercross stops without the wishes.
        additionalInfo: {
          wishMin: count,
          wishMax: count,
          wishType: 'seed',
          population: cross.type,
          parent3: third ?? null,
          parent4: fourth ?? null,
        },
      });
    });
  },
};

function crossTypeOf(type: CrossType): string {
  if (type === 'self') return 'SELF';
  return type.endsWith('DH') ? 'DOUBLE_HAPLOID' : 'BIPARENTAL';
}

/** Two parents that have progeny. */
interface MadeRow {
  maternal_id: string;
  maternal_name: string;
  paternal_id: string;
  paternal_name: string;
  progeny: number;
}

/** Crosses that were made: the pairs of parents of the germplasm. */
export const crosses: ListEntity<MadeRow> = {
  name: 'crosses',
  id: null,
  hasSearch: false,
  segments: async (scope, asked) => [await madeCrosses(scope, asked)],
  serialize: (_scope, rows) =>
    rows.map(({ maternal_id, maternal_name, paternal_id, paternal_name, progeny }) =>
      complete('crosses', {
        crossDbId: idOfText('cross', maternal_id, paternal_id),
        crossName: `${maternal_name} × ${paternal_name}`,
        crossType: maternal_id === paternal_id ? 'SELF' : 'BIPARENTAL',
        parent1: parentEntry(maternal_name, { id: maternal_id, name: maternal_name }, 'FEMALE'),
        parent2: parentEntry(paternal_name, { id: paternal_id, name: paternal_name }, 'MALE'),
        crossAttributes: [{ crossAttributeName: 'progeny', crossAttributeValue: String(progeny) }],
      }),
    ),
};

async function madeCrosses(scope: BrapiScope, asked: Asked): Promise<Segment<MadeRow>> {
  const condition = all([scope.germplasm, ...(await germplasmConditions(scope, asked))]);
  const pairs = sql`
    select g.maternal_id, g.paternal_id, count(*) as progeny from germplasm as g
    where g.maternal_id is not null and g.paternal_id is not null and ${condition}
    group by g.maternal_id, g.paternal_id`;
  const counted = await sql<{ count: number }>`select count(*) as count from (${pairs}) as pair`.execute(scope.db);
  return {
    count: counted.rows[0]?.count ?? 0,
    read: async (first, count) =>
      (
        await sql<MadeRow>`
          select pair.*, mother.name as maternal_name, father.name as paternal_name from (${pairs}) as pair
          join germplasm as mother on mother.id = pair.maternal_id
          join germplasm as father on father.id = pair.paternal_id
          order by pair.maternal_id, pair.paternal_id limit ${count} offset ${first}
        `.execute(scope.db)
      ).rows,
  };
}
