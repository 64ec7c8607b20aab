import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../components/form-footer.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { useProjectId } from '../../lib/current.ts';
import { useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { FileField } from '../files/file-picker.tsx';
import { ModelField } from '../models/model-picker.tsx';
import { modelQuery } from '../models/models.api.ts';
import { MatchPanel, useMatch } from '../runs/match-panel.tsx';
import classes from '../runs/run-dialog.module.css';
import { usePredictionMutations } from './predictions.api.ts';

/** SPEC §2 "CreatePrediction": needs a name and a model. Without a genotype, the one the model was trained on. `id` may name the model. */
export function CreatePredictionModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId() ?? '';
  const given = useQuery({ ...modelQuery(projectId, id ?? ''), enabled: id !== undefined });
  const [picked, setPicked] = useState<{ id: string; name: string; genotype_id: string | null }>();
  const [genotype, setGenotype] = useState<{ id: string; name: string }>();
  const model = picked ?? given.data;
  const genotypeId = genotype?.id ?? model?.genotype_id ?? undefined;
  const body = model && genotypeId ? { model_id: model.id, genotype_id: genotypeId } : undefined;
  const match = useMatch(projectId, body);
  const { create } = usePredictionMutations(projectId);
  const form = useForm({ initialValues: { name: '', model_id: '', genotype_id: '' } });
  const submission = useSubmission(
    form,
    ({ name }) =>
      create.mutateAsync({ name, model_id: model?.id ?? '', ...(genotype ? { genotype_id: genotype.id } : {}) }),
    (one) =>
      void navigate({
        to: '/projects/$projectId/predictions/$predictionId',
        params: { projectId, predictionId: one.id },
      }),
  );
  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!model) return t('predictions.needModel');
    if (!genotypeId) return t('predictions.needGenotype');
    if (match.data && !match.data.can_run) return match.data.reason ?? t('runs.nothingInCommon');
    return undefined;
  };
  return (
    <ModalFrame title={t('predictions.create')} onClose={close} size="52rem" busy={submission.isPending}>
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.columns}>
          <div className={classes.fields}>
            <TextInput label={t('predictions.name')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
            <FileField
              label={t('predictions.genotype')}
              projectId={projectId}
              types={['GENOTYPE']}
              value={genotype}
              onChange={setGenotype}
              error={form.errors.genotype_id as string | undefined}
            />
            <ModelField
              projectId={projectId}
              value={model}
              onChange={setPicked}
              error={form.errors.model_id as string | undefined}
            />
          </div>
          <MatchPanel
            projectId={projectId}
            body={body}
            renames={[]}
            onRenames={() => {}}
            hint={t('predictions.matchHint')}
          />
        </div>
        <FormFooter
          submitLabel={t('predictions.create')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing()}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
