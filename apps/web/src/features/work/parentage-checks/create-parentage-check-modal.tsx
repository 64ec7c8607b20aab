import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import type { createParentageCheckBody } from '@heterosis/contracts/work/parentage-checks';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { NumberField } from '../../../components/form/number-field.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { FileField, useProposedFile } from '../../data/files/index.ts';
import { type ChosenFile, proposedName, RunDialog, RunNameField, useDraftForm } from '../run-dialog/index.ts';
import classes from './create-parentage-check-modal.module.css';
import { parentageCheckQuery, parentageChecksQuery, useParentageCheckMutations } from './parentage-checks.api.ts';

type Body = z.output<typeof createParentageCheckBody>;

interface CheckValues extends Record<string, unknown> {
  name: string;
  genotype_id: ChosenFile | undefined;
  pedigree: Body['pedigree'];
  pedigree_id: ChosenFile | undefined;
  /** In per cent. */
  error_rate: FieldNumber;
  seek: Body['seek'];
}

const PERCENT = 100;
const { min, max, default: usual } = PARENTAGE_OPTIONS.error_rate;
/** In per cent. */
const ERROR_RATE = { min: min * PERCENT, max: max * PERCENT };

/** `id` may name a check whose settings are taken over. */
export function CreateParentageCheckModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useRequiredProjectId();
  const source = useQuery({ ...parentageCheckQuery(projectId, id ?? ''), enabled: id !== undefined }).data;
  const { form, draft, propose } = useDraftForm<CheckValues>({
    draftKey: `parentage check ${projectId} ${id ?? ''}`,
    initialValues: {
      ...{ name: '', genotype_id: undefined, pedigree_id: undefined },
      ...{ pedigree: 'germplasm', error_rate: usual * PERCENT, seek: 'unconfirmed' },
    },
    validateInputOnChange: true,
    validate: { error_rate: (rate) => numberError(t, rate, ERROR_RATE) },
  });
  const { values } = form;
  const genotype = values.genotype_id ?? source?.genotype ?? undefined;
  const taken = useQuery(parentageChecksQuery(projectId)).data ?? [];
  const likely = useProposedFile(projectId, 'GENOTYPE', taken[0]?.genotype_id);
  useEffect(() => {
    if (likely && !genotype && id === undefined) propose({ genotype_id: { id: likely.id, name: likely.name } });
  }, [likely?.id]);
  const proposal = proposedName(
    [genotype === undefined ? undefined : t('parentage_checks.proposedName', { genotype: genotype.name })],
    taken.map((one) => one.name),
  );
  const { create } = useParentageCheckMutations(projectId);
  const submission = useSubmission(
    form,
    ({ name, pedigree, pedigree_id, seek }) =>
      create.mutateAsync({
        ...{ name, pedigree, seek, genotype_id: genotype?.id ?? '', error_rate: numberOf(values.error_rate) / PERCENT },
        ...(pedigree === 'file' && pedigree_id ? { pedigree_id: pedigree_id.id } : {}),
      }),
    (one) => {
      draft.drop();
      return navigate({
        to: '/projects/$projectId/parentageChecks/$parentageCheckId',
        params: { projectId, parentageCheckId: one.id },
        replace: true,
      });
    },
  );
  const missing = (): string | undefined => {
    if (values.name.trim() === '') return t('form.nameRequired');
    if (!genotype) return t('parentage_checks.needGenotype');
    if (values.pedigree === 'file' && !values.pedigree_id) return t('parentage_checks.needPedigree');
    return form.isValid() ? undefined : t('form.correctNumbers');
  };
  return (
    <RunDialog
      title={t('parentage_checks.create')}
      help="pedigree#check"
      close={close}
      submission={submission}
      draft={draft}
      missing={missing()}
      match={<CheckHint />}
    >
      <RunNameField
        label={t('parentage_checks.name')}
        input={form.getInputProps('name')}
        proposal={proposal}
        propose={propose}
      />
      <FileField
        label={t('runs.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={genotype}
        onChange={(file) => form.setFieldValue('genotype_id', { id: file.id, name: file.name })}
        error={form.errors.genotype_id}
      />
      <NativeSelect
        label={t('parentage_checks.compareWith')}
        data={PARENTAGE_OPTIONS.pedigree.choices.map((value) => ({
          value,
          label: t(`parentage_checks.pedigrees.${value}`),
        }))}
        {...form.getInputProps('pedigree')}
      />
      {values.pedigree === 'file' && (
        <FileField
          label={t('parentage_checks.pedigree')}
          projectId={projectId}
          types={['PEDIGREE']}
          value={values.pedigree_id}
          onChange={(file) => form.setFieldValue('pedigree_id', { id: file.id, name: file.name })}
          error={form.errors.pedigree_id}
        />
      )}
      <NumberField
        label={t('parentage_checks.errorRate')}
        description={t('parentage_checks.errorRateHint')}
        unit="%"
        limits={ERROR_RATE}
        step={0.5}
        {...form.getInputProps('error_rate')}
      />
      <NativeSelect
        label={t('parentage_checks.seek')}
        data={PARENTAGE_OPTIONS.seek.choices.map((value) => ({
          value,
          label: t(`parentage_checks.seeks.${value}`),
        }))}
        {...form.getInputProps('seek')}
      />
    </RunDialog>
  );
}

/** What will be found, where other dialogs show how names match. */
function CheckHint() {
  const { t } = useTranslation();
  return (
    <section className={classes.finds} aria-label={t('parentage_checks.finds')}>
      <h3>{t('parentage_checks.finds')}</h3>
      <ul>
        {(['conflicts', 'swaps', 'copies', 'parents'] as const).map((what) => (
          <li key={what}>{t(`parentage_checks.findings.${what}`)}</li>
        ))}
      </ul>
    </section>
  );
}
