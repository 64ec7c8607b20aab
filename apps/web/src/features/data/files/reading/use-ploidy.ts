import { useQuery } from '@tanstack/react-query';
import { fileQuery } from '../files.api.ts';

/** Copies of each chromosome in a genotype; 2 until it is known. */
export function usePloidy(projectId: string, genotypeId: string | undefined): number {
  const file = useQuery({ ...fileQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined });
  return file.data?.ploidy ?? 2;
}
