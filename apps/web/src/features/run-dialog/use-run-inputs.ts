import type { File } from '@heterosis/contracts/files';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileQuery } from '../files/index.ts';
import { type Rename, useMatch } from '../matching/index.ts';

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
  const { t } = useTranslation();
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
    /** Columns that put individuals into groups. */
    availableGroups: detail.data?.meta.groups ?? [],
    /** Why there is no trait to choose from. */
    noTraits:
      phenotype === undefined
        ? t('runs.choosePhenotypeFirst')
        : detail.data
          ? t('runs.noNumericTrait')
          : t('runs.readingTraits'),
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
    /** What the request to start holds of them. */
    body: {
      genotype_id: genotype?.id ?? '',
      phenotype_id: phenotype?.id ?? '',
      traits,
      ...(renames.length > 0 ? { renames } : {}),
    },
    /** SPEC §2: a run starts with a name, a genotype, a phenotype and at least one trait; and with names in common. */
    missing: (name: string): string | undefined => {
      if (name.trim() === '') return t('form.nameRequired');
      if (!genotype) return t('runs.needGenotype');
      if (!phenotype) return t('runs.needPhenotype');
      if (traits.length === 0) return t('runs.needTrait');
      // The panel beside the fields says it in full.
      if (match.data && !match.data.can_run) return t('runs.notTogether');
      return undefined;
    },
  };
}

export type RunInputs = ReturnType<typeof useRunInputs>;
