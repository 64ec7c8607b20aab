import type { FoundThing } from '@heterosis/contracts/data/search';
import type { OverviewAssociation } from '@heterosis/contracts/people/projects';
import { type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  type Icon,
  IconBuilding,
  IconFile,
  IconFolder,
  IconKeyboard,
  IconLifebuoy,
  IconMap,
  IconPlant,
  IconPlayerPlay,
  IconStack2,
  IconUpload,
  IconUser,
} from '../../../components/icons.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { createModalOf, isRunKind, runLink } from '../../../lib/browser/run-kinds.ts';
import { organizationsQuery, useOrganizationRights } from '../../people/organizations/index.ts';
import { overviewQuery, projectQuery, projectsQuery, useMayWrite } from '../../people/projects/index.ts';
import { KINDS } from '../kinds.ts';
import type { NavigationSection } from '../navigation/navigation-links.tsx';
import { useOrganizationPages } from '../use-organization-pages.ts';
import { useProjectPages } from '../use-project-pages.ts';
import type { Rankable } from './rank-entries.ts';
import { germplasmSearchQuery, markerSearchQuery, searchQuery } from './search.api.ts';

export interface PaletteEntry extends Rankable {
  id: string;
  icon: Icon;
  /** What kind of thing it is, beside the label. */
  note?: string | undefined;
  run: () => void;
}

/** Shown before something is typed: what was made lately. */
const RECENT = 6;

type Go = (to: LinkProps) => () => void;

function useGo(): Go {
  const navigate = useNavigate();
  return (to) => () => void navigate(to as Parameters<typeof navigate>[0]);
}

const pagesOf = (sections: readonly NavigationSection[], group: string, params: Record<string, string>, go: Go) =>
  sections
    .flatMap(({ entries }) => entries)
    .map(
      ({ to, label, icon }): PaletteEntry => ({
        id: `page ${to}`,
        group,
        label,
        icon,
        run: go({ to, params } as LinkProps),
      }),
    );

/** Entries of a page, and whether the server is still looking for more. */
export interface PaletteEntries {
  entries: PaletteEntry[];
  isSearching: boolean;
}

/** What was made lately or found by name, what can be started, and the pages of the project. */
export function useProjectEntries(projectId: string, search: string): PaletteEntries {
  const { t } = useTranslation();
  const go = useGo();
  const modal = useModal();
  const pages = useProjectPages(projectId);
  const mayWrite = useMayWrite(projectId);
  const { data: project } = useQuery(projectQuery(projectId));
  const isMine = project !== undefined;
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled: isMine });
  const found = useQuery({ ...searchQuery(projectId, search), enabled: isMine && search !== '' });
  const markers = useMarkerEntries(projectId, overview?.results.associations ?? [], search);
  const entryOf = (thing: Pick<FoundThing, 'kind' | 'id' | 'name'>): Omit<PaletteEntry, 'group'> => ({
    id: thing.id,
    label: thing.name,
    note: t(`kind.${thing.kind}`),
    icon: isRunKind(thing.kind) ? KINDS[thing.kind].icon : THING_ICONS[thing.kind],
    run: go(linkTo(projectId, thing)),
  });
  const recent = (overview?.recent ?? [])
    .slice(0, RECENT)
    .map(({ kind, ...run }) => entryOf({ ...run, kind: kind === 'import' ? 'file' : kind }));
  const action = (id: RunKind | 'upload', icon: Icon, run: () => void): PaletteEntry => ({
    id: `action ${id}`,
    group: t('table.actions'),
    label: t(`palette.action.${id}`),
    icon,
    run,
  });
  const entries: PaletteEntry[] = [
    ...(search === '' ? recent.map((entry) => ({ ...entry, group: t('palette.recent') })) : []),
    ...(search === '' ? [] : (found.data?.data ?? [])).map((thing) => ({
      ...entryOf(thing),
      ...(thing.kind === 'germplasm' && thing.note !== null ? { note: t('palette.alias', { name: thing.note }) } : {}),
      ...(thing.kind === 'trial' && thing.note !== null ? { note: `${t('kind.trial')} · ${thing.note}` } : {}),
      group: t('palette.found'),
      isFound: true,
    })),
    ...markers.entries,
    ...(mayWrite
      ? [
          ...runKinds.map((kind) => action(kind, IconPlayerPlay, () => modal.open(createModalOf(kind)))),
          action('upload', IconUpload, () => modal.open('upload-files')),
        ]
      : []),
    ...pagesOf(pages, t('palette.pages'), { projectId }, go),
  ];
  return { entries, isSearching: found.isFetching || markers.isSearching };
}

/** Other studies of a project tested nearly the same markers. */
const STUDIES = 3;

/** Markers by name, in the newest GWAS of the project: each leads to its marker there. */
function useMarkerEntries(
  projectId: string,
  associations: readonly OverviewAssociation[],
  search: string,
): PaletteEntries {
  const { t } = useTranslation();
  const go = useGo();
  // Of each study its most associated trait, which comes first.
  const studies = [...new Map(associations.toReversed().map((one) => [one.gwas.id, one])).values()]
    .toReversed()
    .slice(0, STUDIES);
  const queries = useQueries({
    queries: studies.map(({ gwas, trait }) => markerSearchQuery(projectId, gwas.id, trait, search)),
  });
  const entries = new Map<string, PaletteEntry>();
  // A marker of several studies leads to the first, where a trait is most associated.
  for (const [place, { gwas, trait }] of studies.entries())
    for (const { id } of search === '' ? [] : (queries[place]?.data?.data ?? []))
      if (!entries.has(id))
        entries.set(id, {
          id: `marker ${id}`,
          group: t('word.markers'),
          label: id,
          note: gwas.name,
          icon: KINDS.gwas.icon,
          run: go({
            to: '/projects/$projectId/gwas/$gwasId',
            params: { projectId, gwasId: gwas.id },
            search: { trait, marker: id },
          }),
        });
  return { entries: [...entries.values()], isSearching: queries.some(({ isFetching }) => isFetching) };
}

/** Germplasm found by name, and the pages of the organization. */
export function useOrganizationEntries(organizationId: string, search: string): PaletteEntries {
  const { t } = useTranslation();
  const go = useGo();
  const pages = useOrganizationPages(organizationId);
  const may = useOrganizationRights(organizationId);
  const found = useQuery({
    ...germplasmSearchQuery(organizationId, search),
    enabled: may('see_germplasm') && search !== '',
  });
  const entries: PaletteEntry[] = [
    ...(search === '' ? [] : (found.data?.data ?? [])).map((one) => ({
      id: one.id,
      group: t('palette.found'),
      label: one.name,
      note: t('kind.germplasm'),
      icon: THING_ICONS.germplasm,
      isFound: true,
      run: go({
        to: '/organizations/$organizationId/germplasm/$germplasmId',
        params: { organizationId, germplasmId: one.id },
      }),
    })),
    ...pagesOf(pages, t('palette.pages'), { organizationId }, go),
  ];
  return { entries, isSearching: found.isFetching };
}

/** The other projects and organizations, and the pages that belong to none. */
export function useEntriesEverywhere({
  projectId,
  organizationId,
  showShortcuts,
}: {
  projectId?: string;
  organizationId?: string;
  showShortcuts: () => void;
}): PaletteEntry[] {
  const { t } = useTranslation();
  const go = useGo();
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: organizations = [] } = useQuery(organizationsQuery());
  const group = t('palette.elsewhere');
  return [
    ...projects
      .filter(({ id }) => id !== projectId)
      .map(
        ({ id, name }): PaletteEntry => ({
          id: `project ${id}`,
          group,
          label: name,
          note: t('nav.project'),
          icon: IconStack2,
          run: go({ to: '/projects/$projectId', params: { projectId: id } }),
        }),
      ),
    ...organizations
      .filter(({ id }) => id !== organizationId || projectId !== undefined)
      .map(
        ({ id, name }): PaletteEntry => ({
          id: `organization ${id}`,
          group,
          label: name,
          note: t('nav.organization'),
          icon: IconBuilding,
          run: go({ to: '/organizations/$organizationId', params: { organizationId: id } }),
        }),
      ),
    { id: 'projects', group, label: t('nav.projectList'), icon: IconStack2, run: go({ to: '/projects' }) },
    { id: 'account', group, label: t('word.myAccount'), icon: IconUser, run: go({ to: '/account' }) },
    { id: 'help', group, label: t('help.title'), icon: IconLifebuoy, run: go({ to: '/help' }) },
    { id: 'shortcuts', group, label: t('shortcuts.title'), icon: IconKeyboard, run: showShortcuts },
  ];
}

const THING_ICONS = { file: IconFile, folder: IconFolder, germplasm: IconPlant, trial: IconMap };

function linkTo(projectId: string, { kind, id }: Pick<FoundThing, 'kind' | 'id'>): LinkProps {
  switch (kind) {
    case 'file':
      return { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: id } };
    case 'folder':
      return { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: id } };
    case 'germplasm':
      return { to: '/projects/$projectId/germplasm/$germplasmId', params: { projectId, germplasmId: id } };
    case 'trial':
      return { to: '/projects/$projectId/trials/$trialId', params: { projectId, trialId: id } };
    default:
      return runLink(kind, projectId, id);
  }
}
