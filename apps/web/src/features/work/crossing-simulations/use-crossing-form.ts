import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { againName } from '../../../lib/format/again-name.ts';
import { fileQuery, useProposedFile } from '../../data/files/index.ts';
import { useLowTraits } from '../../people/projects/index.ts';
import { type Rename, useMatch } from '../matching/index.ts';
import { modelRuns, useOnlyModel } from '../models/index.ts';
import {
  type ChosenFile,
  optionBody,
  optionErrors,
  optionsKept,
  optionValues,
  proposedName,
  useDraftForm,
} from '../run-dialog/index.ts';
import { crossingSimulationRuns } from './crossing-simulations.api.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type CrossingValues = ReturnType<typeof crossingValues>;

/** Field → what is wrong with its number. Base pairs per cM count only without a linkage map. */
export function crossingErrors(t: TFunction, values: CrossingValues) {
  const { bp_per_cm, ...errors } = optionErrors(t, CROSSING_OPTIONS, values);
  return values.linkage_map_id === undefined ? { ...errors, bp_per_cm } : errors;
}

/** Values to begin with: the usual ones, or those of a simulation that is run again with changes. */
export function crossingValues(source: CrossingSimulationDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  return {
    name,
    model_id: (source?.model ?? undefined) as ChosenFile | undefined,
    crossing_table_id: (source?.crossing_table ?? undefined) as ChosenFile | undefined,
    // Undefined: the genotype that the model was trained on.
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    // Undefined: distances follow from positions, by `bp_per_cm`.
    linkage_map_id: (source?.linkage_map ?? undefined) as ChosenFile | undefined,
    ...optionValues(CROSSING_OPTIONS, parameters),
    kept: optionsKept(CROSSING_OPTIONS, { ...parameters, seed: source?.provenance.seed }),
    renames: (parameters?.renames ?? []) as Rename[],
  };
}

/** Fields of other plants that are hidden. */
const DIPLOID = { phase: 'known', pairing: 'bivalent', double_reduction: undefined, preferential: undefined } as const;
/** One generation is predicted of polyploids. */
const POLYPLOID = { population: 'F1', map_function: 'haldane' } as const;

/** What the request holds; traits that the model does not have are left out, and what does not concern such plants. */
export function crossingBody(values: CrossingValues, traits: readonly string[], ploidy?: number) {
  const { genotype_id: genotype, linkage_map_id: linkageMap, renames } = values;
  const { bp_per_cm, ...options } = optionBody(CROSSING_OPTIONS, values);
  return {
    name: values.name,
    model_id: values.model_id?.id ?? '',
    ...(genotype ? { genotype_id: genotype.id } : {}),
    crossing_table_id: values.crossing_table_id?.id ?? '',
    ...values.kept,
    ...options,
    ...(ploidy === undefined ? {} : ploidy === 2 ? DIPLOID : POLYPLOID),
    ...(linkageMap ? { linkage_map_id: linkageMap.id } : { bp_per_cm }),
    // Until the traits of the model are known, what was chosen stays.
    low_traits: values.low_traits.filter((trait) => traits.length === 0 || traits.includes(trait)),
    ...(renames.length > 0 ? { renames } : {}),
  };
}

/** The form of a crossing simulation, the traits of the chosen model, and how parents and genotype match. */
export function useCrossingForm(projectId: string, source: CrossingSimulationDetail | undefined, given: GivenInputs) {
  const { t } = useTranslation();
  const { form, draft, propose } = useDraftForm({
    draftKey: `crossing_simulation ${projectId} ${source?.id ?? ''} ${given.tableId ?? ''}`,
    initialValues: crossingValues(source, source ? againName(source.name, t) : ''),
    validate: (values) => crossingErrors(t, values),
    validateInputOnChange: true,
  });
  const { name, model_id: model, genotype_id: genotype, crossing_table_id: crossingTable, renames } = form.values;
  const setRenames = (next: Rename[]): void => form.setFieldValue('renames', next);
  const detail = useQuery({ ...modelRuns.detail(projectId, model?.id ?? ''), enabled: model !== undefined });
  const genotypeOfModel = detail.data?.genotype_id ?? undefined;
  const genotypeId = genotype?.id ?? genotypeOfModel;
  const panel = useQuery({ ...fileQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined });
  const ploidy = panel.data?.ploidy ?? 2;
  const matchBody =
    genotypeId && crossingTable ? { genotype_id: genotypeId, crossing_table_id: crossingTable.id, renames } : undefined;
  const match = useMatch(projectId, matchBody);
  const phase = match.data?.phase;
  const taken = useQuery(crossingSimulationRuns.list(projectId)).data ?? [];
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
  const needsPhase = (phase?.unphased.length ?? 0) > 0;
  // Once for each genotype: whoever chooses "known" after all is told what is missing.
  useEffect(() => {
    if (source === undefined && ploidy > 2 && needsPhase && (genotype || !sibling)) propose({ phase: 'unknown' });
  }, [phase === undefined ? undefined : genotypeId, ploidy, needsPhase]);

  const missing = (): string | undefined => {
    if (name.trim() === '') return t('form.nameRequired');
    if (!model) return t('word.chooseAModel');
    if (!crossingTable) return t('crossing_simulations.needCrossingTable');
    if (detail.data && !genotypeId) return t('predictions.needGenotype');
    // Parents of diploids without phase are no obstacle: the genotype is phased first.
    const isMended = needsPhase && (ploidy === 2 || form.values.phase === 'unknown');
    if (match.data && !match.data.can_run && !isMended) return t('runs.notTogether');
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
    /** Copies of each chromosome in the parents. */
    ploidy,
    /** Parents that need phase and can get it, and a genotype file that has it. */
    unphased: ploidy === 2 && phase && phase.unphased.length > 0 ? phase : undefined,
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
  const onlyModel = useOnlyModel(projectId, 'effects');
  const givenModel = useQuery({ ...modelRuns.detail(projectId, modelId ?? ''), enabled: modelId !== undefined }).data;
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
