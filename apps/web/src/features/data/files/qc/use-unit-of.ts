import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTraitSettings } from '../../../people/projects/index.ts';
import { fileQcQuery } from '../files.api.ts';

/**
 * The unit of a trait: the one that the project keeps, else that of the phenotype file of a run; undefined where
 * neither says one.
 */
export function useUnitOf(
  projectId: string,
  phenotype: { id: string } | null | undefined,
): (trait: string) => string | undefined {
  const { data } = useQuery({ ...fileQcQuery(projectId, phenotype?.id ?? ''), enabled: Boolean(phenotype) });
  const settings = useTraitSettings(projectId);
  return useMemo(() => {
    const units = new Map(data?.kind === 'phenotype' ? data.traits.map((trait) => [trait.name, trait.unit]) : []);
    return (trait) => settings?.(trait).unit ?? units.get(trait) ?? undefined;
  }, [data, settings]);
}

/** `Observed (t/ha)`; without a unit just the name. */
export const withUnit = (name: string, unit: string | null | undefined): string => (unit ? `${name} (${unit})` : name);
