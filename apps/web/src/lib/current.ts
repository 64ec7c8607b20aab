import { useParams, useSearch } from '@tanstack/react-router';

/** The project of the page: from its path, or from `?project_id=` (SPEC §2). */
export function useProjectId(): string | undefined {
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return params.projectId ?? search.project_id;
}

export function useOrganizationId(): string | undefined {
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return params.organizationId ?? search.organization_id;
}
