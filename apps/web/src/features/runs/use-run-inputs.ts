import type { File } from '@heterosis/contracts/files';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fileQuery } from '../files/files.api.ts';
import { type Rename, useMatch } from './match-panel.tsx';

type Chosen = Pick<File, 'id' | 'name'>;

/** The two files a training or an association study starts from, the traits chosen among them, and how their names match. */
export function useRunInputs(projectId: string) {
  const [genotype, setGenotype] = useState<Chosen>();
  const [phenotype, setPhenotype] = useState<Chosen>();
  const [traits, setTraits] = useState<string[]>([]);
  const [renames, setRenames] = useState<Rename[]>([]);
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
