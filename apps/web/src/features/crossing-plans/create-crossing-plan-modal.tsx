import { type CrossingPlanDetail, PLAN_LIMITS } from '@heterosis/contracts/crossing-plans';
import { DEFAULT_BP_PER_CM, type Population, population } from '@heterosis/contracts/crossing-simulations';
import { MultiSelect, NativeSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { useRequiredProjectId } from '../../lib/current.ts';
import { useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { FileField, fileQuery } from '../files/index.ts';
import { MatchPanel } from '../matching/index.ts';
import { ModelField, modelQuery, useOnlyModel } from '../models/index.ts';
import {
  againName,
  type ChosenFile,
  proposedName,
  RunDialog,
  RunNameField,
  useDraftForm,
  WithSource,
} from '../run-dialog/index.ts';
import { crossingPlanQuery, crossingPlansQuery, useCrossingPlanMutations } from './crossing-plans.api.ts';

/** `id` names a plan that is made again with changes. */
export function CreateCrossingPlanModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery({ ...crossingPlanQuery(projectId, id ?? ''), enabled: id !== undefined });
  return (
    <WithSource title={t('crossing_plans.create')} close={close} id={id} query={query}>
      {(source) => <PlanCrosses projectId={projectId} close={close} source={source} />}
    </WithSource>
  );
}

interface PlanValues extends Record<string, unknown> {
  name: string;
  model_id: { id: string; name: string } | undefined;
  /** Undefined: the genotype that the model was trained on. */
  genotype_id: ChosenFile | undefined;
  /** Undefined: distances from base pairs. */
  linkage_map_id: ChosenFile | undefined;
  /** Pairs already made. */
  crossing_table_id: ChosenFile | undefined;
  /** None: all of the model. */
  traits: string[];
  low_traits: string[];
  crosses: number | string;
  max_uses: number | string;
  population: Population | '';
}

/** The two parents of a backcross are not alike, and a plan pairs parents that are. */
const POPULATIONS = population.options.filter((one) => !one.startsWith('BC'));

function initialValues(source: CrossingPlanDetail | undefined, name: string): PlanValues {
  const parameters = source?.provenance.parameters;
  return {
    name,
    model_id: source?.model ?? undefined,
    genotype_id: source?.genotype ?? undefined,
    linkage_map_id: source?.linkage_map ?? undefined,
    crossing_table_id: source?.crossing_table ?? undefined,
    traits: source?.traits ?? [],
    low_traits: parameters?.low_traits ?? [],
    crosses: parameters?.crosses ?? 20,
    max_uses: parameters?.max_uses ?? 4,
    population: parameters === undefined ? 'DH' : (parameters.population ?? ''),
  };
}

function PlanCrosses(props: { projectId: string; close: () => void; source: CrossingPlanDetail | undefined }) {
  const { projectId, close, source } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { create } = useCrossingPlanMutations(projectId);
  const { form, draft, propose } = useDraftForm<PlanValues>({
    draftKey: `crossing_plan ${projectId} ${source?.id ?? ''}`,
    initialValues: initialValues(source, source ? againName(source.name, t) : ''),
  });
  const onlyModel = useOnlyModel(projectId);
  const values = { ...form.values, model_id: form.values.model_id ?? onlyModel };
  const model = useQuery({
    ...modelQuery(projectId, values.model_id?.id ?? ''),
    enabled: values.model_id !== undefined,
  });
  const traits = model.data?.traits ?? [];
  const genotypeId = values.genotype_id?.id ?? model.data?.genotype_id ?? undefined;
  const genotype = useQuery({ ...fileQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined });
  const taken = useQuery(crossingPlansQuery(projectId)).data ?? [];
  const proposal = proposedName(
    [values.model_id?.name, genotype.data?.name],
    taken.map((one) => one.name),
  );
  const submission = useSubmission(
    form,
    () => create.mutateAsync(bodyOf(values, traits, source)),
    (one) => {
      draft.drop();
      return navigate({
        to: '/projects/$projectId/crossingPlans/$crossingPlanId',
        params: { projectId, crossingPlanId: one.id },
        replace: true,
      });
    },
  );
  const isWhole = (value: number | string, { min, max }: { min: number; max: number }) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  const missing = (): string | undefined => {
    if (values.name.trim() === '') return t('form.nameRequired');
    if (!values.model_id) return t('predictions.needModel');
    if (model.data && !genotypeId) return t('predictions.needGenotype');
    if (!isWhole(values.crosses, PLAN_LIMITS.crosses) || !isWhole(values.max_uses, PLAN_LIMITS.max_uses))
      return t('form.correctNumbers');
    return undefined;
  };
  return (
    <RunDialog
      title={t('crossing_plans.create')}
      help="crossing#plan-crosses"
      close={close}
      submission={submission}
      draft={draft}
      missing={missing()}
      match={
        <MatchPanel
          title={t('match.markersTitle')}
          projectId={projectId}
          body={values.model_id && genotypeId ? { model_id: values.model_id.id, genotype_id: genotypeId } : undefined}
          renames={[]}
          onRenames={() => {}}
          hint={t('predictions.matchHint')}
        />
      }
    >
      <RunNameField
        label={t('crossing_plans.name')}
        input={form.getInputProps('name')}
        proposal={proposal}
        propose={propose}
      />
      <ModelField
        projectId={projectId}
        value={values.model_id}
        onChange={(chosen) => form.setValues({ model_id: chosen, traits: [], low_traits: [] })}
        error={form.errors.model_id}
      />
      <FileField
        label={t('crossing_plans.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={values.genotype_id}
        onChange={(file) => form.setFieldValue('genotype_id', file)}
        emptyText={model.data?.genotype_id ? t('predictions.genotypeOfModel') : undefined}
        error={form.errors.genotype_id}
      />
      {traits.length > 0 && (
        <>
          <MultiSelect
            label={t('crossing_plans.traits')}
            description={t('crossing_plans.traitsHint')}
            data={traits}
            placeholder={values.traits.length === 0 ? t('crossing_plans.allTraits') : ''}
            clearable
            hidePickedOptions
            {...form.getInputProps('traits')}
          />
          <MultiSelect
            label={t('crossing_simulations.lowTraits')}
            description={t('crossing_simulations.lowTraitsHint')}
            data={values.traits.length > 0 ? values.traits : traits}
            clearable
            hidePickedOptions
            {...form.getInputProps('low_traits')}
          />
        </>
      )}
      <div className={classes.pair}>
        <NumberInput
          label={t('crossing_plans.crosses')}
          {...PLAN_LIMITS.crosses}
          allowDecimal={false}
          {...form.getInputProps('crosses')}
        />
        <NumberInput
          label={t('crossing_plans.maxUses')}
          {...PLAN_LIMITS.max_uses}
          allowDecimal={false}
          {...form.getInputProps('max_uses')}
        />
      </div>
      <NativeSelect
        label={t('crossing_simulations.population')}
        description={t('crossing_plans.populationHint')}
        data={[
          ...POPULATIONS.map((value) => ({ value, label: t(`crossing_simulations.populations.${value}`) })),
          { value: '', label: t('crossing_plans.noPopulation') },
        ]}
        {...form.getInputProps('population')}
      />
      <FileField
        label={t('crossing_simulations.linkageMap')}
        projectId={projectId}
        types={['LINKAGE_MAP']}
        value={values.linkage_map_id}
        onChange={(file) => form.setFieldValue('linkage_map_id', file)}
        emptyText={t('crossing_simulations.noMap')}
        error={form.errors.linkage_map_id}
      />
      <FileField
        label={t('crossing_plans.made')}
        projectId={projectId}
        types={['CROSSING_TABLE']}
        value={values.crossing_table_id}
        onChange={(file) => form.setFieldValue('crossing_table_id', file)}
        emptyText={t('crossing_plans.noneMade')}
        error={form.errors.crossing_table_id}
      />
    </RunDialog>
  );
}

/** What the request holds; a repeated plan keeps the settings that the dialog does not show. */
function bodyOf(values: PlanValues, known: readonly string[], source: CrossingPlanDetail | undefined) {
  const { genotype_id: genotype, linkage_map_id: map, crossing_table_id: made } = values;
  const of = (traits: readonly string[]) => traits.filter((trait) => known.includes(trait));
  const traits = of(values.traits);
  const kept = source?.provenance.parameters;
  return {
    ...(kept === undefined
      ? {}
      : {
          index_method: kept.index_method,
          mates: kept.mates,
          cap: kept.cap,
          candidates: kept.candidates,
          selected_fraction: kept.selected_fraction,
          accuracy: kept.accuracy,
        }),
    name: values.name,
    model_id: values.model_id?.id ?? '',
    ...(genotype ? { genotype_id: genotype.id } : {}),
    ...(map ? { linkage_map_id: map.id } : { bp_per_cm: kept?.bp_per_cm ?? DEFAULT_BP_PER_CM }),
    ...(made ? { crossing_table_id: made.id } : {}),
    ...(traits.length > 0 ? { traits } : {}),
    low_traits: of(values.low_traits),
    crosses: Number(values.crosses),
    max_uses: Number(values.max_uses),
    population: values.population === '' ? null : values.population,
  };
}
