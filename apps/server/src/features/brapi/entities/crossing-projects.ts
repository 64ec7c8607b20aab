import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { type CrossType, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { FileRow } from '../../data/files/index.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import { listWrittenPlans, listWrittenProjects, type WrittenPlan } from '../crossing/written-crosses.queries.ts';
import type { Json } from '../envelope.ts';
import { germplasmOfRows, type NamedGermplasm } from '../germplasm-names.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked } from '../scope.ts';

/** A crossing table, or what a client wrote. */
export interface CrossingProject {
  id: string;
  name: string;
  description: string | null;
  project: ProjectRow;
  /** The table; null when it was written. */
  file: FileRow | null;
  additionalInfo: Json;
  externalReferences: Json[];
}

/** Those of some projects: tables first, then what was written. */
export async function crossingProjectsAsked(
  scope: BrapiScope,
  projects: ReadonlyMap<string, ProjectRow>,
): Promise<CrossingProject[]> {
  const tables = (await scope.listFiles()).flatMap((file): CrossingProject[] => {
    const project = projects.get(file.project_id);
    if (project === undefined || file.file_type !== 'CROSSING_TABLE') return [];
    const { id, description } = file;
    const name = withoutEndings(file.name) || file.name;
    return [{ id, name, description, project, file, additionalInfo: {}, externalReferences: [] }];
  });
  const written = await listWrittenProjects(scope.db, [...projects.keys()]);
  return [
    ...tables,
    ...written.flatMap((row): CrossingProject[] => {
      const project = projects.get(row.project_id);
      if (project === undefined) return [];
      const { id, name, description, additional_info, external_references } = row;
      const more = { additionalInfo: additional_info, externalReferences: external_references };
      return [{ id, name, description, project, file: null, ...more }];
    }),
  ];
}

async function chosen(scope: BrapiScope, asked: Asked): Promise<CrossingProject[]> {
  const projects = new Map(projectsAsked(scope, asked).map((project) => [project.id, project]));
  const ids = asked.take('crossingProjectDbId');
  const names = asked.take('crossingProjectName');
  return (await crossingProjectsAsked(scope, projects)).filter(
    ({ id, name }) => (ids === undefined || ids.includes(id)) && (names === undefined || names.includes(name)),
  );
}

export const crossingprojects: ListEntity<CrossingProject> = {
  name: 'crossingprojects',
  id: 'crossingProjectDbId',
  hasSearch: false,
  segments: async (scope, asked) => [segmentOf(await chosen(scope, asked))],
  async serialize(scope, rows, asked) {
    const withParents = asked.flag('includePotentialParents') === true;
    const plans = withParents ? Map.groupBy(await plansOf(scope, rows), (plan) => plan.crossing.id) : undefined;
    return Promise.all(
      rows.map(async (row) =>
        complete('crossingprojects', {
          crossingProjectDbId: row.id,
          crossingProjectName: row.name,
          crossingProjectDescription: row.description,
          programDbId: row.project.organization_id,
          programName: row.project.organization_name,
          commonCropName: row.project.crop_name,
          potentialParents: plans === undefined ? [] : await parentsIn(scope, row, plans.get(row.id) ?? []),
          additionalInfo: { ...row.additionalInfo, trialDbId: row.project.id },
          externalReferences: row.externalReferences,
        }),
      ),
    );
  },
};

/** Everybody who is a parent, once as female and once as male. */
async function parentsIn(
  scope: BrapiScope,
  { project }: CrossingProject,
  plans: readonly PlannedRow[],
): Promise<Json[]> {
  const males = plans.flatMap(({ male }) => (male === null ? [] : [male]));
  const roles = [
    ...[...new Set(plans.map(({ female }) => female))].map((name) => ({ name, type: 'FEMALE' as const })),
    ...[...new Set(males)].map((name) => ({ name, type: 'MALE' as const })),
  ];
  const germplasmOf = await germplasmOfRows(scope.db, roles, ({ name }) => [project.crop_id, name]);
  return roles.map((role) => parentEntry(role.name, germplasmOf(role), role.type));
}

/** Intercross reads the unit: a line stands for its plants. */
export const parentEntry = (
  name: string,
  germplasm: NamedGermplasm | undefined,
  parentType: 'FEMALE' | 'MALE',
): Json => ({
  germplasmDbId: germplasm?.id ?? null,
  germplasmName: germplasm?.name ?? name,
  observationUnitDbId: germplasm?.id ?? name,
  observationUnitName: germplasm?.name ?? name,
  parentType,
});

interface PlannedRow {
  id: string;
  crossing: CrossingProject;
  name: string;
  crossType: string;
  status: string;
  female: string;
  /** Null: whatever pollen there is. */
  male: string | null;
  additionalInfo: Json;
  externalReferences: Json[];
}

export const plannedcrosses: ListEntity<PlannedRow> = {
  name: 'plannedcrosses',
  id: null,
  hasSearch: false,
  segments: async (scope, asked) => [segmentOf(await plansOf(scope, await chosen(scope, asked)))],
  async serialize(scope, rows) {
    const parents = rows.flatMap((row) =>
      (row.male === null ? [row.female] : [row.female, row.male]).map((name) => ({ row, name })),
    );
    const germplasmOf = await germplasmOfRows(scope.db, parents, ({ row, name }) => [
      row.crossing.project.crop_id,
      name,
    ]);
    const entryOf = (row: PlannedRow, name: string, type: 'FEMALE' | 'MALE'): Json =>
      parentEntry(name, germplasmOf({ row, name }), type);
    return rows.map((row) =>
      complete('plannedcrosses', {
        plannedCrossDbId: row.id,
        plannedCrossName: row.name,
        crossingProjectDbId: row.crossing.id,
        crossingProjectName: row.crossing.name,
        crossType: row.crossType,
        status: row.status,
        parent1: entryOf(row, row.female, 'FEMALE'),
        parent2: row.male === null ? null : entryOf(row, row.male, 'MALE'),
        additionalInfo: row.additionalInfo,
        externalReferences: row.externalReferences,
      }),
    );
  },
};

/** The crosses of some crossing projects, one project after the other. */
async function plansOf(scope: BrapiScope, crossings: readonly CrossingProject[]): Promise<PlannedRow[]> {
  const ids = crossings.flatMap(({ id, file }) => (file === null ? [id] : []));
  const written = Map.groupBy(await listWrittenPlans(scope.db, ids), (plan) => plan.crossing_project_id);
  const rows: PlannedRow[] = [];
  for (const crossing of crossings)
    rows.push(
      ...(crossing.file === null
        ? (written.get(crossing.id) ?? []).map((plan) => writtenRow(crossing, plan))
        : await rowsOfTable(scope, crossing, crossing.file)),
    );
  return rows;
}

/** Intercross stops without the wishes. */
const WISH = { wishMin: '1', wishMax: '1', wishType: 'seed' };

const writtenRow = (crossing: CrossingProject, plan: WrittenPlan): PlannedRow => ({
  ...{ id: plan.id, crossing, name: plan.name, crossType: plan.cross_type, status: plan.status },
  ...{ female: plan.female, male: plan.male },
  additionalInfo: { ...WISH, ...plan.additional_info },
  externalReferences: plan.external_references,
});

async function rowsOfTable(scope: BrapiScope, crossing: CrossingProject, file: FileRow): Promise<PlannedRow[]> {
  return (await scope.files.crosses(file)).map((cross, place) => {
    const [, , third, fourth] = parentsOfCross(cross);
    const count = String(cross.progenyCount ?? 1);
    return {
      ...{ id: `${file.id}-${place}`, crossing, name: cross.name, crossType: crossTypeOf(cross.type), status: 'TODO' },
      ...{ female: cross.female, male: cross.male },
      additionalInfo: {
        ...{ ...WISH, wishMin: count, wishMax: count },
        ...{ population: cross.type, parent3: third ?? null, parent4: fourth ?? null },
      },
      externalReferences: [],
    };
  });
}

function crossTypeOf(type: CrossType): string {
  if (type === 'self') return 'SELF';
  return type.endsWith('DH') ? 'DOUBLE_HAPLOID' : 'BIPARENTAL';
}
