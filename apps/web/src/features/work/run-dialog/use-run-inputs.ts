import type { File, FileDetail } from '@heterosis/contracts/data/files';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedFiles } from '../../../lib/browser/named-files.ts';
import { againName } from '../../../lib/format/again-name.ts';
import { fileQuery, useProposedFile } from '../../data/files/index.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import { type Rename, useMatch } from '../matching/index.ts';
import { proposedName, someTraits } from './propose-name.ts';

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
  renames: Rename[];
  genotype_id: ChosenFile | undefined;
  phenotype_id: ChosenFile | undefined;
  traits: string[];
}

/** A form with these fields, and maybe others. */
interface RunInputForm extends Pick<UseFormReturnType<RunInputValues>, 'values' | 'errors'> {
  getInputProps: (name: 'name') => { value?: string; error?: ReactNode };
  setValues: (values: Partial<RunInputValues>) => void;
  setFieldValue: {
    (name: 'renames', value: Rename[]): void;
    (name: 'traits', value: string[]): void;
  };
}

/** Values to begin with: none, or those of `source`, a run that is repeated with changes. */
export function runInputValues(source: RunSource | undefined, t: Parameters<typeof againName>[1]): RunInputValues {
  return {
    name: source ? againName(source.name, t) : '',
    genotype_id: source?.genotype ?? undefined,
    phenotype_id: source?.phenotype ?? undefined,
    traits: source?.phenotype ? source.traits : [],
    renames: source?.provenance.parameters.renames ?? [],
  };
}

interface EarlierRun {
  name: string;
  genotype_id: string | null;
  phenotype_id: string | null;
}

/** Of the values what the request holds. */
export function runInputBody({ name, genotype_id, phenotype_id, traits }: RunInputValues) {
  return { name, genotype_id: genotype_id?.id ?? '', phenotype_id: phenotype_id?.id ?? '', traits };
}

const THRESHOLD_WAIT_MS = 300;

/** As many traits are proposed all together; of more, one chooses. */
const PROPOSED_TRAITS = 6;

/** The files and traits chosen in a form, what there is to choose from, and how the names of the files match. */
export function useRunInputs(
  projectId: string,
  form: RunInputForm,
  options: {
    propose: (values: Partial<RunInputValues>) => void;
    /** The runs of this kind, the latest first: their names are taken, and their files are proposed again. */
    runs: readonly EarlierRun[];
    /** The files that the dialog was opened with. */
    named?: NamedFiles;
    /** From which MAF and call rate on markers count, where the dialog asks; null while a field is wrong. */
    thresholds?: { thresh_maf: number; thresh_callrate: number } | null;
    /** What is left out, for the request; the object changes only when what is left out does. */
    excluded?: { exclusions?: Exclusions };
  },
) {
  const { t } = useTranslation();
  const { propose } = options;
  const { genotype_id: genotype, phenotype_id: phenotype, traits, renames } = form.values;
  const detail = useQuery({ ...fileQuery(projectId, phenotype?.id ?? ''), enabled: phenotype !== undefined });
  const setRenames = (next: Rename[]): void => form.setFieldValue('renames', next);
  // Not with every key that is pressed.
  const [thresholds] = useDebouncedValue(options.thresholds, THRESHOLD_WAIT_MS);
  const [excluded] = useDebouncedValue(options.excluded, THRESHOLD_WAIT_MS);
  const matchBody =
    genotype && phenotype
      ? { genotype_id: genotype.id, phenotype_id: phenotype.id, renames, ...thresholds, ...excluded }
      : undefined;
  const match = useMatch(projectId, matchBody);
  const availableTraits = useTraitOrder(projectId)(detail.data?.meta.traits ?? []);
  const { runs, named = {} } = options;
  useProposals(projectId, form.values, { phenotype: detail.data, availableTraits, latest: runs[0], named }, propose);

  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!genotype) return t('word.chooseAGenotypeFile');
    if (!phenotype) return t('runs.needPhenotype');
    if (traits.length === 0) return t('runs.needTrait');
    // The panel beside the fields says it in full.
    if (match.data && !match.data.can_run) return t('runs.notTogether');
    return undefined;
  };

  return {
    form,
    /** For the field of the name. */
    name: {
      proposal: proposedName(
        [someTraits(traits), phenotype?.name],
        options.runs.map((run) => run.name),
      ),
      propose,
    },
    traits,
    renames,
    setRenames,
    matchBody,
    /** The panel says nothing of markers while it cannot know which count. */
    hasThresholds: options.thresholds !== null,
    match: match.data,
    availableTraits,
    /** Columns of numbers that the file gives as covariates. */
    availableCovariates: detail.data?.meta.covariates ?? [],
    /** Columns that put individuals into groups. */
    availableGroups: detail.data?.meta.groups ?? [],
    /** Columns of numbers that look like codes for groups. */
    codeLike: detail.data?.meta.codes ?? [],
    /** Of the means that the file was made of. */
    covariance: detail.data?.covariance ?? null,
    /** Why there is no trait to choose from. */
    noTraits:
      phenotype === undefined
        ? t('runs.choosePhenotypeFirst')
        : detail.data
          ? t('runs.noNumericTrait')
          : t('runs.readingTraits'),
    chooseGenotype: ({ id, name }: ChosenFile): void => form.setValues({ genotype_id: { id, name }, renames: [] }),
    choosePhenotype: ({ id, name }: ChosenFile): void =>
      form.setValues({ phenotype_id: { id, name }, traits: [], renames: [] }),
    /** For the request: names that are read as others. */
    renamesBody: renames.length > 0 ? { renames } : {},
    /** Why the run cannot start yet, as a sentence: a name, both files, a trait, or names in common are missing. */
    missing: missing(),
  };
}

/** Fills in what leaves no choice: the one file of a type, and the traits of a small table. */
function useProposals(
  projectId: string,
  values: RunInputValues,
  {
    phenotype,
    availableTraits,
    latest,
    named,
  }: {
    phenotype: FileDetail | undefined;
    availableTraits: readonly string[];
    latest: EarlierRun | undefined;
    named: NamedFiles;
  },
  propose: (values: Partial<RunInputValues>) => void,
): void {
  const genotype = useProposedFile(projectId, 'GENOTYPE', latest?.genotype_id, named.genotype);
  const onlyPhenotype = useProposedFile(projectId, 'PHENOTYPE', latest?.phenotype_id, named.phenotype);
  const proposed = useRef({ genotype: false, phenotype: false, traitsOf: new Set<string>() });
  useEffect(() => {
    const done = proposed.current;
    if (genotype && !done.genotype) {
      done.genotype = true;
      if (!values.genotype_id) propose({ genotype_id: { id: genotype.id, name: genotype.name } });
    }
    if (onlyPhenotype && !done.phenotype) {
      done.phenotype = true;
      if (!values.phenotype_id) propose({ phenotype_id: { id: onlyPhenotype.id, name: onlyPhenotype.name } });
    }
    if (phenotype && phenotype.id === values.phenotype_id?.id && !done.traitsOf.has(phenotype.id)) {
      done.traitsOf.add(phenotype.id);
      const { meta, covariance } = phenotype;
      const noTraits = [...meta.codes, ...(covariance?.traits.map((one) => one.standard_errors) ?? [])];
      const traits = availableTraits.filter((trait) => !noTraits.includes(trait));
      if (values.traits.length === 0 && traits.length <= PROPOSED_TRAITS) propose({ traits });
    }
  }, [genotype, onlyPhenotype, phenotype, values.phenotype_id?.id]);
}

export type RunInputs = ReturnType<typeof useRunInputs>;
