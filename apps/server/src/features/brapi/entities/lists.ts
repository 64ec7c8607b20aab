import type { SavedList } from '@heterosis/contracts/data/lists';
import { listListsOfProjects } from '../../data/lists/index.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked } from '../scope.ts';

export interface ListRow {
  list: SavedList;
  project: ProjectRow;
}

/** Lists of lines and markers of the projects that the caller sees, without their members. */
export const lists: ListEntity<ListRow> = {
  name: 'lists',
  id: 'listDbId',
  hasSearch: true,
  hasOwnDetails: true,
  segments: async (scope, asked) => [segmentOf(await listsAsked(scope, asked))],
  serialize: (_scope, rows) =>
    rows.map(({ list, project }) =>
      complete('lists', {
        listDbId: list.id,
        listName: list.name,
        listType: list.kind,
        listDescription: list.description,
        listSize: list.size,
        listOwnerName: list.created_by,
        listOwnerPersonDbId: list.created_by_id,
        dateCreated: list.created_at,
        dateModified: list.updated_at,
        additionalInfo: {
          trialDbId: project.id,
          trialName: project.name,
          programDbId: project.organization_id,
          programName: project.organization_name,
          commonCropName: project.crop_name,
        },
      }),
    ),
};

/** What the entries do not show is chosen here: projects, ids and times. */
export async function listsAsked(scope: BrapiScope, asked: Asked): Promise<ListRow[]> {
  const projects = new Map(projectsAsked(scope, asked).map((project) => [project.id, project]));
  const isCreated = asked.timeRange('dateCreatedRange');
  const isModified = asked.timeRange('dateModifiedRange');
  const rows = await listListsOfProjects(scope.db, [...projects.keys()], asked.take('listDbId'));
  return rows.flatMap((list): ListRow[] => {
    const project = projects.get(list.project_id);
    if (project === undefined) return [];
    if (isCreated?.(Date.parse(list.created_at)) === false) return [];
    return isModified?.(Date.parse(list.updated_at)) === false ? [] : [{ list, project }];
  });
}
