import { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import {
  type ProjectTrait,
  type ProjectTraits,
  UNSET_TRAIT,
  type updateProjectTraitsBody,
} from '@heterosis/contracts/people/traits';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { inOrderOf } from '../../../lib/format/trait-order.ts';

export const projectTraitsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.projectTraits(projectId),
    queryFn: ({ signal }) => call(projectTraitsApi.getTraits, { project_id: projectId }, { signal }),
  });

export function useUpdateProjectTraits(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateProjectTraitsBody>) =>
      call(projectTraitsApi.updateTraits, { project_id: projectId, body }),
    // The index of predictions follows it.
    onSuccess: (traits: ProjectTraits) => {
      client.setQueryData(keys.projectTraits(projectId), traits);
      return client.invalidateQueries({ queryKey: keys.runs('prediction', projectId) });
    },
  });
}

/** Puts traits in the order of the project, as its runs have them. */
export function useTraitOrder(projectId: string): (traits: readonly string[]) => string[] {
  const { data } = useQuery(projectTraitsQuery(projectId));
  return useMemo(() => inOrderOf(data?.data.map(({ name }) => name) ?? []), [data]);
}

/** What is wanted of a trait of the project; undefined while that is being read. */
export function useTraitSettings(projectId: string): ((trait: string) => ProjectTrait) | undefined {
  const { data } = useQuery(projectTraitsQuery(projectId));
  return useMemo(() => {
    if (!data) return undefined;
    const byName = new Map(data.data.map((one) => [one.name, one]));
    return (name) => byName.get(name) ?? { name, ...UNSET_TRAIT };
  }, [data]);
}

/** Those of some traits of which low values are wanted in a project; undefined until its settings are known. */
export function useLowTraits(projectId: string, traits: readonly string[] | undefined): string[] | undefined {
  const settings = useTraitSettings(projectId);
  return useMemo(
    () => settings && traits?.filter((trait) => settings(trait).direction === 'lower'),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the names, not the array of each render
    [settings, traits?.join('\n')],
  );
}
