import { GWAS_OPTIONS, GWAS_PRESETS } from '@heterosis/contracts/options/gwas';
import type { Gwas, GwasDetail } from '@heterosis/contracts/work/gwas';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../../lib/browser/modal.ts';
import { type NamedFiles, namingFiles } from '../../../../lib/browser/named-files.ts';
import { usePloidy } from '../../../data/files/index.ts';
import { RunEstimate } from '../../matching/index.ts';
import {
  covariateChoice,
  exclusionsBody,
  hasLimitError,
  keptIn,
  OptionFields,
  optionBody,
  optionErrors,
  PresetField,
  type RunFormProps,
  type RunInputs,
  runDialog,
  TraitRunDialog,
  traitRunFields,
  useDraftForm,
  useRunInputs,
  useRunSubmission,
  weightChoice,
} from '../../run-dialog/index.ts';
import { gwasRuns } from '../gwas.api.ts';
import { ClumpFields, hasClumpError } from './clump-fields.tsx';
import { ConditionField, type EarlierResult } from './condition-field.tsx';
import { GeneActionsField } from './gene-actions-field.tsx';
import { type GwasValues, gwasBody, gwasValues } from './gwas-form.ts';

/** Its `id` may also name a run that is given further markers. */
export const CreateGwasModal = runDialog(gwasRuns, RunGwas);

function RunGwas({ projectId, close, source, named }: RunFormProps<GwasDetail>) {
  const { t } = useTranslation();
  const runs = useQuery(gwasRuns.list(projectId)).data ?? [];
  const { form, draft, propose } = useGwasForm(projectId, source, named);
  const inputs = useGwasInputs(projectId, form, { propose, runs, named });
  const choice = covariateChoice(inputs, form.values);
  const weighing = weightChoice(inputs, form.values);
  const shared = traitRunFields(projectId, form, { inputs, choice, weighing });
  const ploidy = usePloidy(projectId, form.values.genotype_id?.id);
  const submission = useRunSubmission(projectId, gwasRuns, { form, draft }, (values) =>
    gwasBody(values, inputs.renamesBody, { ...choice, weighing, ploidy }),
  );
  const { exclusions, clumps } = form.values;
  const asked = optionBody(GWAS_OPTIONS, form.values);
  const isCorrect = form.isValid() && !hasLimitError(t, exclusions) && !hasClumpError(t, clumps);
  return (
    <TraitRunDialog
      kind="gwas"
      help="gwas#start-a-gwas"
      close={close}
      submission={submission}
      draft={draft}
      kept={keptIn(form)}
      projectId={projectId}
      inputs={inputs}
      isCorrect={isCorrect}
      estimate={
        <RunEstimate
          projectId={projectId}
          inputs={inputs}
          analysis="gwas"
          test={form.values.test}
          dominance={ploidy === 2 && form.values.dominance}
          loco={form.values.loco}
          weights={weighing.weights}
          residual_lines={weighing.weights !== 'none' && form.values.residual_lines}
          permutations={form.errors['permutations'] === undefined ? (asked.permutations ?? 0) : 0}
          gene_action={ploidy === 2 ? [] : (asked.gene_action ?? [])}
          multi_trait={(asked.multi_trait ?? 'none') !== 'none'}
          stepwise={form.errors['stepwise'] === undefined ? (asked.stepwise ?? 0) : 0}
        />
      }
    >
      <PresetField
        analysis="gwas"
        table={GWAS_OPTIONS}
        presets={GWAS_PRESETS}
        begun={gwasValues(source, [], t)}
        isRepeated={source !== undefined}
        values={form.values}
        onChoose={(values) => form.setValues(values)}
      />
      <OptionFields
        analysis="gwas"
        table={GWAS_OPTIONS}
        form={{ ...form, values: { ...form.values, ...weighing } }}
        {...(ploidy === 2 ? {} : { disabled: ['dominance'], hints: { dominance: t('gwas.dominanceOfDiploids') } })}
        own={{
          ...shared,
          gene_action:
            ploidy === 2 && form.values.gene_action.length === 0 ? null : (
              <GeneActionsField
                values={{ ...form.values, ...weighing }}
                error={form.errors['gene_action']}
                onChange={(actions) => form.setFieldValue('gene_action', actions)}
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
          clumps: <ClumpFields values={clumps} onChange={(next) => form.setFieldValue('clumps', next)} />,
        }}
      />
    </TraitRunDialog>
  );
}

function useGwasForm(projectId: string, source: GwasDetail | undefined, named: NamedFiles) {
  const { t } = useTranslation();
  const { given } = useModal();
  return useDraftForm<GwasValues>({
    draftKey: `gwas ${projectId} ${source?.id ?? namingFiles(named)} ${given.join(' ')}`.trimEnd(),
    initialValues: gwasValues(source, given, t),
    validateInputOnChange: true,
    validate: (values) => optionErrors(t, GWAS_OPTIONS, values),
  });
}

/** The chosen files, matched with the thresholds and what is left out. */
function useGwasInputs(
  projectId: string,
  form: UseFormReturnType<GwasValues>,
  opened: {
    propose: (values: Partial<GwasValues>) => void;
    runs: readonly Gwas[];
    named: NamedFiles;
  },
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
  return useRunInputs(projectId, form, { ...opened, thresholds, excluded });
}

/** The newest GWAS of the genotype with a result: its markers can be searched. */
function earlierResult(runs: readonly Gwas[], genotypeId: string | undefined): EarlierResult | undefined {
  for (const { id, genotype_id, traits, status } of runs) {
    const trait = traits.find((one) => status[one] === 'SUCCESS');
    if (genotype_id === genotypeId && trait !== undefined) return { id, trait };
  }
  return undefined;
}
