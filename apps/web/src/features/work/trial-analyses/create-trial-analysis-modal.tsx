import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { Button, MultiSelect, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { FileField, usePloidy, useProposedFile } from '../../data/files/index.ts';
import {
  OptionFields,
  OptionsBeside,
  RunDialog,
  type RunFormProps,
  RunNameField,
  runDialog,
  TraitChooser,
  useRunForm,
  useRunSubmission,
} from '../run-dialog/index.ts';
import { PlotFilesField } from './plot-files-field.tsx';
import { trialAnalysisRuns } from './trial-analyses.api.ts';
import classes from './trial-dialog.module.css';
import { hiddenOfPedigree, type TrialValues, trialBody, trialValues } from './trial-form.ts';
import { usePlotFiles } from './use-plot-files.ts';

export const CreateTrialAnalysisModal = runDialog(trialAnalysisRuns, AnalyseTrials);

function AnalyseTrials({ projectId, close, source, named }: RunFormProps<TrialAnalysisDetail>) {
  const { t } = useTranslation();
  const { form, draft, propose, taken, nameOf } = useRunForm(projectId, trialAnalysisRuns, {
    ...{ options: TRIAL_ANALYSIS_OPTIONS, source, about: named.phenotype, valuesOf: trialValues },
  });
  const { values } = form;
  const files = usePlotFiles(projectId, values.phenotype_ids);
  useProposals(
    projectId,
    { values, files, phenotypeId: named.phenotype, latestId: taken[0]?.phenotype_ids[0] },
    propose,
  );
  const proposal = nameOf(
    values.phenotype_ids.length === 0
      ? undefined
      : t('trial_analyses.proposedName', {
          name: values.phenotype_ids.map(({ name }) => name.replace(/\.\w+$/, '')).join(', '),
        }),
  );
  const ofGenotype = usePloidy(projectId, values.genotype_id?.id);
  const submission = useRunSubmission(projectId, trialAnalysisRuns, { form, draft }, (asked) =>
    trialBody(asked, source, ofGenotype),
  );
  const missing = (): string | undefined => {
    if (values.name.trim() === '') return t('form.nameRequired');
    if (values.phenotype_ids.length === 0) return t('trial_analyses.needFile');
    if (values.traits.length === 0) return t('runs.needTrait');
    return form.isValid() ? undefined : t('form.correctFields');
  };
  return (
    <RunDialog
      kind="trial_analysis"
      help="trials#start-an-analysis"
      close={close}
      submission={submission}
      draft={draft}
      missing={missing()}
      files={
        <>
          <RunNameField
            kind="trial_analysis"
            input={form.getInputProps('name')}
            proposal={proposal}
            propose={propose}
          />
          <PlotFilesField
            projectId={projectId}
            files={values.phenotype_ids}
            onChange={(phenotype_ids) => form.setValues({ phenotype_ids, environments: [] })}
            error={form.errors['phenotype_ids']}
          />
        </>
      }
      match={<WhatIsRead files={files} count={values.phenotype_ids.length} />}
    >
      <TraitChooser
        traits={files.traits}
        selected={values.traits}
        onChange={(traits) => form.setFieldValue('traits', traits)}
        emptyText={t(values.phenotype_ids.length === 0 ? 'runs.choosePhenotypeFirst' : 'runs.readingTraits')}
        error={form.errors['traits']}
      />
      <TrialOptions projectId={projectId} form={form} environments={files.environments} />
    </RunDialog>
  );
}

function TrialOptions(props: {
  projectId: string;
  form: UseFormReturnType<TrialValues>;
  environments: readonly string[];
}) {
  const { projectId, form, environments } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const { values } = form;
  const text = (name: 'fixed' | 'random' | 'checks' | 'environments') => ({
    label: textOf(name, 'label'),
    description: textOf(name, 'hint'),
    ...form.getInputProps(name),
  });
  const changed = values.overrides.length + values.set_aside.length;
  return (
    <>
      <OptionFields
        analysis="trial_analyses"
        table={TRIAL_ANALYSIS_OPTIONS}
        form={form}
        own={{
          environments:
            environments.length > 1 ? (
              <MultiSelect {...text('environments')} data={[...environments]} searchable clearable hidePickedOptions />
            ) : null,
          checks: <TagsInput {...text('checks')} splitChars={[',', ';', '\n']} clearable />,
          fixed: <TagsInput {...text('fixed')} splitChars={[',', ';']} />,
          random: <TagsInput {...text('random')} splitChars={[',', ';']} />,
          // They stand below the pedigree.
          ...{ ploidy: null, double_reduction: null, founders: null },
        }}
      />
      {changed > 0 && (
        <Notice>
          {t('trial_analyses.keptChanges', { models: values.overrides.length, plots: values.set_aside.length })}{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => form.setValues({ overrides: [], set_aside: [] })}>
            {t('trial_analyses.dropChanges')}
          </Button>
        </Notice>
      )}
      <SeriesFields projectId={projectId} form={form} />
    </>
  );
}

/** All trials together: the covariance between environments, and where the relationships of lines come from. */
function SeriesFields({ projectId, form }: { projectId: string; form: UseFormReturnType<TrialValues> }) {
  const { t } = useTranslation();
  const { values } = form;
  const hidden = hiddenOfPedigree(values, usePloidy(projectId, values.genotype_id?.id));
  return (
    <>
      <FileField
        label={t('trial_analyses.relationshipGenotype')}
        description={t('trial_analyses.relationshipNote')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={values.genotype_id}
        onChange={({ id, name }) => form.setValues({ genotype_id: { id, name } })}
        onClear={() => form.setValues({ genotype_id: undefined })}
        emptyText={t('form.none')}
        error={form.errors['genotype_id']}
      />
      <FileField
        label={t('trial_analyses.relationshipPedigree')}
        projectId={projectId}
        types={['PEDIGREE']}
        value={values.pedigree_id}
        onChange={({ id, name }) => form.setValues({ pedigree_id: { id, name } })}
        onClear={() => form.setValues({ pedigree_id: undefined })}
        emptyText={t('form.none')}
        error={form.errors['pedigree_id']}
      />
      <OptionsBeside
        analysis="trial_analyses"
        table={TRIAL_ANALYSIS_OPTIONS}
        names={OF_PEDIGREE.filter((name) => !hidden.includes(name))}
        form={form}
      />
    </>
  );
}

const OF_PEDIGREE = ['ploidy', 'double_reduction', 'founders'] as const;

/** What the chosen files hold, where other dialogs show how names match. */
function WhatIsRead({ files, count }: { files: ReturnType<typeof usePlotFiles>; count: number }) {
  const { t } = useTranslation();
  return (
    <section className={classes.read} aria-label={t('trial_analyses.finds')}>
      <h3>{t('trial_analyses.finds')}</h3>
      <p>
        {count > 0 && files.isRead
          ? [
              t('trial_analyses.readTraits', { count: files.traits.length }),
              ...(files.environments.length === 0
                ? []
                : [t('trial_analyses.readEnvironments', { count: files.environments.length })]),
            ].join(' · ')
          : '…'}
      </p>
      {files.withoutPlots.map((name) => (
        <Notice key={name} kind="warning">
          {t('trial_analyses.withoutPlots', { name })}
        </Notice>
      ))}
      <ul>
        {(['models', 'field', 'means', 'series'] as const).map((what) => (
          <li key={what}>{t(`trial_analyses.find.${what}`)}</li>
        ))}
      </ul>
    </section>
  );
}

/** As many traits are proposed all together; of more, one chooses. */
const PROPOSED_TRAITS = 6;

/** Fills in what leaves no choice: the file it was opened for, or the likely one, and the traits of a small table. */
function useProposals(
  projectId: string,
  known: {
    values: TrialValues;
    files: ReturnType<typeof usePlotFiles>;
    phenotypeId: string | undefined;
    latestId: string | undefined;
  },
  propose: (values: Partial<TrialValues>) => void,
): void {
  const { values, files, phenotypeId, latestId } = known;
  const file = useProposedFile(projectId, 'PHENOTYPE', latestId, phenotypeId);
  const done = useRef({ file: values.phenotype_ids.length > 0, traits: values.traits.length > 0 });
  useEffect(() => {
    if (file && !done.current.file) {
      done.current.file = true;
      propose({ phenotype_ids: [{ id: file.id, name: file.name }] });
    }
    const traits = files.traits.filter((trait) => !files.codes.has(trait));
    if (!done.current.traits && files.isRead && traits.length > 0) {
      done.current.traits = true;
      if (traits.length <= PROPOSED_TRAITS) propose({ traits });
    }
  }, [file?.id, files.isRead, files.traits.join('\n')]);
}
