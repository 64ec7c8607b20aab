import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../components/page/page.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { useOrganizationId, useProjectId } from '../../../lib/session/current.ts';
import { organizationQuery } from '../../people/organizations/index.ts';
import { projectQuery } from '../../people/projects/index.ts';
import { germplasmListLink } from './germplasm.api.ts';

export interface GermplasmStanding {
  organizationId: string | undefined;
  /** Crop of the project; an organization may have several. */
  cropId: string | undefined;
  mayUpload: boolean;
  /** Edit and merge: managers of the organization. */
  mayChange: boolean;
  /** The same, also while the organization can only be read. */
  mayDelete: boolean;
}

/** The place of the page on which a modal is open. */
export function useModalPlace(): Place | undefined {
  const projectId = useProjectId();
  const organizationId = useOrganizationId();
  if (projectId !== undefined) return { kind: 'project', id: projectId };
  return organizationId === undefined ? undefined : { kind: 'organization', id: organizationId };
}

/** What this person may do with the germplasm of a place; the server decides, this only spares refusals. */
export function useGermplasmStanding(place: Place): GermplasmStanding {
  const { data: project } = useQuery({ ...projectQuery(place.id), enabled: place.kind === 'project' });
  const organizationId = place.kind === 'organization' ? place.id : project?.organization?.id;
  const { data: organization } = useQuery({
    ...organizationQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  const mayChange = organization?.rights.includes('change_germplasm') ?? false;
  return {
    organizationId,
    cropId: project?.crop?.id,
    mayUpload: place.kind === 'organization' ? mayChange : (project?.rights.includes('add_germplasm') ?? false),
    mayChange,
    mayDelete: organization?.rights.includes('delete_germplasm') ?? false,
  };
}

/** `Acme / Germplasm` or `Projects / Maize / Germplasm`, to which a page adds its own. */
export function useGermplasmCrumbs(place: Place, own?: string): Crumb[] {
  const { t } = useTranslation();
  const { data: project } = useQuery({ ...projectQuery(place.id), enabled: place.kind === 'project' });
  const { data: organization } = useQuery({ ...organizationQuery(place.id), enabled: place.kind === 'organization' });
  const list = { label: t('nav.germplasm'), ...(own === undefined ? {} : { link: germplasmListLink(place) }) };
  const above: Crumb[] =
    place.kind === 'organization'
      ? [
          {
            label: organization?.name ?? '…',
            link: { to: '/organizations/$organizationId', params: { organizationId: place.id } },
          },
        ]
      : [
          { label: t('nav.projects'), link: { to: '/projects' } },
          { label: project?.name ?? '…', link: { to: '/projects/$projectId', params: { projectId: place.id } } },
        ];
  return [...above, list, ...(own === undefined ? [] : [{ label: own }])];
}
