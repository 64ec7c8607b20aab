import type { CovariateKind, GwasDetail } from '@heterosis/contracts/gwas';
import { Checkbox, Input, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { useRequiredProjectId } from '../../lib/current.ts';
import { numberError, useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { InputMatchPanel, RunEstimate } from '../matching/index.ts';
import {
  CovariateFields,
  covariateChoice,
  RunDialog,
  RunInputFields,
  runInputBody,
  runInputValues,
  useDraftForm,
  useRunInputs,
  WithSource,
} from '../run-dialog/index.ts';
import { gwasListQuery, gwasQuery, useGwasMutations } from './gwas.api.ts';

const COMPONENTS = { min: 0, max: 20, isWhole: true };
const MAF = { min: 0, max: 0.5 };
const CALL_RATE = { min: 0, max: 1 };

/** `id` names a GWAS that is run again with changes. */
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
  const runs = useQuery(gwasListQuery(projectId)).data ?? [];
  const { form, draft, propose } = useDraftForm({
    draftKey: `gwas ${projectId} ${source?.id ?? ''}`,
    initialValues: {
      ...runInputValues(source, t),
      test: (source?.test ?? 'LRT') as GwasDetail['test'],
      fixed: (source?.fixed ?? 0) as number | string,
      covariates: source?.covariates ?? [],
      covariateKinds: (source?.provenance.parameters.covariate_kinds ?? {}) as Record<string, CovariateKind>,
      dominance: source?.dominance ?? false,
      thresh_maf: (source?.thresh_maf ?? 0.05) as number | string,
      thresh_callrate: (source?.thresh_callrate ?? 0.9) as number | string,
    },
    validate: (values) => ({
      fixed: numberError(t, values.fixed, COMPONENTS),
      thresh_maf: numberError(t, values.thresh_maf, MAF),
      thresh_callrate: numberError(t, values.thresh_callrate, CALL_RATE),
    }),
  });
  const inputs = useRunInputs(projectId, form, { propose, runs });
  const choice = covariateChoice(inputs, form.values);
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        ...runInputBody(values),
        ...inputs.renamesBody,
        test: values.test,
        fixed: Number(values.fixed),
        covariates: choice.covariates,
        covariate_kinds: choice.kinds,
        dominance: values.dominance,
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
      missing={inputs.missing}
      match={
        <Stack gap="sm" miw={0} justify="flex-start">
          <InputMatchPanel projectId={projectId} inputs={inputs} />
          <RunEstimate
            projectId={projectId}
            inputs={inputs}
            analysis="gwas"
            test={form.values.test}
            dominance={form.values.dominance}
          />
        </Stack>
      }
    >
      <RunInputFields projectId={projectId} nameLabel={t('gwas.name')} inputs={inputs} />
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
      <Checkbox
        label={t('gwas.dominance')}
        description={t('gwas.dominanceHint')}
        {...form.getInputProps('dominance', { type: 'checkbox' })}
      />
    </RunDialog>
  );
}
