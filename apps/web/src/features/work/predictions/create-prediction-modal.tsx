import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { FileField, fileQuery } from '../../data/files/index.ts';
import { MatchPanel, useMatch } from '../matching/index.ts';
import { ModelField, modelRuns, useOnlyModel } from '../models/index.ts';
import {
  type ChosenFile,
  ExclusionFields,
  exclusionsBody,
  exclusionValues,
  hasLimitError,
  OptionFields,
  optionBody,
  optionErrors,
  optionValues,
  proposedName,
  RunDialog,
  RunNameField,
  useDraftForm,
  useRunSubmission,
} from '../run-dialog/index.ts';
import { predictionRuns } from './predictions.api.ts';

interface PredictionValues extends Record<string, unknown> {
  name: string;
  /** Undefined: the model that the dialog was opened for. */
  model_id: { id: string; name: string; genotype_id: string | null } | undefined;
  /** Undefined: the genotype that the model was trained on. */
  genotype_id: ChosenFile | undefined;
  /** Predict although the genotype has few of the model's markers. */
  anyway: boolean;
  exclusions: ReturnType<typeof exclusionValues>;
}

/** `id` may name the model. */
export function CreatePredictionModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const given = useQuery({ ...modelRuns.detail(projectId, id ?? ''), enabled: id !== undefined });
  const { form, draft, propose } = useDraftForm<PredictionValues>({
    draftKey: `prediction ${projectId} ${id ?? ''}`,
    initialValues: {
      name: '',
      model_id: undefined,
      genotype_id: undefined,
      anyway: false,
      exclusions: exclusionValues(),
      ...optionValues(PREDICTION_OPTIONS),
    },
    validateInputOnChange: true,
    validate: (values) => optionErrors(t, PREDICTION_OPTIONS, values),
  });
  const onlyModel = useOnlyModel(projectId);
  const model = form.values.model_id ?? (id === undefined ? onlyModel : given.data);
  const genotype = form.values.genotype_id;
  const genotypeId = genotype?.id ?? model?.genotype_id ?? undefined;
  const genotypeOfModel = useQuery({
    ...fileQuery(projectId, model?.genotype_id ?? ''),
    enabled: genotype === undefined && model?.genotype_id != null,
  });
  const taken = useQuery(predictionRuns.list(projectId)).data ?? [];
  const proposal = proposedName(
    [model?.name, (genotype ?? genotypeOfModel.data)?.name],
    taken.map((one) => one.name),
  );
  const body = model && genotypeId ? { model_id: model.id, genotype_id: genotypeId } : undefined;
  const match = useMatch(projectId, body);
  const result = match.data;
  // With too few of its markers a model is refused, unless one insists; with none there is nothing to predict from.
  const isSparse = result?.panel !== null && result?.panel !== undefined && !result.can_run && result.panel.shared > 0;
  const submission = useRunSubmission(
    projectId,
    predictionRuns,
    { form, draft },
    ({ name, anyway, exclusions, ...values }) => ({
      name,
      ...optionBody(PREDICTION_OPTIONS, values),
      model_id: model?.id ?? '',
      ...(genotype ? { genotype_id: genotype.id } : {}),
      ...exclusionsBody(exclusions),
      ...(isSparse && anyway ? { min_marker_share: 0 } : {}),
    }),
  );
  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!model) return t('word.chooseAModel');
    if (!genotypeId) return t('predictions.needGenotype');
    if (result && !result.can_run && !(isSparse && form.values.anyway)) return t('predictions.tooFewMarkers');
    return form.isValid() && !hasLimitError(t, form.values.exclusions) ? undefined : t('form.correctFields');
  };
  return (
    <RunDialog
      kind="prediction"
      help="prediction#predict"
      close={close}
      submission={submission}
      draft={draft}
      missing={missing()}
      files={
        <>
          <RunNameField kind="prediction" input={form.getInputProps('name')} proposal={proposal} propose={propose} />
          <ModelField
            projectId={projectId}
            value={model}
            onChange={({ id: modelId, name, genotype_id }) =>
              form.setFieldValue('model_id', { id: modelId, name, genotype_id })
            }
            error={form.errors.model_id}
          />
          <FileField
            label={t('word.genotypeFile')}
            projectId={projectId}
            types={['GENOTYPE']}
            value={genotype}
            onChange={(file) => form.setFieldValue('genotype_id', { id: file.id, name: file.name })}
            onClear={() => form.setFieldValue('genotype_id', undefined)}
            emptyText={model?.genotype_id ? t('predictions.genotypeOfModel') : undefined}
            error={form.errors.genotype_id}
          />
        </>
      }
      match={
        <MatchPanel
          title={t('match.markersTitle')}
          projectId={projectId}
          body={body}
          renames={[]}
          onRenames={() => {}}
          hint={t('predictions.matchHint')}
        />
      }
    >
      <OptionFields
        analysis="predictions"
        table={PREDICTION_OPTIONS}
        form={form}
        own={{
          exclusions: (
            <ExclusionFields
              projectId={projectId}
              genotypeId={genotypeId}
              input={form.getInputProps('exclusions')}
              hasMarkers={false}
            />
          ),
        }}
      />
      {isSparse && (
        <Checkbox
          label={t('predictions.anyway')}
          description={t('predictions.anywayHint')}
          {...form.getInputProps('anyway', { type: 'checkbox' })}
        />
      )}
    </RunDialog>
  );
}
