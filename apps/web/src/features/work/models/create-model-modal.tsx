import { MODEL_OPTIONS, MODEL_PRESETS } from '@heterosis/contracts/options/models';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../lib/browser/modal.ts';
import { namingFiles } from '../../../lib/browser/named-files.ts';
import type { FieldNumber } from '../../../lib/form/field-number.ts';
import { FileField, fileQcQuery, usePloidy } from '../../data/files/index.ts';
import { RunEstimate } from '../matching/index.ts';
import {
  type ChosenFile,
  covariateChoice,
  exclusionsBody,
  hasLimitError,
  keptIn,
  OptionFields,
  type OptionForm,
  OptionsBeside,
  optionBody,
  optionErrors,
  PresetField,
  type RunFormProps,
  runDialog,
  TraitRunDialog,
  traitRunFields,
  useDraftForm,
  useRunInputs,
  useRunSubmission,
  weightChoice,
} from '../run-dialog/index.ts';
import { ComparedModelsField } from './compared-models-field.tsx';
import { CrossValidationFields, leftOutColumn } from './cross-validation-fields.tsx';
import { FixedMarkersField } from './fixed-markers-field.tsx';
import {
  isSampled,
  mayBeCompared,
  mayBeTogether,
  mayChooseType,
  mayFixMarkers,
  modelBody,
  modelValues,
  needsFactors,
} from './model-form.ts';
import { modelRuns } from './models.api.ts';

export const CreateModelModal = runDialog(modelRuns, TrainModel);

/** Fields of the dialog before those that follow in the order of the table. */
const FIRST = [
  'covariates',
  'weights',
  'fixed',
  'fixed_markers',
  'leave_out',
  'exclusions',
  'model_type',
  'compared_models',
  'multi_trait',
  'genetic_factors',
] as const;

function TrainModel({ projectId, close, source, named }: RunFormProps<ModelDetail>) {
  const { t } = useTranslation();
  const runs = useQuery(modelRuns.list(projectId)).data ?? [];
  const { given } = useModal();
  const begun = modelValues(source, t, given);
  const { form, draft, propose } = useDraftForm({
    draftKey: `model ${projectId} ${source?.id ?? namingFiles(named)} ${given.join(' ')}`.trimEnd(),
    initialValues: begun,
    validateInputOnChange: true,
    validate: (values) => ({
      ...optionErrors(t, MODEL_OPTIONS, values),
      ...(needsFactors(values) ? { genetic_factors: t('models.needFactors') } : {}),
      leave_out: values.crossValidation === 'groups' && leaveOut === null ? t('models.needColumn') : undefined,
    }),
  });
  const { exclusions } = form.values;
  const excluded = useMemo(() => (hasLimitError(t, exclusions) ? {} : exclusionsBody(exclusions)), [t, exclusions]);
  const inputs = useRunInputs(projectId, form, { propose, runs, named, excluded });
  const choice = covariateChoice(inputs, form.values);
  const weighing = weightChoice(inputs, form.values);
  const shared = traitRunFields(projectId, form, { inputs, choice, weighing });
  const phenotypeId = form.values.phenotype_id?.id;
  const qc = useQuery({ ...fileQcQuery(projectId, phenotypeId ?? ''), enabled: phenotypeId !== undefined });
  const groupInputs = {
    ...inputs,
    hasEnvironments: qc.data && qc.data.kind === 'phenotype' && (qc.data.environments?.length ?? 0) > 1,
  };
  const leaveOut = leftOutColumn(groupInputs, form.values);
  const ploidy = usePloidy(projectId, form.values.genotype_id?.id);
  const values = { ...form.values, ...weighing, leave_out: leaveOut ?? undefined, ploidy };
  const options = optionBody(MODEL_OPTIONS, values);
  const { n_fold, n_repetition, cycles, chains } = options;
  const mayFix = mayFixMarkers(values);
  const mayCompare = mayBeCompared(values);
  // Options that others exclude are not in the body.
  const compared = mayCompare ? options.compared_models.filter((model) => ploidy === 2 || !isSampled(model)) : [];
  const modelType = mayChooseType(values) ? options.model_type : 'RRBLUP';
  const isTogether = mayBeTogether(inputs.traits) && options.multi_trait;
  const isUnclear = (['n_fold', 'n_repetition', 'cycles', 'chains'] as const).some(
    (name) => form.errors[name] !== undefined,
  );
  const validation = isUnclear ? {} : { n_fold, n_repetition, cycles, chains };
  const submission = useRunSubmission(projectId, modelRuns, { form, draft }, (values) =>
    modelBody(values, inputs.renamesBody, { ...choice, weighing, leaveOut, ploidy }),
  );
  return (
    <TraitRunDialog
      kind="model"
      help="prediction#train-a-model"
      close={close}
      submission={submission}
      draft={draft}
      kept={keptIn(form)}
      projectId={projectId}
      inputs={inputs}
      isCorrect={form.isValid() && !hasLimitError(t, exclusions)}
      estimate={
        <RunEstimate
          projectId={projectId}
          inputs={inputs}
          analysis="train"
          dominance={form.values.dominance_effect}
          single_step={form.values.pedigree_id !== undefined}
          multi_trait={isTogether}
          model_type={modelType}
          compared_models={compared}
          weights={weighing.weights}
          residual_lines={weighing.weights !== 'none' && form.values.residual_lines}
          {...validation}
        />
      }
    >
      <PresetField
        analysis="models"
        table={MODEL_OPTIONS}
        presets={MODEL_PRESETS}
        begun={begun}
        isRepeated={source !== undefined}
        values={form.values}
        onChoose={(values) => form.setValues(values)}
      />
      <OptionFields
        analysis="models"
        table={MODEL_OPTIONS}
        form={{ ...form, values }}
        first={FIRST}
        {...(ploidy === 2 ? {} : { hints: { model_type: t('models.samplersOfDiploids') } })}
        disabled={[
          ...(form.values.pedigree_id === undefined ? [] : (['fixed', 'dominance_effect'] as const)),
          ...(mayChooseType(values) ? [] : (['model_type'] as const)),
          ...(mayBeTogether(inputs.traits) ? [] : (['multi_trait'] as const)),
          ...(form.values.crossValidation === 'folds' ? [] : (['n_fold', 'n_repetition'] as const)),
        ]}
        own={{
          ...shared,
          // They stand below the pedigree.
          ...{ double_reduction: null, founders: null },
          covariates: (
            <>
              {shared.covariates}
              <PedigreeField
                projectId={projectId}
                value={form.values.pedigree_id}
                error={form.errors['pedigree_id']}
                onChange={(pedigree) => form.setValues(pedigree)}
                descentOf={ploidy > 2 ? form : undefined}
              />
            </>
          ),
          fixed_markers: (
            <FixedMarkersField
              projectId={projectId}
              genotypeId={form.values.genotype_id?.id}
              value={form.values.fixed_markers}
              isDisabled={!mayFix}
              error={form.errors['fixed_markers']}
              onChange={(markers) => form.setFieldValue('fixed_markers', markers)}
            />
          ),
          compared_models: (
            <ComparedModelsField
              value={compared}
              ploidy={ploidy}
              isDisabled={!mayCompare}
              error={form.errors['compared_models']}
              onChange={(models) => form.setFieldValue('compared_models', models)}
            />
          ),
          ...([...compared, modelType].some(isSampled)
            ? {}
            : { cycles: null, burn_in: null, chains: null, early_stop: null }),
          leave_out: (
            <CrossValidationFields
              inputs={groupInputs}
              values={form.values}
              error={form.errors['leave_out']}
              onChange={(values) => form.setValues(values)}
            />
          ),
        }}
      />
    </TraitRunDialog>
  );
}

const DESCENT = { analysis: 'models', table: MODEL_OPTIONS, names: ['double_reduction', 'founders'] } as const;

interface PedigreeValues {
  pedigree_id: ChosenFile | undefined;
  dominance_effect: boolean;
  fixed: FieldNumber;
}

/** A pedigree makes the model single-step, which has neither dominance nor principal components. */
function PedigreeField(props: {
  projectId: string;
  value: ChosenFile | undefined;
  error: ReactNode;
  onChange: (values: Partial<PedigreeValues>) => void;
  /** Asks how polyploids descend. */
  descentOf: OptionForm | undefined;
}) {
  const { projectId, value, error, onChange, descentOf } = props;
  const { t } = useTranslation();
  return (
    <div>
      <FileField
        label={t('nav.pedigree')}
        projectId={projectId}
        types={['PEDIGREE']}
        value={value}
        onChange={(file) => onChange({ pedigree_id: file, dominance_effect: false, fixed: 0 })}
        emptyText={t('models.noPedigree')}
        error={error}
      />
      {value !== undefined && (
        <Button size="compact-xs" variant="subtle" onClick={() => onChange({ pedigree_id: undefined })}>
          {t('models.withoutPedigree')}
        </Button>
      )}
      {value !== undefined && descentOf && <OptionsBeside {...DESCENT} form={descentOf} />}
    </div>
  );
}
