import { type CovariateKind, type Gwas, type GwasDetail, MAX_STEPS, PERMUTATIONS } from '@heterosis/contracts/gwas';
import { Checkbox, Input, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { useRequiredProjectId } from '../../lib/current.ts';
import { numberError, useSubmission } from '../../lib/form.ts';
import { type ModalProps, useModal } from '../../lib/modal.ts';
import { InputMatchPanel, RunEstimate } from '../matching/index.ts';
import {
  CovariateFields,
  covariateChoice,
  ExclusionFields,
  exclusionsBody,
  exclusionValues,
  hasLimitError,
  RunDialog,
  RunFileFields,
  RunTraitsField,
  runInputBody,
  runInputValues,
  useDraftForm,
  useRunInputs,
  WithSource,
} from '../run-dialog/index.ts';
import { ClumpFields, clumpsBody, clumpValues, hasClumpError } from './clump-fields.tsx';
import { ConditionField, type EarlierResult } from './condition-field.tsx';
import { gwasListQuery, gwasQuery, useGwasMutations } from './gwas.api.ts';

const COMPONENTS = { min: 0, max: 20, isWhole: true };
const PERMUTED = { min: PERMUTATIONS.fewest, max: PERMUTATIONS.most, isWhole: true };
const STEPS = { min: 1, max: MAX_STEPS, isWhole: true };
const MAF = { min: 0, max: 0.5 };
const CALL_RATE = { min: 0, max: 1 };

/** `id` names a GWAS that is run again with changes, maybe given further markers. */
export function CreateGwasModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery({ ...gwasQuery(projectId, id ?? ''), enabled: id !== undefined });
  return (
    <WithSource title={t('gwas.run')} close={close} id={id} query={query}>
      {(source) => <RunGwas close={close} source={source} />}
    </WithSource>
  );
}

function RunGwas({ close, source }: { close: () => void; source: GwasDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useRequiredProjectId();
  const { create } = useGwasMutations(projectId);
  const { given } = useModal();
  const runs = useQuery(gwasListQuery(projectId)).data ?? [];
  const { form, draft, propose } = useDraftForm({
    draftKey: `gwas ${projectId} ${source?.id ?? ''} ${given.join(' ')}`.trimEnd(),
    initialValues: {
      ...runInputValues(source, t),
      ...(given.length === 0 || source === undefined ? {} : { name: givenName(source.name, given, t) }),
      test: (source?.test ?? 'LRT') as GwasDetail['test'],
      fixed: (source?.fixed ?? 0) as number | string,
      covariates: source?.covariates ?? [],
      covariateKinds: (source?.provenance.parameters.covariate_kinds ?? {}) as Record<string, CovariateKind>,
      condition_on: [...new Set([...(source?.condition_on ?? []), ...given])],
      dominance: source?.dominance ?? false,
      exclusions: exclusionValues(source?.provenance.parameters.exclusions),
      loco: source?.loco ?? false,
      permutations: (source?.provenance.parameters.permutations ?? '') as number | string,
      stepwise: (source?.provenance.parameters.stepwise ?? '') as number | string,
      clumps: clumpValues(source?.provenance.parameters),
      thresh_maf: (source?.thresh_maf ?? 0.05) as number | string,
      thresh_callrate: (source?.thresh_callrate ?? 0.9) as number | string,
    },
    validateInputOnChange: true,
    validate: (values) => ({
      fixed: numberError(t, values.fixed, COMPONENTS),
      permutations: values.permutations === '' ? undefined : numberError(t, values.permutations, PERMUTED),
      stepwise: stepsOf(values) === undefined ? undefined : numberError(t, values.stepwise, STEPS),
      thresh_maf: numberError(t, values.thresh_maf, MAF),
      thresh_callrate: numberError(t, values.thresh_callrate, CALL_RATE),
    }),
  });
  const { thresh_maf: maf, thresh_callrate: callRate } = form.values;
  const areWrong = (numberError(t, maf, MAF) ?? numberError(t, callRate, CALL_RATE)) !== undefined;
  const thresholds = useMemo(
    () => (areWrong ? null : { thresh_maf: Number(maf), thresh_callrate: Number(callRate) }),
    [areWrong, maf, callRate],
  );
  const { exclusions, clumps } = form.values;
  const excluded = useMemo(() => (hasLimitError(t, exclusions) ? {} : exclusionsBody(exclusions)), [t, exclusions]);
  const inputs = useRunInputs(projectId, form, { propose, runs, thresholds, excluded });
  const choice = covariateChoice(inputs, form.values);
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        ...runInputBody(values),
        ...inputs.renamesBody,
        ...exclusionsBody(values.exclusions),
        test: values.test,
        fixed: Number(values.fixed),
        covariates: choice.covariates,
        covariate_kinds: choice.kinds,
        condition_on: values.condition_on,
        dominance: values.dominance,
        loco: values.loco,
        permutations: values.permutations === '' ? undefined : Number(values.permutations),
        stepwise: stepsOf(values),
        clumps: clumpsBody(values.clumps),
        thresh_maf: Number(values.thresh_maf),
        thresh_callrate: Number(values.thresh_callrate),
      }),
    (one) => {
      draft.drop();
      return navigate({
        to: '/projects/$projectId/gwas/$gwasId',
        params: { projectId, gwasId: one.id },
        replace: true,
      });
    },
  );
  return (
    <RunDialog
      title={t('gwas.run')}
      help="gwas#start-a-gwas"
      close={close}
      submission={submission}
      draft={draft}
      missing={
        inputs.missing ??
        (form.isValid() && !hasLimitError(t, exclusions) && !hasClumpError(t, clumps)
          ? undefined
          : t('form.correctFields'))
      }
      files={<RunFileFields projectId={projectId} nameLabel={t('gwas.name')} inputs={inputs} />}
      match={
        <Stack gap="sm" miw={0} justify="flex-start">
          <InputMatchPanel projectId={projectId} inputs={inputs} />
          <RunEstimate
            projectId={projectId}
            inputs={inputs}
            analysis="gwas"
            test={form.values.test}
            dominance={form.values.dominance}
            loco={form.values.loco}
            permutations={form.values.permutations !== '' && form.errors['permutations'] === undefined}
            stepwise={form.errors['stepwise'] === undefined ? (stepsOf(form.values) ?? 0) : 0}
          />
        </Stack>
      }
    >
      <RunTraitsField inputs={inputs} />
      <div className={classes.pair}>
        <Input.Wrapper label={t('gwas.test')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('gwas.test')}
            data={['LRT', 'WALD', 'SCORE']}
            {...form.getInputProps('test')}
          />
        </Input.Wrapper>
        <NumberInput
          label={t('gwas.fixed')}
          min={COMPONENTS.min}
          max={COMPONENTS.max}
          clampBehavior="none"
          {...form.getInputProps('fixed')}
        />
        <NumberInput
          label={t('gwas.maf')}
          min={MAF.min}
          max={MAF.max}
          clampBehavior="none"
          step={0.01}
          {...form.getInputProps('thresh_maf')}
        />
        <NumberInput
          label={t('gwas.callRate')}
          min={CALL_RATE.min}
          max={CALL_RATE.max}
          clampBehavior="none"
          step={0.01}
          {...form.getInputProps('thresh_callrate')}
        />
      </div>
      <CovariateFields
        inputs={inputs}
        choice={choice}
        error={form.errors['covariates']}
        onChange={(values) => form.setValues(values)}
      />
      <ConditionField
        projectId={projectId}
        earlier={earlierResult(runs, form.values.genotype_id?.id)}
        value={form.values.condition_on}
        onChange={(markers) => form.setFieldValue('condition_on', markers)}
        error={form.errors['condition_on']}
      />
      <ExclusionFields
        projectId={projectId}
        genotypeId={form.values.genotype_id?.id}
        values={exclusions}
        onChange={(next) => form.setFieldValue('exclusions', next)}
        error={form.errors['exclusions']}
      />
      <Checkbox
        label={t('gwas.loco')}
        description={t('gwas.locoHint')}
        {...form.getInputProps('loco', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('gwas.dominance')}
        description={t('gwas.dominanceHint')}
        {...form.getInputProps('dominance', { type: 'checkbox' })}
      />
      <ClumpFields values={clumps} onChange={(next) => form.setFieldValue('clumps', next)} />
      <div className={classes.pair}>
        <NumberInput
          label={t('gwas.permutations')}
          description={t('gwas.permutationsHint')}
          placeholder={t('gwas.none')}
          min={PERMUTED.min}
          max={PERMUTED.max}
          step={100}
          startValue={1000}
          clampBehavior="none"
          {...form.getInputProps('permutations')}
        />
        <NumberInput
          label={t('gwas.stepwise')}
          description={t(form.values.loco ? 'gwas.stepwiseNotLoco' : 'gwas.stepwiseHint')}
          placeholder={t('gwas.none')}
          min={STEPS.min}
          max={STEPS.max}
          startValue={10}
          clampBehavior="none"
          disabled={form.values.loco}
          {...form.getInputProps('stepwise')}
        />
      </div>
    </RunDialog>
  );
}

const LONGEST_NAME = 255;

/** What a GWAS is called at first that is run again given markers. */
function givenName(name: string, [marker = '', ...others]: readonly string[], t: TFunction): string {
  const more = others.length === 0 ? marker : t('gwas.andMore', { marker, count: others.length });
  const added = t('gwas.againGiven', { name: '', marker: more });
  return `${name.slice(0, LONGEST_NAME - added.length)}${added}`;
}

/** The newest GWAS of the genotype with a result: its markers can be searched. */
function earlierResult(runs: readonly Gwas[], genotypeId: string | undefined): EarlierResult | undefined {
  for (const { id, genotype_id, traits, status } of runs) {
    const trait = traits.find((one) => status[one] === 'SUCCESS');
    if (genotype_id === genotypeId && trait !== undefined) return { id, trait };
  }
  return undefined;
}

/** Steps of the multi-locus model; undefined for none. */
const stepsOf = ({ stepwise, loco }: { stepwise: number | string; loco: boolean }): number | undefined =>
  loco || stepwise === '' ? undefined : Number(stepwise);
