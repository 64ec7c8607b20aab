import type { ModelDetail } from '@heterosis/contracts/models';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { useProjectId } from '../../lib/current.ts';
import { useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { FileField } from '../files/file-picker.tsx';
import { MatchPanel } from '../runs/match-panel.tsx';
import classes from '../runs/run-dialog.module.css';
import { TraitChooser } from '../runs/trait-chooser.tsx';
import { useRunInputs } from '../runs/use-run-inputs.ts';
import { modelQuery, useModelMutations } from './models.api.ts';

/** SPEC §2 "CreateModel". `id` names a model that is trained again with changes. */
export function CreateModelModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data: source, error } = useQuery({ ...modelQuery(projectId, id ?? ''), enabled: id !== undefined });
  if (id === undefined || source) return <TrainModel close={close} source={source} />;
  return (
    <ModalFrame title={t('models.train')} onClose={close} size="56rem">
      {error ? <ErrorNotice error={error} /> : <SkeletonLines lines={8} />}
    </ModalFrame>
  );
}

/** Enabled with a name, a genotype, a phenotype and at least one trait. */
function TrainModel({ close, source }: { close: () => void; source: ModelDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId() ?? '';
  const inputs = useRunInputs(projectId, source);
  const { create } = useModelMutations(projectId);
  const form = useForm({
    initialValues: {
      name: source ? t('runs.again', { name: source.name }) : '',
      dominance_effect: source?.include_dominance_effects ?? false,
      genotype_id: '',
      phenotype_id: '',
      traits: '',
    },
  });
  const submission = useSubmission(
    form,
    ({ name, dominance_effect }) =>
      create.mutateAsync({
        name,
        dominance_effect,
        genotype_id: inputs.genotype?.id ?? '',
        phenotype_id: inputs.phenotype?.id ?? '',
        traits: inputs.traits,
        ...(source ? settingsOf(source) : {}),
        ...(inputs.renames.length > 0 ? { renames: inputs.renames } : {}),
      }),
    (model) => void navigate({ to: '/projects/$projectId/models/$modelId', params: { projectId, modelId: model.id } }),
  );

  const missing = (): string | undefined => {
    if (form.values.name.trim() === '') return t('form.nameRequired');
    if (!inputs.genotype) return t('runs.needGenotype');
    if (!inputs.phenotype) return t('runs.needPhenotype');
    if (inputs.traits.length === 0) return t('runs.needTrait');
    if (inputs.match && !inputs.match.can_run) return inputs.match.reason ?? t('runs.nothingInCommon');
    return undefined;
  };

  return (
    <ModalFrame title={t('models.train')} onClose={close} size="56rem" busy={submission.isPending}>
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.columns}>
          <div className={classes.fields}>
            <TextInput label={t('models.name')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
            <FileField
              label={t('runs.genotype')}
              projectId={projectId}
              types={['GENOTYPE']}
              value={inputs.genotype}
              onChange={inputs.chooseGenotype}
              error={form.errors.genotype_id as string | undefined}
            />
            <FileField
              label={t('runs.phenotype')}
              projectId={projectId}
              types={['PHENOTYPE']}
              value={inputs.phenotype}
              onChange={inputs.choosePhenotype}
              error={form.errors.phenotype_id as string | undefined}
            />
            <TraitChooser
              traits={inputs.availableTraits}
              selected={inputs.traits}
              onChange={inputs.setTraits}
              counts={inputs.match?.by_trait}
              emptyText={t('runs.choosePhenotypeFirst')}
            />
            <Checkbox
              label={t('models.dominance')}
              description={t('models.dominanceHint')}
              {...form.getInputProps('dominance_effect', { type: 'checkbox' })}
            />
          </div>
          <MatchPanel
            projectId={projectId}
            body={inputs.matchBody}
            renames={inputs.renames}
            onRenames={inputs.setRenames}
            hint={t('match.hint')}
          />
        </div>
        <FormFooter
          submitLabel={t('models.train')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing()}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

/** What the dialog does not ask for stays as it was, the seed too: without changes the results are the same to the last digit. */
function settingsOf({ provenance: { seed, parameters } }: ModelDetail) {
  const { n_fold, n_repetition, optimize_time, kinship, thresh_maf, thresh_callrate } = parameters;
  return {
    n_fold,
    n_repetition,
    optimize_time,
    kinship,
    thresh_maf,
    thresh_callrate,
    ...(seed === null ? {} : { seed }),
  };
}
