import {
  type CrossingSimulationDetail,
  DEFAULT_BP_PER_CM,
  type Population,
  population,
} from '@heterosis/contracts/crossing-simulations';
import { Button, MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { useRequiredProjectId } from '../../lib/current.ts';
import { useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { FileField } from '../files/index.ts';
import { MatchPanel, type Rename, useMatch } from '../matching/index.ts';
import { ModelField, modelQuery } from '../models/index.ts';
import { againName, RunDialog, WithSource } from '../run-dialog/index.ts';
import { crossingSimulationQuery, useCrossingSimulationMutations } from './crossing-simulations.api.ts';

/** `id` names a crossing simulation that is run again with changes. */
export function CreateCrossingSimulationModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery({ ...crossingSimulationQuery(projectId, id ?? ''), enabled: id !== undefined });
  return (
    <WithSource title={t('crossing_simulations.create')} close={close} id={id} query={query}>
      {(source) => <Simulate close={close} source={source} />}
    </WithSource>
  );
}

type Chosen = { id: string; name: string };

function Simulate({ close, source }: { close: () => void; source: CrossingSimulationDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useRequiredProjectId();
  const [model, setModel] = useState<Chosen | undefined>(source?.model ?? undefined);
  const [genotype, setGenotype] = useState<Chosen | undefined>(source?.genotype ?? undefined);
  const [crossingTable, setCrossingTable] = useState<Chosen | undefined>(source?.crossing_table ?? undefined);
  const [linkageMap, setLinkageMap] = useState<Chosen | undefined>(source?.linkage_map ?? undefined);
  const [renames, setRenames] = useState<Rename[]>(source?.provenance.parameters.renames ?? []);
  const detail = useQuery({ ...modelQuery(projectId, model?.id ?? ''), enabled: model !== undefined });
  const genotypeId = genotype?.id ?? detail.data?.genotype_id ?? undefined;
  const body =
    genotypeId && crossingTable ? { genotype_id: genotypeId, crossing_table_id: crossingTable.id, renames } : undefined;
  const match = useMatch(projectId, body);
  const { create } = useCrossingSimulationMutations(projectId);
  const parameters = source?.provenance.parameters;
  const form = useForm({
    initialValues: {
      name: source ? againName(source.name, t) : '',
      population: parameters?.population ?? ('DH' as Population),
      progeny: (parameters?.progeny ?? 1000) as number | string,
      selected_percent: ((parameters?.selected_fraction ?? 0.05) * 100) as number | string,
      accuracy: (parameters?.accuracy ?? 1) as number | string,
      low_traits: parameters?.low_traits ?? [],
      bp_per_cm: (parameters?.bp_per_cm ?? DEFAULT_BP_PER_CM) as number | string,
      model_id: '',
      genotype_id: '',
      crossing_table_id: '',
      linkage_map_id: '',
    },
  });
  const traits = detail.data?.traits ?? [];
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        name: values.name,
        model_id: model?.id ?? '',
        ...(genotype ? { genotype_id: genotype.id } : {}),
        crossing_table_id: crossingTable?.id ?? '',
        ...(linkageMap ? { linkage_map_id: linkageMap.id } : { bp_per_cm: Number(values.bp_per_cm) }),
        population: values.population,
        progeny: Number(values.progeny),
        selected_fraction: Number(values.selected_percent) / 100,
        accuracy: Number(values.accuracy),
        low_traits: values.low_traits.filter((trait) => traits.includes(trait)),
        ...(renames.length > 0 ? { renames } : {}),
        ...(source?.provenance.seed == null ? {} : { seed: source.provenance.seed }),
      }),
    (one) =>
      navigate({
        to: '/projects/$projectId/crossingSimulation/$crossingSimulationId',
        params: { projectId, crossingSimulationId: one.id },
        replace: true,
      }),
  );
  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!model) return t('predictions.needModel');
    if (!crossingTable) return t('crossing_simulations.needCrossingTable');
    if (detail.data && !genotypeId) return t('predictions.needGenotype');
    if (match.data && !match.data.can_run) return t('runs.notTogether');
    return undefined;
  };
  return (
    <RunDialog
      title={t('crossing_simulations.create')}
      close={close}
      submission={submission}
      missing={missing()}
      match={
        <MatchPanel
          projectId={projectId}
          body={body}
          renames={renames}
          onRenames={setRenames}
          title={t('crossing_simulations.matchTitle')}
          hint={t('crossing_simulations.matchHint')}
        />
      }
    >
      <TextInput
        label={t('crossing_simulations.name')}
        data-autofocus
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <ModelField
        projectId={projectId}
        value={model}
        onChange={setModel}
        error={form.errors.model_id as string | undefined}
      />
      <FileField
        label={t('crossing_simulations.crossingTable')}
        projectId={projectId}
        types={['CROSSING_TABLE']}
        value={crossingTable}
        onChange={(file) => {
          setCrossingTable(file);
          setRenames([]);
        }}
        error={form.errors.crossing_table_id as string | undefined}
      />
      <FileField
        label={t('crossing_simulations.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={genotype}
        onChange={(file) => {
          setGenotype(file);
          setRenames([]);
        }}
        emptyText={detail.data?.genotype_id ? t('predictions.genotypeOfModel') : undefined}
        error={form.errors.genotype_id as string | undefined}
      />
      <FileField
        label={t('crossing_simulations.linkageMap')}
        projectId={projectId}
        types={['LINKAGE_MAP']}
        value={linkageMap}
        onChange={setLinkageMap}
        emptyText={t('crossing_simulations.noMap')}
        error={form.errors.linkage_map_id as string | undefined}
      />
      {linkageMap === undefined ? (
        <NumberInput
          label={t('crossing_simulations.bpPerCm')}
          description={t('crossing_simulations.bpPerCmHint')}
          min={1000}
          max={1e9}
          step={100_000}
          thousandSeparator=","
          {...form.getInputProps('bp_per_cm')}
        />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          style={{ alignSelf: 'start' }}
          onClick={() => setLinkageMap(undefined)}
        >
          {t('crossing_simulations.withoutMap')}
        </Button>
      )}
      <div className={classes.pair}>
        <NativeSelect
          label={t('crossing_simulations.population')}
          data={population.options.map((value) => ({ value, label: t(`crossing_simulations.populations.${value}`) }))}
          {...form.getInputProps('population')}
        />
        <NumberInput
          label={t('crossing_simulations.progeny')}
          min={1}
          max={100_000}
          allowDecimal={false}
          thousandSeparator=","
          {...form.getInputProps('progeny')}
        />
        <NumberInput
          label={t('crossing_simulations.selectedPercent')}
          min={0.0001}
          max={100}
          decimalScale={4}
          suffix=" %"
          {...form.getInputProps('selected_percent')}
        />
        <NumberInput
          label={t('crossing_simulations.accuracy')}
          min={0}
          max={1}
          step={0.05}
          decimalScale={3}
          {...form.getInputProps('accuracy')}
        />
      </div>
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
    </RunDialog>
  );
}
