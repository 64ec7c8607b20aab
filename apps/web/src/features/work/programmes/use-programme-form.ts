import {
  type ProgrammeDetail,
  type ProgrammeMaterialBody,
  QTL_EFFECTS,
  type TraitArchitecture,
} from '@heterosis/contracts/work/programmes';
import type { ProgrammeSearch } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { memoryOfReplicate, secondsOfReplicate } from '@heterosis/contracts/work/programmes/programme-sizes';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError } from '../../../lib/form/form.ts';
import { againName } from '../../../lib/format/again-name.ts';
import { useProposedFile } from '../../data/files/index.ts';
import { useOnlyModel } from '../models/index.ts';
import { type ChosenFile, proposedName, useDraftForm } from '../run-dialog/index.ts';
import { materialQuery, programmeRuns } from './programmes.api.ts';
import { aboutTraits, measuredOf, newScheme, rounded, sizesOf, templateInput } from './scheme-form.ts';
import { numberName } from './scheme-pipeline.tsx';
import { movableNumbers, type SearchValues, searchBody, searchValues } from './search-form.ts';

export const LIMITS = {
  replicates: { min: 1, max: 2000, isWhole: true },
  qtl: { min: 1, max: 100_000, isWhole: true },
  variance: { min: 1e-9, max: 1e12 },
  mean: { min: -1e12, max: 1e12 },
  bp_per_cm: { min: 1000, max: 1e9 },
  budget: { min: 1, max: 1e12 },
} as const;

/** Of a search. */
export const SEARCH_LIMITS = {
  evaluations: { min: 20, max: 1000, isWhole: true },
  replicates: { min: 2, max: 200, isWhole: true },
} as const;

const GUESSED_VARIANCE = 1;

export type ProgrammeValues = ReturnType<typeof programmeValues>;

/** Values to begin with: the usual ones, or those of a simulation that is run again with changes. */
export function programmeValues(source: ProgrammeDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  const [architecture, ...others] = parameters?.architecture ?? [];
  return {
    name,
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    // Undefined: distances follow from positions, by `bp_per_cm`.
    linkage_map_id: (source?.linkage_map ?? undefined) as ChosenFile | undefined,
    truth: (source !== undefined && architecture === undefined ? 'model' : 'architecture') as 'architecture' | 'model',
    model_id: (source?.model ?? undefined) as ChosenFile | undefined,
    trait: architecture?.trait ?? source?.traits[0] ?? 'Yield',
    qtl: (architecture?.qtl ?? 100) as FieldNumber,
    effects: architecture?.effects ?? QTL_EFFECTS[0],
    variance: (architecture?.variance ?? GUESSED_VARIANCE) as FieldNumber,
    mean: (architecture?.mean ?? 0) as FieldNumber,
    dominance: architecture?.dominance ?? 0,
    /** Further traits of a simulation that is run again. */
    others: others as TraitArchitecture[],
    traits: (source?.traits ?? []) as string[],
    bp_per_cm: (parameters?.bp_per_cm ?? 1_000_000) as FieldNumber,
    replicates: (parameters?.replicates ?? 200) as FieldNumber,
    /** Money for a cycle; empty for none. It stays in the browser. */
    budget: (parameters?.optimise?.budget ?? '') as FieldNumber,
    /** Of the only scheme; null where its numbers stay. */
    search: null as SearchValues | null,
    seed: source?.provenance.seed ?? 1,
    /** Of a simulation that is run again; null for everyone. */
    founders: parameters?.founders ?? null,
    missing_map_markers: parameters?.missing_map_markers ?? ('interpolate' as const),
    schemes: (parameters?.schemes ?? []) as ProgrammeScheme[],
  };
}

/** What the request holds. @param known the traits of the model, none until they are known @param search of numbers */
export function programmeBody(
  values: Omit<ProgrammeValues, 'search'>,
  known: readonly string[],
  search: ProgrammeSearch | null = null,
) {
  const { name, genotype_id, linkage_map_id, model_id, schemes, founders, seed, missing_map_markers } = values;
  const isDrawn = values.truth === 'model';
  const traits = isDrawn ? drawnTraits(values, known) : [values.trait, ...values.others.map(({ trait }) => trait)];
  return {
    ...{ name, seed, missing_map_markers },
    ...(founders === null ? {} : { founders }),
    genotype_id: genotype_id?.id ?? '',
    ...(linkage_map_id ? { linkage_map_id: linkage_map_id.id } : { bp_per_cm: numberOf(values.bp_per_cm) }),
    ...(isDrawn
      ? { model_id: model_id?.id ?? '', traits }
      : {
          architecture: [
            {
              ...{ trait: values.trait, qtl: numberOf(values.qtl), effects: values.effects },
              ...{ mean: numberOf(values.mean), variance: numberOf(values.variance), dominance: values.dominance },
            },
            ...values.others,
          ],
        }),
    replicates: numberOf(values.replicates),
    schemes: schemes.map((scheme) => aboutTraits(scheme, traits)),
    ...(search === null ? {} : { optimise: search }),
  };
}

/** The trait that schemes select on alone, unless a simulation is run again: others would be drawn for nothing. */
function drawnTraits({ trait, traits }: Pick<ProgrammeValues, 'trait' | 'traits'>, known: readonly string[]): string[] {
  const wanted = traits.includes(trait) ? traits : [trait];
  const found = known.length === 0 ? wanted : wanted.filter((one) => known.includes(one));
  return found.length > 0 ? found : known.slice(0, 1);
}

/** The form of a simulation, what its schemes are filled with, and what they take. */
export function useProgrammeForm(projectId: string, source: ProgrammeDetail | undefined) {
  const { t } = useTranslation();
  const { form, draft, propose } = useDraftForm({
    draftKey: `programme ${projectId} ${source?.id ?? ''}`,
    initialValues: programmeValues(source, source ? againName(source.name, t) : ''),
    validate: (values) => fieldErrors(t, values),
    validateInputOnChange: true,
  });
  const { values } = form;
  const modelId = values.truth === 'model' ? values.model_id?.id : undefined;
  const query = useQuery({
    ...materialQuery(projectId, values.genotype_id?.id ?? '', modelId),
    enabled: values.genotype_id !== undefined,
  });
  const material = query.data && withFounders(query.data, values.founders);
  const traits = (values.truth === 'model' ? material?.model?.traits : undefined) ?? [];
  const trait = traits.length > 0 && !traits.includes(values.trait) ? (traits[0] ?? values.trait) : values.trait;
  useProposedInputs(projectId, source, values, propose);
  const drawn = material?.model?.genetic_variances[trait];
  const variance = values.truth === 'model' ? (drawn ?? 1) : numberOf(values.variance);
  const about = { trait, truth: values.truth };
  const input = templateInput(material, about, { schemes: values.schemes, variance });
  const genetic = values.truth === 'architecture' ? measuredOf(material, about)?.genetic : undefined;
  useEffect(() => {
    if (source === undefined && genetic && values.variance === GUESSED_VARIANCE)
      propose({ variance: rounded(genetic) });
  }, [genetic]);
  useEffect(() => {
    // The first scheme waits for the project's own lines.
    if (values.schemes.length > 0 || material === undefined) return;
    propose({ schemes: [newScheme('phenotypic_dh', t('programmes.template.phenotypic_dh'), input, [])] });
  }, [values.schemes.length, material]);

  useVariances(form, input.error);

  const sizes = values.schemes.map((scheme) => sizesOf(scheme, material));
  const size = {
    loci: material?.loci ?? 0,
    founders: material?.founders.length ?? 0,
    modelRecords: material?.model?.records ?? 0,
    modelMarkers: material?.model?.markers ?? 0,
  };
  const [only] = values.schemes;
  const movable =
    only === undefined || values.schemes.length > 1 ? [] : movableNumbers(only, (field) => numberName(t, field));
  useEffect(() => {
    const wanted = source?.provenance.parameters.optimise;
    if (wanted !== undefined && only !== undefined) propose({ search: searchValues(wanted, movable) });
  }, []);
  const search = values.search === null ? null : searchBody(values.search, movable, values.budget);
  const taken = useQuery(programmeRuns.list(projectId)).data ?? [];
  return {
    form,
    draft,
    material,
    /** Names in the genotype. */
    lines: query.data?.founders ?? [],
    failure: query.error,
    /** Founders are being read. */
    isWaiting: query.isFetching,
    traits,
    trait,
    input,
    sizes,
    movable,
    /** What is searched; null for nothing. */
    search,
    /** Seconds of one thread, and memory. */
    estimate: {
      seconds:
        values.schemes.reduce(
          (sum, scheme, i) => sum + (sizes[i] ? secondsOfReplicate(scheme, sizes[i], size) : 0),
          0,
        ) * (numberOf(values.replicates) || 0),
      memoryMb: Math.max(0, ...sizes.map((one) => memoryOfReplicate(one, size))),
    },
    name: {
      proposal: proposedName(
        [values.genotype_id?.name, values.schemes[0]?.name],
        taken.map((one) => one.name),
      ),
      propose,
    },
  };
}

/** With those lines of the genotype that are chosen; null: with all. */
function withFounders(material: ProgrammeMaterialBody, chosen: readonly string[] | null): ProgrammeMaterialBody {
  if (chosen === null) return material;
  const wanted = new Set(chosen);
  return { ...material, founders: material.founders.filter((name) => wanted.has(name)) };
}

/** Schemes whose variances nobody has changed follow those of the trait. */
function useVariances(
  form: Pick<UseFormReturnType<ProgrammeValues>, 'values' | 'setFieldValue'>,
  { environment, plot }: ProgrammeScheme['error'],
): void {
  const last = useRef({ environment, plot });
  useEffect(() => {
    const before = last.current;
    last.current = { environment, plot };
    const isUntouched = ({ error }: ProgrammeScheme): boolean =>
      error.environment === before.environment && error.plot === before.plot;
    if (!Number.isFinite(environment + plot) || !form.values.schemes.some(isUntouched)) return;
    form.setFieldValue(
      'schemes',
      form.values.schemes.map((scheme) => (isUntouched(scheme) ? { ...scheme, error: last.current } : scheme)),
    );
  }, [environment, plot]);
}

export type ProgrammeForm = ReturnType<typeof useProgrammeForm>;

/** Field → what is wrong with its number, where it counts. */
function fieldErrors(t: TFunction, values: ProgrammeValues): Record<string, string | undefined> {
  const errorOf = (field: keyof typeof LIMITS) => numberError(t, values[field], LIMITS[field]);
  return {
    replicates: errorOf('replicates'),
    ...(values.truth === 'architecture'
      ? { qtl: errorOf('qtl'), variance: errorOf('variance'), mean: errorOf('mean') }
      : {}),
    ...(values.linkage_map_id === undefined ? { bp_per_cm: errorOf('bp_per_cm') } : {}),
    ...(values.budget === '' ? {} : { budget: errorOf('budget') }),
  };
}

/** A model is about its lines: they are founders until others are chosen. */
export const genotypeOf = (model: {
  genotype_id: string | null;
  genotype_name: string | null;
}): Pick<ProgrammeValues, 'genotype_id'> | Record<never, never> =>
  model.genotype_id === null ? {} : { genotype_id: { id: model.genotype_id, name: model.genotype_name ?? '' } };

/** Fills in what leaves no choice: the only genotype, the only map, the only model, which then is the truth. */
function useProposedInputs(
  projectId: string,
  source: ProgrammeDetail | undefined,
  values: ProgrammeValues,
  propose: (values: Partial<ProgrammeValues>) => void,
): void {
  const genotype = useProposedFile(projectId, 'GENOTYPE');
  const map = useProposedFile(projectId, 'LINKAGE_MAP');
  const model = useOnlyModel(projectId, 'effects');
  useEffect(() => {
    if (source !== undefined) return;
    const nameOf = (one: ChosenFile) => ({ id: one.id, name: one.name });
    const found: Partial<ProgrammeValues> = {
      ...(genotype && !values.genotype_id ? { genotype_id: nameOf(genotype) } : {}),
      ...(model && !genotype && !values.genotype_id ? genotypeOf(model) : {}),
      ...(map && !values.linkage_map_id ? { linkage_map_id: nameOf(map) } : {}),
      ...(model && !values.model_id ? { model_id: nameOf(model), truth: 'model' as const } : {}),
    };
    if (Object.keys(found).length > 0) propose(found);
  }, [genotype?.id, map?.id, model?.id]);
}
