import { useQuery } from '@tanstack/react-query';
import { projectTraitsQuery, useUpdateProjectTraits } from '../../people/projects/index.ts';

/** What a name is as a trait until somebody says more of it. */
const UNSET = { direction: 'higher', unit: null, weight: 1 } as const;

/** The traits of a project by name; `list` makes traits of names that are none yet. */
export function useTraitNames(projectId: string): {
  known: string[];
  list: (names: readonly string[]) => Promise<void>;
} {
  const known = (useQuery(projectTraitsQuery(projectId)).data?.data ?? []).map(({ name }) => name);
  const traits = useUpdateProjectTraits(projectId);
  return {
    known,
    list: async (names) => {
      const added = names.map((name) => name.trim()).filter((name) => name !== '' && !known.includes(name));
      if (added.length > 0) await traits.mutateAsync({ traits: added.map((name) => ({ name, ...UNSET })) });
    },
  };
}
