import type { GwasDetail } from '@heterosis/contracts/gwas';
import { Input, MultiSelect, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
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
import { gwasQuery, useGwasMutations } from './gwas.api.ts';

/** `id` names a GWAS that is run again with changes. */
export function CreateGwasModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data: source, error } = useQuery({ ...gwasQuery(projectId, id ?? ''), enabled: id !== undefined });
  if (id === undefined || source) return <RunGwas close={close} source={source} />;
  return (
    <ModalFrame title={t('gwas.run')} onClose={close} size="56rem">
      {error ? <ErrorNotice error={error} /> : <SkeletonLines lines={8} />}
    </ModalFrame>
  );
}

function RunGwas({ close, source }: { close: () => void; source: GwasDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId() ?? '';
  const inputs = useRunInputs(projectId, source);
  const { create } = useGwasMutations(projectId);
  const form = useForm({
    initialValues: {
      name: source ? t('runs.again', { name: source.name }) : '',
      test: (source?.test ?? 'LRT') as GwasDetail['test'],
      fixed: (source?.fixed ?? 0) as number | string,
      covariates: source?.covariates ?? [],
      thresh_maf: (source?.thresh_maf ?? 0.05) as number | string,
      thresh_callrate: (source?.thresh_callrate ?? 0.9) as number | string,
      genotype_id: '',
      phenotype_id: '',
    },
  });
  const possible = inputs.availableTraits.filter((trait) => !inputs.traits.includes(trait));
  // As long as the traits of the file are not known, what was chosen stands.
  const covariates =
    inputs.availableTraits.length === 0
      ? form.values.covariates
      : form.values.covariates.filter((name) => possible.includes(name));
  const emptyText =
    possible.length > 0
      ? 'gwas.noCovariates'
      : inputs.availableTraits.length > 0
        ? 'gwas.allAreTraits'
        : 'runs.choosePhenotypeFirst';
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        name: values.name,
        test: values.test,
        fixed: Number(values.fixed),
        covariates,
        thresh_maf: Number(values.thresh_maf),
        thresh_callrate: Number(values.thresh_callrate),
        genotype_id: inputs.genotype?.id ?? '',
        phenotype_id: inputs.phenotype?.id ?? '',
        traits: inputs.traits,
        ...(inputs.renames.length > 0 ? { renames: inputs.renames } : {}),
      }),
    (one) => void navigate({ to: '/projects/$projectId/gwas/$gwasId', params: { projectId, gwasId: one.id } }),
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
    <ModalFrame title={t('gwas.run')} onClose={close} size="56rem" busy={submission.isPending}>
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.columns}>
          <div className={classes.fields}>
            <TextInput label={t('gwas.name')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
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
                min={0}
                max={20}
                allowDecimal={false}
                {...form.getInputProps('fixed')}
              />
              <NumberInput
                label={t('gwas.maf')}
                min={0}
                max={0.5}
                step={0.01}
                decimalScale={4}
                {...form.getInputProps('thresh_maf')}
              />
              <NumberInput
                label={t('gwas.callRate')}
                min={0}
                max={1}
                step={0.01}
                decimalScale={4}
                {...form.getInputProps('thresh_callrate')}
              />
            </div>
            <MultiSelect
              label={t('gwas.covariatesOptional')}
              description={t('gwas.covariatesHint')}
              placeholder={covariates.length === 0 ? t(emptyText) : undefined}
              data={possible}
              disabled={possible.length === 0}
              searchable
              clearable
              hidePickedOptions
              maxValues={50}
              nothingFoundMessage={t('gwas.noSuchColumn')}
              value={covariates}
              onChange={(names) => form.setFieldValue('covariates', names)}
              error={form.errors.covariates}
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
          submitLabel={t('gwas.run')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing()}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
