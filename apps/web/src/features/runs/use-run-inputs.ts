import type { File } from '@heterosis/contracts/files';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fileQuery } from '../files/files.api.ts';
import { type Rename, useMatch } from './match-panel.tsx';

type Chosen = Pick<File, 'id' | 'name'>;

/** A run whose inputs are used once more; a file that has been deleted since is null. */
export interface RunSource {
  name: string;
  genotype: Chosen | null;
  phenotype: Chosen | null;
  traits: string[];
  provenance: { parameters: { renames?: Rename[] | undefined } };
}

/**
 * The two files a training or an association study starts from, the traits chosen among them, and how their names match.
 * They begin as those of `source`, a run that is repeated with changes.
 */
export function useRunInputs(projectId: string, source: RunSource | undefined) {
  const [genotype, setGenotype] = useState<Chosen | undefined>(source?.genotype ?? undefined);
  const [phenotype, setPhenotype] = useState<Chosen | undefined>(source?.phenotype ?? undefined);
  const [traits, setTraits] = useState<string[]>(source?.phenotype ? source.traits : []);
  const [renames, setRenames] = useState<Rename[]>(source?.provenance.parameters.renames ?? []);
  const detail = useQuery({ ...fileQuery(projectId, phenotype?.id ?? ''), enabled: phenotype !== undefined });
  const matchBody =
    genotype && phenotype ? { genotype_id: genotype.id, phenotype_id: phenotype.id, renames } : undefined;
  const match = useMatch(projectId, matchBody);
  return {
    genotype,
    phenotype,
    traits,
    renames,
    matchBody,
    match: match.data,
    availableTraits: detail.data?.meta.traits ?? [],
    chooseGenotype: (file: Chosen): void => {
      setGenotype(file);
      setRenames([]);
    },
    choosePhenotype: (file: Chosen): void => {
      setPhenotype(file);
      setTraits([]);
      setRenames([]);
    },
    setTraits,
    setRenames,
  };
}
