import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { Gwas, GwasDetail } from '@heterosis/contracts/work/gwas';
import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ModalProps, useModal } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { InputMatchPanel, RunEstimate } from '../../matching/index.ts';
import {
  CovariateFields,
  covariateChoice,
  ExclusionFields,
  exclusionsBody,
  hasLimitError,
  OptionFields,
  optionBody,
  optionErrors,
  RunDialog,
  RunFileFields,
  type RunInputs,
  RunTraitsField,
  useDraftForm,
  useRunInputs,
  WithSource,
} from '../../run-dialog/index.ts';
import { gwasListQuery, gwasQuery, useGwasMutations } from '../gwas.api.ts';
import { ClumpFields, hasClumpError } from './clump-fields.tsx';
import { ConditionField, type EarlierResult } from './condition-field.tsx';
import { type GwasValues, gwasBody, gwasValues } from './gwas-form.ts';

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
  const runs = useQuery(gwasListQuery(projectId)).data ?? [];
  const { form, draft, propose } = useGwasForm(projectId, source);
  const inputs = useGwasInputs(projectId, form, propose, runs);
  const choice = covariateChoice(inputs, form.values);
  const submission = useSubmission(
    form,
    (values) => create.mutateAsync(gwasBody(values, inputs.renamesBody, choice)),
    (one) => {
      draft.drop();
      return navigate({
        to: '/projects/$projectId/gwas/$gwasId',
        params: { projectId, gwasId: one.id },
        replace: true,
      });
    },
  );
  const { exclusions, clumps } = form.values;
  const asked = optionBody(GWAS_OPTIONS, form.values);
  const isCorrect = form.isValid() && !hasLimitError(t, exclusions) && !hasClumpError(t, clumps);
  return (
    <RunDialog
      title={t('gwas.run')}
      help="gwas#start-a-gwas"
      close={close}
      submission={submission}
      draft={draft}
      missing={inputs.missing ?? (isCorrect ? undefined : t('form.correctFields'))}
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
            permutations={asked.permutations !== undefined && form.errors['permutations'] === undefined}
            stepwise={form.errors['stepwise'] === undefined ? (asked.stepwise ?? 0) : 0}
          />
        </Stack>
      }
    >
      <RunTraitsField inputs={inputs} />
      <OptionFields
        analysis="gwas"
        table={GWAS_OPTIONS}
        form={form}
        own={{
          covariates: (
            <CovariateFields
              inputs={inputs}
              choice={choice}
              error={form.errors['covariates']}
              onChange={(values) => form.setValues(values)}
            />
          ),
          condition_on: (
            <ConditionField
              projectId={projectId}
              earlier={earlierResult(runs, form.values.genotype_id?.id)}
              value={form.values.condition_on}
              onChange={(markers) => form.setFieldValue('condition_on', markers)}
              error={form.errors['condition_on']}
            />
          ),
          exclusions: (
            <ExclusionFields
              projectId={projectId}
              genotypeId={form.values.genotype_id?.id}
              values={exclusions}
              onChange={(next) => form.setFieldValue('exclusions', next)}
              error={form.errors['exclusions']}
            />
          ),
          clumps: <ClumpFields values={clumps} onChange={(next) => form.setFieldValue('clumps', next)} />,
        }}
      />
    </RunDialog>
  );
}

function useGwasForm(projectId: string, source: GwasDetail | undefined) {
  const { t } = useTranslation();
  const { given } = useModal();
  return useDraftForm<GwasValues>({
    draftKey: `gwas ${projectId} ${source?.id ?? ''} ${given.join(' ')}`.trimEnd(),
    initialValues: gwasValues(source, given, t),
    validateInputOnChange: true,
    validate: (values) => optionErrors(t, GWAS_OPTIONS, values),
  });
}

/** The chosen files, matched with the thresholds and what is left out. */
function useGwasInputs(
  projectId: string,
  form: UseFormReturnType<GwasValues>,
  propose: (values: Partial<GwasValues>) => void,
  runs: readonly Gwas[],
): RunInputs {
  const { t } = useTranslation();
  const { thresh_maf: maf, thresh_callrate: callRate, exclusions } = form.values;
  const errors = optionErrors(t, GWAS_OPTIONS, form.values);
  const areWrong = (errors.thresh_maf ?? errors.thresh_callrate) !== undefined;
  const thresholds = useMemo(
    () => (areWrong ? null : { thresh_maf: Number(maf), thresh_callrate: Number(callRate) }),
    [areWrong, maf, callRate],
  );
  const excluded = useMemo(() => (hasLimitError(t, exclusions) ? {} : exclusionsBody(exclusions)), [t, exclusions]);
  return useRunInputs(projectId, form, { propose, runs, thresholds, excluded });
}

/** The newest GWAS of the genotype with a result: its markers can be searched. */
function earlierResult(runs: readonly Gwas[], genotypeId: string | undefined): EarlierResult | undefined {
  for (const { id, genotype_id, traits, status } of runs) {
    const trait = traits.find((one) => status[one] === 'SUCCESS');
    if (genotype_id === genotypeId && trait !== undefined) return { id, trait };
  }
  return undefined;
}
