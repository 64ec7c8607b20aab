import { MAX_DONORS, MAX_TARGETS, STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import type { StackingPlanDetail } from '@heterosis/contracts/work/stacking-plans';
import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../lib/api/problem.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { FileField, useProposedFile } from '../../data/files/index.ts';
import { TakeFromList } from '../../data/lists/index.ts';
import {
  keptIn,
  LinkageMapField,
  OptionFields,
  RunDialog,
  type RunFormProps,
  RunNameField,
  runDialog,
  useRunForm,
  useRunSubmission,
} from '../run-dialog/index.ts';
import classes from './create-stacking-plan-modal.module.css';
import { type StackValues, stackBody, stackValues, targetsIn, targetsText } from './stack-form.ts';
import { gwasOfProjectQuery, stackingPlanRuns, targetsOfGwas } from './stacking-plans.api.ts';

export const CreateStackingPlanModal = runDialog(stackingPlanRuns, StackTargets);

function StackTargets({ projectId, close, source, named }: RunFormProps<StackingPlanDetail>) {
  const { t } = useTranslation();
  const { form, draft, propose, taken, nameOf } = useRunForm(projectId, stackingPlanRuns, {
    ...{ options: STACK_OPTIONS, source, about: named.genotype, valuesOf: stackValues },
  });
  const { values } = form;
  const likely = useProposedFile(projectId, 'GENOTYPE', taken[0]?.genotype_id, named.genotype);
  useEffect(() => {
    if (likely && !values.genotype_id && source === undefined)
      propose({ genotype_id: { id: likely.id, name: likely.name } });
  }, [likely?.id]);
  const recurrent = values.recurrent.trim();
  const proposal = nameOf(
    recurrent === '' ? t('stacking_plans.proposedName') : t('stacking_plans.proposedInto', { recurrent }),
  );
  const submission = useRunSubmission(projectId, stackingPlanRuns, { form, draft }, stackBody);
  return (
    <RunDialog
      kind="stacking_plan"
      help="stacking#on-the-server"
      close={close}
      submission={submission}
      draft={draft}
      kept={keptIn(form)}
      missing={missingIn(values, t) ?? (form.isValid() ? undefined : t('form.correctNumbers'))}
      match={<Summary values={values} />}
    >
      <RunNameField kind="stacking_plan" input={form.getInputProps('name')} proposal={proposal} propose={propose} />
      <FileField
        label={t('word.genotypeFile')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={values.genotype_id}
        onChange={(file) => form.setFieldValue('genotype_id', { id: file.id, name: file.name })}
        error={form.errors.genotype_id}
      />
      <LinkageMapField projectId={projectId} form={form} />
      <Stack gap={6}>
        <Textarea
          label={t('stacking_plans.targets')}
          description={t('stacking_plans.targetsHint')}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          {...form.getInputProps('targets')}
        />
        <FromGwas projectId={projectId} onTake={(targets) => form.setFieldValue('targets', targetsText(targets))} />
      </Stack>
      <Stack gap={6}>
        <Textarea
          label={t('stacking_plans.donors')}
          description={t('stacking_plans.donorsHint')}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps('donors')}
        />
        <TakeFromList
          projectId={projectId}
          kind="germplasm"
          label={t('stacking_plans.donors')}
          onTake={(names) => form.setFieldValue('donors', names.join('\n'))}
        />
      </Stack>
      <TextInput
        label={t('stacking_plans.recurrent')}
        description={t('stacking_plans.recurrentHint')}
        maxLength={255}
        spellCheck={false}
        {...form.getInputProps('recurrent')}
      />
      <OptionFields
        analysis="stacking_plans"
        table={STACK_OPTIONS}
        form={form}
        own={recurrent === '' ? { backcrosses: null, order: null, carriers: null } : {}}
      />
    </RunDialog>
  );
}

/** Takes the first marker of each clump of a GWAS. Nothing while the project has none. */
function FromGwas({
  projectId,
  onTake,
}: {
  projectId: string;
  onTake: (targets: ReturnType<typeof targetsIn>) => void;
}) {
  const { t } = useTranslation();
  const runs = (useQuery(gwasOfProjectQuery(projectId)).data?.data ?? []).flatMap(({ id, name, status }) =>
    Object.entries(status).flatMap(([trait, state]) => (state === 'SUCCESS' ? [{ id, name, trait }] : [])),
  );
  if (runs.length === 0) return null;
  const take = async (place: string): Promise<void> => {
    const run = runs[Number(place)];
    if (place === '' || run === undefined) return;
    try {
      onTake(await targetsOfGwas(projectId, run.id, run.trait));
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    }
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={t('stacking_plans.fromGwas')}
      value=""
      data={[
        { value: '', label: t('stacking_plans.fromGwas') },
        ...runs.map(({ name, trait }, i) => ({ value: String(i), label: `${name}: ${trait}` })),
      ]}
      onChange={({ currentTarget }) => void take(currentTarget.value)}
    />
  );
}

/** Why the plan cannot be made yet, as a sentence. */
function missingIn(values: StackValues, t: TFunction): string | undefined {
  if (values.name.trim() === '') return t('form.nameRequired');
  if (!values.genotype_id) return t('word.chooseAGenotypeFile');
  const targets = targetsIn(values.targets);
  if (targets.length === 0) return t('stacking_plans.needTargets');
  if (targets.length > MAX_TARGETS) return t('stacking_plans.tooManyTargets', { most: MAX_TARGETS });
  const bare = targets.find(({ allele }) => allele === '');
  if (bare !== undefined) return t('stacking_plans.needAllele', { marker: bare.marker });
  const donors = namesIn(values.donors);
  if (donors.length === 0) return t('stacking_plans.needDonors');
  if (donors.length > MAX_DONORS) return t('stacking_plans.tooManyDonors', { most: MAX_DONORS });
  return undefined;
}

/** What the plan will be about, and what it assumes. */
function Summary({ values }: { values: StackValues }) {
  const { t } = useTranslation();
  const recurrent = values.recurrent.trim();
  return (
    <section className={classes.summary} aria-label={t('stacking_plans.finds')}>
      <h3>{t('stacking_plans.finds')}</h3>
      <p>
        {t('stacking_plans.countTargets', { count: targetsIn(values.targets).length })}{' '}
        {t('stacking_plans.countDonors', { count: namesIn(values.donors).length })}
      </p>
      <p>{recurrent === '' ? t('stacking_plans.without') : t('stacking_plans.into', { recurrent })}</p>
      <ul>
        {(['crosses', 'plants', 'fixing', 'assumed'] as const).map((what) => (
          <li key={what}>{t(`stacking_plans.findings.${what}`)}</li>
        ))}
      </ul>
    </section>
  );
}
