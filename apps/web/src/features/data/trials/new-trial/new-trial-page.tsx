import type { SavedListDetail } from '@heterosis/contracts/data/lists';
import type { Trial } from '@heterosis/contracts/data/trials';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { Button, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Page } from '../../../../components/page/page.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { useLinkMade } from '../../../../lib/browser/made-for.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { optionalNumberError, useSubmission } from '../../../../lib/form/form.ts';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { useProjectCrumbs } from '../../../people/projects/index.ts';
import { optionErrors, useDraftForm } from '../../../work/run-dialog/index.ts';
import { listQuery } from '../../lists/index.ts';
import { afterSaving } from '../after-saving.ts';
import { plotsQuery, trialQuery, useTrialMutations } from '../trials.api.ts';
import { useTraitNames } from '../use-trait-names.ts';
import { DesignSection } from './design-section.tsx';
import { EntriesField } from './entries-field.tsx';
import { FieldFields } from './field-fields.tsx';
import { inPageWords } from './in-page-words.ts';
import classes from './new-trial.module.css';
import { NewTrialResult } from './new-trial-result.tsx';
import { designRequest, entriesOf, METRES, type NewTrialValues, newTrialValues } from './new-trial-values.ts';
import { type RedrawnTrial, valuesOfTrial } from './redrawn-trial.ts';
import { layoutBody, trialsBody } from './trials-body.ts';
import { useDesign } from './use-design.ts';

/** A new trial, of the lines of a list where one is named, or the layout of a draft made anew, whose id is `trial`. */
export function NewTrialPage(props: {
  projectId: string;
  trial?: string | undefined;
  list?: string | undefined;
  replicates?: string | undefined;
}) {
  const { projectId, trial, list } = props;
  if (trial !== undefined) return <RedrawPage projectId={projectId} id={trial} />;
  const replicates = Number(props.replicates) || undefined;
  return list === undefined ? (
    <TrialDesigner projectId={projectId} replicates={replicates} />
  ) : (
    <ListedPage projectId={projectId} id={list} replicates={replicates} />
  );
}

function ListedPage({ projectId, id, replicates }: { projectId: string; id: string; replicates: number | undefined }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const list = useQuery(listQuery(projectId, id));
  if (list.data) return <TrialDesigner projectId={projectId} list={list.data} replicates={replicates} />;
  return (
    <Page title={t('trials.new')} crumbs={[...crumbs, rootCrumb(projectId, t)]}>
      {list.error ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Page>
  );
}

function RedrawPage({ projectId, id }: { projectId: string; id: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const trial = useQuery(trialQuery(projectId, id));
  const plots = useQuery(plotsQuery(projectId, id));
  if (trial.data && trial.data.state !== 'DRAFT') return <LayoutIsFixed projectId={projectId} trial={trial.data} />;
  if (trial.data && plots.data)
    return <TrialDesigner projectId={projectId} redrawn={{ trial: trial.data, plots: plots.data }} />;
  const error = trial.error ?? plots.error;
  const retry = () => void Promise.all([trial.refetch(), plots.refetch()]);
  return (
    <Page title={t('trials.redraw')} crumbs={[...crumbs, rootCrumb(projectId, t)]}>
      {error ? <ErrorNotice error={error} onRetry={retry} /> : <SkeletonLines lines={8} />}
    </Page>
  );
}

/** Of a trial that is no draft: where its plots are changed instead. */
function LayoutIsFixed({ projectId, trial }: { projectId: string; trial: Trial }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const link = { to: '/projects/$projectId/trials/$trialId', params: { projectId, trialId: trial.id } } as const;
  const title = t('trials.redraw');
  return (
    <Page title={title} crumbs={[...crumbs, rootCrumb(projectId, t), { label: trial.name, link }, { label: title }]}>
      <EmptyState
        title={t('trials.layoutFixed', { name: trial.name })}
        action={
          <Button component={Link} to={link.to} params={link.params as never}>
            {t('trials.openMap')}
          </Button>
        }
      >
        {t('trials.layoutFixedText')}
      </EmptyState>
    </Page>
  );
}

const rootCrumb = (projectId: string, t: TFunction) =>
  ({ label: t('nav.trials'), link: { to: '/projects/$projectId/trials', params: { projectId } } }) as const;

/** Entries, design and field on one side, the map that they give on the other; saved as trials, one a place. */
function TrialDesigner(props: {
  projectId: string;
  redrawn?: RedrawnTrial;
  list?: SavedListDetail;
  replicates?: number | undefined;
}) {
  const { projectId, redrawn, list, replicates } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const crumbs = useProjectCrumbs(projectId);
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const { create, replaceLayout } = useTrialMutations(projectId);
  const traits = useTraitNames(projectId);
  const linkMade = useLinkMade(projectId);
  // A new seed with each page; what was typed comes back as a draft.
  const [initialValues] = useState(() =>
    redrawn
      ? valuesOfTrial(redrawn)
      : {
          ...newTrialValues(String(new Date().getFullYear())),
          ...(list && { name: list.name, entryText: list.members.join('\n') }),
          ...(replicates !== undefined && { replicates }),
        },
  );
  // Upon this version: who changes the trial meanwhile is not overwritten.
  const [version] = useState(redrawn?.trial.version);
  const { form, draft } = useDraftForm<NewTrialValues>({
    ...{
      draftKey: `new trial ${redrawn?.trial.id ?? list?.id ?? projectId}`,
      initialValues,
      validateInputOnChange: true,
    },
    validate: (values) => ({
      ...optionErrors(t, DESIGN_OPTIONS, values),
      plot_length: optionalNumberError(t, values.plot_length, METRES) ?? null,
      plot_width: optionalNumberError(t, values.plot_width, METRES) ?? null,
    }),
  });
  const { values } = form;
  const entries = useMemo(
    () => entriesOf({ entryText: values.entryText, checks: values.checks }),
    [values.entryText, values.checks],
  );
  const request = form.isValid() ? designRequest(values, entries) : undefined;
  const state = useDesign(request);
  const inWords = (text: string): string =>
    inPageWords(
      text,
      (option) => textOf(option as keyof typeof DESIGN_OPTIONS, 'label'),
      (name) => textOf('design', 'labels', name),
    );
  const submission = useSubmission(
    form,
    async () => {
      if (!request || !state.design) throw new Error('the button waits for a design');
      const { design, changed, swaps } = state;
      const made = { values, request, design, changed, swaps };
      if (redrawn) return [await replaceLayout.mutateAsync({ ...layoutBody(made), id: redrawn.trial.id, version })];
      await traits.list(values.traits);
      return (await create.mutateAsync(trialsBody(made))).data;
    },
    async (saved) => {
      draft.drop();
      showToast({ text: t('trials.saved', { count: saved.length, name: saved[0]?.name }) });
      await linkMade(
        'trial',
        saved.map(({ id }) => id),
      );
      await navigate(afterSaving(projectId, saved));
    },
  );
  const missing = (): string | undefined => {
    if (entries.length === 0) return t('trials.needEntries');
    if (values.name.trim() === '') return t('form.nameRequired');
    if (values.season.trim() === '') return t('trials.needSeason');
    if (values.locations.length === 0) return t('trials.needPlace');
    if (!form.isValid()) return t('form.correctFields');
    if (state.obstacle) return inWords(state.obstacle.message);
    return state.isWhole ? undefined : t('trials.searching');
  };
  const title = redrawn ? t('trials.redraw') : t('trials.new');
  return (
    <Page
      title={title}
      crumbs={[
        ...crumbs,
        rootCrumb(projectId, t),
        ...(redrawn
          ? [
              {
                label: redrawn.trial.name,
                link: {
                  to: '/projects/$projectId/trials/$trialId',
                  params: { projectId, trialId: redrawn.trial.id },
                } as const,
              },
            ]
          : []),
        { label: title },
      ]}
      action={
        draft.isDirty && (
          <Button variant="default" onClick={draft.startAfresh}>
            {t('trials.startAfresh')}
          </Button>
        )
      }
    >
      <form className={classes.sides} onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.form}>
          <Section title={t('trials.entries')}>
            <EntriesField
              projectId={projectId}
              text={values.entryText}
              onText={(text) => form.setFieldValue('entryText', text)}
              checks={[...values.checks]}
              onChecks={(checks) => form.setFieldValue('checks', checks)}
            />
          </Section>
          <DesignSection
            form={form}
            obstacles={state.obstacles}
            inWords={inWords}
            projectId={projectId}
            entries={entries.length - values.checks.length}
          />
          <Section title={t('trials.field')} note={t('trials.fieldNote')}>
            <FieldFields form={form} hasPlotSize={!redrawn} />
          </Section>
          {!redrawn && <PlacesSection form={form} traits={traits.known} />}
        </div>
        <div className={classes.result}>
          <NewTrialResult form={form} entries={entries} state={state} inWords={inWords} />
          <FormFooter
            submitLabel={
              redrawn ? t('trials.saveLayout') : t('trials.save', { count: Math.max(1, values.locations.length) })
            }
            isPending={submission.isPending}
            problem={submission.problem}
            disabledReason={missing()}
          />
        </div>
      </form>
    </Page>
  );
}

/** What the trials are called, where and when they grow, and what is measured in them. */
function PlacesSection({ form, traits }: { form: UseFormReturnType<NewTrialValues>; traits: string[] }) {
  const { t } = useTranslation();
  return (
    <Section title={t('trials.placesAndSeason')}>
      <div className={classes.fields}>
        <TextInput label={t('column.name')} maxLength={255} {...form.getInputProps('name')} />
        <TextInput label={t('trials.season')} maxLength={50} {...form.getInputProps('season')} />
        <TagsInput
          className={classes.wide ?? ''}
          label={t('trials.places')}
          description={t('trials.placesHint')}
          splitChars={['\n', '\t', ';']}
          acceptValueOnBlur
          clearable
          {...form.getInputProps('locations')}
        />
        <TagsInput
          className={classes.wide ?? ''}
          label={t('trials.traits')}
          description={t('trials.traitsHint')}
          data={traits}
          splitChars={['\n', '\t', ';']}
          acceptValueOnBlur
          clearable
          {...form.getInputProps('traits')}
        />
      </div>
    </Section>
  );
}
