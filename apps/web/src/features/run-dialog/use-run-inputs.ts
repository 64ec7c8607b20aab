import type { File } from '@heterosis/contracts/files';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileQuery } from '../files/index.ts';
import { type Rename, useMatch } from '../matching/index.ts';
import { againName } from './again-name.ts';

export type ChosenFile = Pick<File, 'id' | 'name'>;

/** A run whose inputs are used once more; a file that has been deleted since is null. */
export interface RunSource {
  name: string;
  genotype: ChosenFile | null;
  phenotype: ChosenFile | null;
  traits: string[];
  provenance: { parameters: { renames?: Rename[] | undefined } };
}

/**
 * What a training and an association study ask for alike. The fields have the names of the request, so that what the
 * server complains of lands on them.
 */
export interface RunInputValues {
  name: string;
  genotype_id: ChosenFile | undefined;
  phenotype_id: ChosenFile | undefined;
  traits: string[];
}

/** Values to begin with: none, or those of `source`, a run that is repeated with changes. */
export function runInputValues(source: RunSource | undefined, t: Parameters<typeof againName>[1]): RunInputValues {
  return {
    name: source ? againName(source.name, t) : '',
    genotype_id: source?.genotype ?? undefined,
    phenotype_id: source?.phenotype ?? undefined,
    traits: source?.phenotype ? source.traits : [],
  };
}

/** Of the values what the request holds. */
export function runInputBody({ name, genotype_id, phenotype_id, traits }: RunInputValues) {
  return { name, genotype_id: genotype_id?.id ?? '', phenotype_id: phenotype_id?.id ?? '', traits };
}

/** The files and traits chosen in a form, what there is to choose from, and how the names of the files match. */
export function useRunInputs<Values extends RunInputValues>(
  projectId: string,
  wholeForm: UseFormReturnType<Values>,
  source: RunSource | undefined,
) {
  const { t } = useTranslation();
  // The types of Mantine do not know that a form with more fields is also a form with these.
  const form = wholeForm as unknown as UseFormReturnType<RunInputValues>;
  const { genotype_id: genotype, phenotype_id: phenotype, traits } = form.values;
  const [renames, setRenames] = useState<Rename[]>(source?.provenance.parameters.renames ?? []);
  const detail = useQuery({ ...fileQuery(projectId, phenotype?.id ?? ''), enabled: phenotype !== undefined });
  const matchBody =
    genotype && phenotype ? { genotype_id: genotype.id, phenotype_id: phenotype.id, renames } : undefined;
  const match = useMatch(projectId, matchBody);

  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!genotype) return t('runs.needGenotype');
    if (!phenotype) return t('runs.needPhenotype');
    if (traits.length === 0) return t('runs.needTrait');
    // The panel beside the fields says it in full.
    if (match.data && !match.data.can_run) return t('runs.notTogether');
    return undefined;
  };

  return {
    form,
    traits,
    renames,
    setRenames,
    matchBody,
    match: match.data,
    availableTraits: detail.data?.meta.traits ?? [],
    /** Columns that put individuals into groups. */
    availableGroups: detail.data?.meta.groups ?? [],
    /** Columns of numbers that look like codes for groups. */
    codeLike: detail.data?.meta.codes ?? [],
    /** Why there is no trait to choose from. */
    noTraits:
      phenotype === undefined
        ? t('runs.choosePhenotypeFirst')
        : detail.data
          ? t('runs.noNumericTrait')
          : t('runs.readingTraits'),
    chooseGenotype: (file: ChosenFile): void => {
      form.setFieldValue('genotype_id', file);
      setRenames([]);
    },
    choosePhenotype: (file: ChosenFile): void => {
      form.setFieldValue('phenotype_id', file);
      form.setFieldValue('traits', []);
      setRenames([]);
    },
    /** For the request: names that are read as others. */
    renamesBody: renames.length > 0 ? { renames } : {},
    /** Why the run cannot start yet, as a sentence: a name, both files, a trait, or names in common are missing. */
    missing: missing(),
  };
}

export type RunInputs = ReturnType<typeof useRunInputs<RunInputValues>>;
