import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import {
  type CrossingSimulationDetail,
  type MapFunction,
  type Population,
} from '@heterosis/contracts/work/crossing-simulations';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { type NumberLimits, numberError } from '../../../lib/form/form.ts';
import { againName } from '../../../lib/format/again-name.ts';
import { fileQuery, useProposedFile } from '../../data/files/index.ts';
import { useLowTraits } from '../../people/projects/index.ts';
import { type Rename, useMatch } from '../matching/index.ts';
import { modelQuery, useOnlyModel } from '../models/index.ts';
import { type ChosenFile, limitsOf, proposedName, useDraftForm } from '../run-dialog/index.ts';
import { crossingSimulationsQuery } from './crossing-simulations.api.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export interface CrossingValues extends Record<string, unknown> {
  name: string;
  model_id: ChosenFile | undefined;
  crossing_table_id: ChosenFile | undefined;
  /** Undefined: the genotype that the model was trained on. */
  genotype_id: ChosenFile | undefined;
  /** Undefined: distances follow from positions, by `bp_per_cm`. */
  linkage_map_id: ChosenFile | undefined;
  bp_per_cm: FieldNumber;
  map_function: MapFunction;
  population: Population;
  progeny: FieldNumber;
  /** The API has it as a share. */
  selected_percent: FieldNumber;
  accuracy: FieldNumber;
  low_traits: string[];
  renames: Rename[];
}

export type CrossingForm = UseFormReturnType<CrossingValues>;

const PERCENT = 100;
const { selected_fraction: selected, bp_per_cm: bpPerCm, progeny, accuracy, population } = CROSSING_OPTIONS;

/** What the server accepts in the number fields. */
export const NUMBER_LIMITS = {
  bp_per_cm: limitsOf(bpPerCm),
  progeny: limitsOf(progeny),
  selected_percent: { min: selected.min * PERCENT, max: selected.max * PERCENT },
  accuracy: limitsOf(accuracy),
} satisfies Record<string, NumberLimits>;

const DEFAULTS = {
  population: population.default as Population,
  progeny: progeny.default,
  selected_fraction: selected.default,
  accuracy: accuracy.default,
};

/** Field → what is wrong with its number. Base pairs per cM count only without a linkage map. */
export function crossingNumberErrors(t: TFunction, values: CrossingValues): Record<string, string | undefined> {
  return {
    bp_per_cm: values.linkage_map_id ? undefined : numberError(t, values.bp_per_cm, NUMBER_LIMITS.bp_per_cm),
    progeny: numberError(t, values.progeny, NUMBER_LIMITS.progeny),
    selected_percent: numberError(t, values.selected_percent, NUMBER_LIMITS.selected_percent),
    accuracy: numberError(t, values.accuracy, NUMBER_LIMITS.accuracy),
  };
}

/** Values to begin with: the usual ones, or those of a simulation that is run again with changes. */
export function crossingValues(source: CrossingSimulationDetail | undefined, name: string): CrossingValues {
  const parameters = source?.provenance.parameters;
  const { population, progeny, selected_fraction, accuracy } = parameters ?? DEFAULTS;
  return {
    name,
    model_id: source?.model ?? undefined,
    crossing_table_id: source?.crossing_table ?? undefined,
    genotype_id: source?.genotype ?? undefined,
    linkage_map_id: source?.linkage_map ?? undefined,
    bp_per_cm: parameters?.bp_per_cm ?? bpPerCm.default,
    map_function: parameters?.map_function ?? 'haldane',
    population,
    progeny,
    selected_percent: Number((selected_fraction * PERCENT).toPrecision(12)),
    accuracy,
    low_traits: parameters?.low_traits ?? [],
    renames: parameters?.renames ?? [],
  };
}

/** What the request holds; traits that the model does not have are left out. */
export function crossingBody(values: CrossingValues, traits: readonly string[]) {
  const { genotype_id: genotype, linkage_map_id: linkageMap } = values;
  return {
    name: values.name,
    model_id: values.model_id?.id ?? '',
    ...(genotype ? { genotype_id: genotype.id } : {}),
    crossing_table_id: values.crossing_table_id?.id ?? '',
    ...(linkageMap ? { linkage_map_id: linkageMap.id } : { bp_per_cm: numberOf(values.bp_per_cm) }),
    map_function: values.map_function,
    population: values.population,
    progeny: numberOf(values.progeny),
    selected_fraction: numberOf(values.selected_percent) / PERCENT,
    accuracy: numberOf(values.accuracy),
    low_traits: values.low_traits.filter((trait) => traits.includes(trait)),
  };
}

/** The form of a crossing simulation, the traits of the chosen model, and how parents and genotype match. */
export function useCrossingForm(projectId: string, source: CrossingSimulationDetail | undefined, given: GivenInputs) {
  const { t } = useTranslation();
  const { form, draft, propose } = useDraftForm<CrossingValues>({
    draftKey: `crossing_simulation ${projectId} ${source?.id ?? ''} ${given.tableId ?? ''}`,
    initialValues: crossingValues(source, source ? againName(source.name, t) : ''),
    validate: (values) => crossingNumberErrors(t, values),
    validateInputOnChange: true,
  });
  const { name, model_id: model, genotype_id: genotype, crossing_table_id: crossingTable, renames } = form.values;
  const setRenames = (next: Rename[]): void => form.setFieldValue('renames', next);
  const detail = useQuery({ ...modelQuery(projectId, model?.id ?? ''), enabled: model !== undefined });
  const genotypeOfModel = detail.data?.genotype_id ?? undefined;
  const genotypeId = genotype?.id ?? genotypeOfModel;
  const matchBody =
    genotypeId && crossingTable ? { genotype_id: genotypeId, crossing_table_id: crossingTable.id, renames } : undefined;
  const match = useMatch(projectId, matchBody);
  const phase = match.data?.phase;
  const taken = useQuery(crossingSimulationsQuery(projectId)).data ?? [];
  useProposedInputs(projectId, given, form.values, propose);
  const lowTraits = useLowTraits(projectId, detail.data?.traits);
  useEffect(() => {
    if (source === undefined && lowTraits && form.values.low_traits.length === 0) propose({ low_traits: lowTraits });
  }, [lowTraits]);
  // The model's own genotype is often the unphased one; its phased sibling serves as well.
  const sibling = phase?.phased_sibling;
  useEffect(() => {
    if (genotype === undefined && sibling) propose({ genotype_id: sibling });
  }, [genotype, sibling?.id]);

  const missing = (): string | undefined => {
    if (name.trim() === '') return t('form.nameRequired');
    if (!model) return t('predictions.needModel');
    if (!crossingTable) return t('crossing_simulations.needCrossingTable');
    if (detail.data && !genotypeId) return t('predictions.needGenotype');
    // Parents without phase are no obstacle: the genotype is phased first.
    if (match.data && !match.data.can_run && phase?.unphased.length === 0) return t('runs.notTogether');
    if (!form.isValid()) return t('form.correctNumbers');
    return undefined;
  };

  return {
    form,
    draft,
    /** For the field of the name. */
    name: {
      proposal: proposedName(
        [crossingTable?.name, model?.name],
        taken.map((one) => one.name),
      ),
      propose,
    },
    /** Parents that need phase, and a genotype file that has it. */
    unphased: phase && phase.unphased.length > 0 ? phase : undefined,
    traits: detail.data?.traits ?? [],
    hasGenotypeOfModel: genotypeOfModel !== undefined,
    matchBody,
    renames,
    setRenames,
    /** Why the simulation cannot start yet, as a sentence. */
    missing: missing(),
  };
}

/** Inputs that the dialog is opened for. */
export interface GivenInputs {
  tableId?: string | undefined;
  modelId?: string | undefined;
  genotypeId?: string | undefined;
}

/** Fills in what the dialog was opened for, and what leaves no choice: the only table, the only model. */
function useProposedInputs(
  projectId: string,
  { tableId, modelId, genotypeId }: GivenInputs,
  values: CrossingValues,
  propose: (values: Partial<CrossingValues>) => void,
): void {
  const onlyTable = useProposedFile(projectId, 'CROSSING_TABLE');
  const givenTable = useQuery({ ...fileQuery(projectId, tableId ?? ''), enabled: tableId !== undefined }).data;
  const onlyModel = useOnlyModel(projectId);
  const givenModel = useQuery({ ...modelQuery(projectId, modelId ?? ''), enabled: modelId !== undefined }).data;
  const genotype = useQuery({ ...fileQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined }).data;
  const inputs = {
    crossing_table_id: tableId === undefined ? onlyTable : givenTable,
    model_id: modelId === undefined ? onlyModel : givenModel,
    // That of the model needs no mention, and its phased sibling may take its place.
    genotype_id: genotype && givenModel && genotype.id !== givenModel.genotype_id ? genotype : undefined,
  };
  const done = useRef(new Set<string>());
  useEffect(() => {
    for (const field of ['crossing_table_id', 'model_id', 'genotype_id'] as const) {
      const input = inputs[field];
      if (!input || done.current.has(field)) continue;
      done.current.add(field);
      if (!values[field]) propose({ [field]: { id: input.id, name: input.name } });
    }
  }, [inputs.crossing_table_id, inputs.model_id, inputs.genotype_id]);
}
