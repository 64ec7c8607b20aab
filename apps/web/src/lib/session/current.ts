import { useParams, useSearch } from '@tanstack/react-router';

/** The project of the page: from its path, or from `?project_id=`. */
export function useProjectId(): string | undefined {
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return params.projectId ?? search.project_id;
}

/** For what is only shown within a project; the modal host opens no modal of a project on another page. */
export function useRequiredProjectId(): string {
  const projectId = useProjectId();
  if (projectId === undefined)
    throw new Error('This part of the page belongs to a project, and the address names none.');
  return projectId;
}

export function useOrganizationId(): string | undefined {
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return params.organizationId ?? search.organization_id;
}
