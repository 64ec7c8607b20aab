import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { FileField, fileQuery } from '../../data/files/index.ts';
import { MatchPanel, useMatch } from '../matching/index.ts';
import { ModelField, modelRuns, useOnlyModel } from '../models/index.ts';
import {
  ExclusionFields,
  hasLimitError,
  keptIn,
  OptionFields,
  RunDialog,
  RunNameField,
  useRunForm,
  useRunSubmission,
  WithSource,
} from '../run-dialog/index.ts';
import { predictionBody, predictionValues, takesKnownRecords } from './prediction-form.ts';
import { predictionRuns } from './predictions.api.ts';

/** `id` names a prediction that is made again with changes, or with `model:` before it the model that predicts. */
export function CreatePredictionModal({ close, id }: ModalProps) {
  const [, modelId] = /^model:(.*)/.exec(id ?? '') ?? [];
  return (
    <WithSource runs={predictionRuns} close={close} id={modelId === undefined ? id : undefined}>
      {(projectId, source) => <Predict {...{ projectId, close, source, modelId }} />}
    </WithSource>
  );
}

function Predict(props: {
  projectId: string;
  close: () => void;
  source: PredictionDetail | undefined;
  modelId: string | undefined;
}) {
  const { projectId, close, source, modelId } = props;
  const { t } = useTranslation();
  const { form, draft, propose, nameOf } = useRunForm(projectId, predictionRuns, {
    ...{ options: PREDICTION_OPTIONS, source, about: modelId, valuesOf: predictionValues },
  });
  const onlyModel = useOnlyModel(projectId, 'values');
  const chosenId = form.values.model_id?.id ?? modelId ?? onlyModel?.id;
  const model = useQuery({ ...modelRuns.detail(projectId, chosenId ?? ''), enabled: chosenId !== undefined }).data;
  const genotype = form.values.genotype_id;
  const genotypeId = genotype?.id ?? model?.genotype_id ?? undefined;
  const genotypeOfModel = useQuery({
    ...fileQuery(projectId, model?.genotype_id ?? ''),
    enabled: genotype === undefined && model?.genotype_id != null,
  });
  const proposal = nameOf(model?.name, (genotype ?? genotypeOfModel.data)?.name);
  const body = model && genotypeId ? { model_id: model.id, genotype_id: genotypeId } : undefined;
  const match = useMatch(projectId, body);
  const result = match.data;
  // With too few of its markers a model is refused, unless one insists; with none there is nothing to predict from.
  const isSparse = result?.panel !== null && result?.panel !== undefined && !result.can_run && result.panel.shared > 0;
  const takesRecords = takesKnownRecords(model);
  const submission = useRunSubmission(projectId, predictionRuns, { form, draft }, (values) =>
    predictionBody({ ...values, model_id: model }, { isSparse, takesRecords }),
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
      kept={keptIn(form)}
      missing={missing()}
      files={
        <>
          <RunNameField kind="prediction" input={form.getInputProps('name')} proposal={proposal} propose={propose} />
          <ModelField
            use="values"
            projectId={projectId}
            value={model}
            onChange={({ id, name }) => form.setFieldValue('model_id', { id, name })}
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
          {takesRecords && (
            <FileField
              label={t('predictions.known')}
              description={t('predictions.knownHint')}
              projectId={projectId}
              types={['PHENOTYPE']}
              value={form.values.phenotype_id}
              onChange={(file) => form.setFieldValue('phenotype_id', { id: file.id, name: file.name })}
              onClear={() => form.setFieldValue('phenotype_id', undefined)}
              emptyText={t('predictions.noKnown')}
              error={form.errors.phenotype_id}
            />
          )}
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
