import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fileQcQuery } from '../files.api.ts';

/** The unit in which the phenotype file of a run gives a trait: undefined where it says none, or was deleted since. */
export function useUnitOf(
  projectId: string,
  phenotype: { id: string } | null | undefined,
): (trait: string) => string | undefined {
  const { data } = useQuery({ ...fileQcQuery(projectId, phenotype?.id ?? ''), enabled: Boolean(phenotype) });
  return useMemo(() => {
    const units = new Map(data?.kind === 'phenotype' ? data.traits.map((trait) => [trait.name, trait.unit]) : []);
    return (trait) => units.get(trait) ?? undefined;
  }, [data]);
}

/** `Observed (t/ha)`; without a unit just the name. */
export const withUnit = (name: string, unit: string | undefined): string => (unit ? `${name} (${unit})` : name);
