import { type CrossingSimulationDetail, mapFunction, population } from '@heterosis/contracts/work/crossing-simulations';
import { Button, MultiSelect, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { FileField } from '../../data/files/index.ts';
import { MatchPanel } from '../matching/index.ts';
import { ModelField } from '../models/index.ts';
import { RunDialog, RunNameField, WithSource } from '../run-dialog/index.ts';
import { crossingSimulationQuery, useCrossingSimulationMutations } from './crossing-simulations.api.ts';
import {
  type CrossingForm,
  crossingBody,
  type GivenInputs,
  NUMBER_LIMITS,
  useCrossingForm,
} from './use-crossing-form.ts';

/**
 * `id` names a crossing simulation that is run again with changes, or what the dialog begins with:
 * `table:<crossing table>:<model>:<genotype>`, the last two may be empty.
 */
export function CreateCrossingSimulationModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const [kind, tableId, modelId, genotypeId] = id?.split(':') ?? [];
  const given = kind === 'table' ? { tableId, modelId: modelId || undefined, genotypeId: genotypeId || undefined } : {};
  const sourceId = kind === 'table' ? undefined : id;
  const query = useQuery({ ...crossingSimulationQuery(projectId, sourceId ?? ''), enabled: sourceId !== undefined });
  return (
    <WithSource title={t('crossing_simulations.create')} close={close} id={sourceId} query={query}>
      {(source) => <SimulateCrosses projectId={projectId} close={close} source={source} given={given} />}
    </WithSource>
  );
}

function SimulateCrosses(props: {
  projectId: string;
  close: () => void;
  source: CrossingSimulationDetail | undefined;
  given: GivenInputs;
}) {
  const { projectId, close, source, given } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { create } = useCrossingSimulationMutations(projectId);
  const crossing = useCrossingForm(projectId, source, given);
  const { form, draft, traits, hasGenotypeOfModel, matchBody, renames, setRenames, missing } = crossing;
  const phasesFirst = crossing.unphased !== undefined;
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        ...crossingBody(values, traits),
        phase_first: phasesFirst,
        ...(renames.length > 0 ? { renames } : {}),
        ...(source?.provenance.seed == null ? {} : { seed: source.provenance.seed }),
      }),
    (one) => {
      draft.drop();
      return navigate({
        to: '/projects/$projectId/crossingSimulation/$crossingSimulationId',
        params: { projectId, crossingSimulationId: one.id },
        replace: true,
      });
    },
  );
  return (
    <RunDialog
      title={t('crossing_simulations.create')}
      help="crossing#start-a-simulation"
      close={close}
      submission={submission}
      submitLabel={phasesFirst ? t('crossing_simulations.phaseAndSimulate') : undefined}
      draft={draft}
      missing={missing}
      files={
        <InputFields
          projectId={projectId}
          form={form}
          name={crossing.name}
          hasGenotypeOfModel={hasGenotypeOfModel}
          onOtherNames={() => setRenames([])}
        />
      }
      match={
        <MatchPanel
          projectId={projectId}
          body={matchBody}
          renames={renames}
          onRenames={setRenames}
          isMended={phasesFirst}
          title={t('crossing_simulations.matchTitle')}
          hint={t('crossing_simulations.matchHint')}
        />
      }
    >
      {crossing.unphased && <Unphased {...crossing.unphased} form={form} />}
      {traits.length > 0 && (
        <MultiSelect
          label={t('crossing_simulations.lowTraits')}
          description={t('crossing_simulations.lowTraitsHint')}
          data={traits}
          searchable={traits.length > 8}
          clearable
          hidePickedOptions
          {...form.getInputProps('low_traits')}
        />
      )}
      <LinkageMapField projectId={projectId} form={form} />
      <NativeSelect
        label={t('crossing_simulations.mapFunction')}
        description={t('crossing_simulations.mapFunctionHint')}
        data={mapFunction.options.map((value) => ({ value, label: t(`crossing_simulations.mapFunctions.${value}`) }))}
        {...form.getInputProps('map_function')}
      />
      <ParameterFields form={form} />
    </RunDialog>
  );
}

type Crossing = ReturnType<typeof useCrossingForm>;

interface FieldsProps {
  projectId: string;
  form: CrossingForm;
}

/** Name, model, crossing table and genotype. */
function InputFields(
  props: FieldsProps & Pick<Crossing, 'name'> & { hasGenotypeOfModel: boolean; onOtherNames: () => void },
) {
  const { projectId, form, name, hasGenotypeOfModel, onOtherNames } = props;
  const { t } = useTranslation();
  return (
    <>
      <RunNameField label={t('crossing_simulations.name')} input={form.getInputProps('name')} {...name} />
      <ModelField
        projectId={projectId}
        value={form.values.model_id}
        onChange={({ id, name }) => form.setFieldValue('model_id', { id, name })}
        error={form.errors.model_id}
      />
      <FileField
        label={t('crossing_simulations.crossingTable')}
        projectId={projectId}
        types={['CROSSING_TABLE']}
        value={form.values.crossing_table_id}
        onChange={({ id, name }) => {
          form.setFieldValue('crossing_table_id', { id, name });
          onOtherNames();
        }}
        error={form.errors.crossing_table_id}
      />
      <FileField
        label={t('crossing_simulations.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={form.values.genotype_id}
        onChange={({ id, name }) => {
          form.setFieldValue('genotype_id', { id, name });
          onOtherNames();
        }}
        onClear={() => {
          form.setFieldValue('genotype_id', undefined);
          onOtherNames();
        }}
        emptyText={hasGenotypeOfModel ? t('predictions.genotypeOfModel') : undefined}
        error={form.errors.genotype_id}
      />
    </>
  );
}

/** Names the parents without phase while the genotype is chosen: it is phased first, unless another one is taken. */
function Unphased(props: {
  form: CrossingForm;
  unphased: string[];
  phased_sibling: { id: string; name: string } | null;
}) {
  const { form, phased_sibling: sibling } = props;
  const { t } = useTranslation();
  return (
    <Notice kind="info">
      {t('crossing_simulations.unphased', { count: props.unphased.length })} {t('crossing_simulations.phaseFirst')}{' '}
      {sibling && (
        <Button size="compact-xs" variant="default" onClick={() => form.setFieldValue('genotype_id', sibling)}>
          {t('crossing_simulations.useSibling', { name: sibling.name })}
        </Button>
      )}
    </Notice>
  );
}

/** A linkage map, or one recombination rate for the whole genome. */
function LinkageMapField({ projectId, form }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <FileField
        label={t('crossing_simulations.linkageMap')}
        projectId={projectId}
        types={['LINKAGE_MAP']}
        value={form.values.linkage_map_id}
        onChange={({ id, name }) => form.setFieldValue('linkage_map_id', { id, name })}
        onClear={() => form.setFieldValue('linkage_map_id', undefined)}
        emptyText={t('crossing_simulations.noMap')}
        error={form.errors.linkage_map_id}
      />
      {form.values.linkage_map_id === undefined && (
        <NumberField
          label={t('crossing_simulations.bpPerCm')}
          description={t('crossing_simulations.bpPerCmHint')}
          limits={NUMBER_LIMITS.bp_per_cm}
          step={100_000}
          {...form.getInputProps('bp_per_cm')}
        />
      )}
    </>
  );
}

function ParameterFields({ form }: Pick<FieldsProps, 'form'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <NativeSelect
        label={t('crossing_simulations.population')}
        data={population.options.map((value) => ({ value, label: t(`crossing_simulations.populations.${value}`) }))}
        {...form.getInputProps('population')}
      />
      <NumberField
        label={t('crossing_simulations.progeny')}
        description={form.values.map_function === 'kosambi' ? t('crossing_simulations.progenyOfKosambi') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        limits={NUMBER_LIMITS.progeny}
        {...form.getInputProps('progeny')}
      />
      <NumberField
        label={t('crossing_simulations.selectedPercent')}
        limits={NUMBER_LIMITS.selected_percent}
        unit="%"
        {...form.getInputProps('selected_percent')}
      />
      <NumberField
        label={t('crossing_simulations.accuracy')}
        limits={NUMBER_LIMITS.accuracy}
        step={0.05}
        {...form.getInputProps('accuracy')}
      />
    </div>
  );
}
