import type { Trial } from '@heterosis/contracts/data/trials';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { Button, TagsInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { Page } from '../../../../components/page/page.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { showToast } from '../../../../lib/browser/toast.ts';
import { optionalNumberError, useSubmission } from '../../../../lib/form/form.ts';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { useProjectCrumbs } from '../../../people/projects/index.ts';
import { optionErrors, useDraftForm } from '../../../work/run-dialog/index.ts';
import { useTrialMutations } from '../trials.api.ts';
import { DesignSection } from './design-section.tsx';
import { EntriesField } from './entries-field.tsx';
import { FieldFields } from './field-fields.tsx';
import { inPageWords } from './in-page-words.ts';
import classes from './new-trial.module.css';
import { NewTrialResult } from './new-trial-result.tsx';
import { designRequest, entriesOf, METRES, type NewTrialValues, newTrialValues } from './new-trial-values.ts';
import { trialsBody } from './trials-body.ts';
import { useDesign } from './use-design.ts';
import { useSwaps } from './use-swaps.ts';

/** Entries, design and field on one side, the map that they give on the other; saved as trials, one a place. */
export function NewTrialPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const crumbs = useProjectCrumbs(projectId);
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const { create } = useTrialMutations(projectId);
  // A new seed with each page; what was typed comes back as a draft.
  const [initialValues] = useState(() => newTrialValues(String(new Date().getFullYear())));
  const { form, draft } = useDraftForm<NewTrialValues>({
    ...{ draftKey: `new trial ${projectId}`, initialValues, validateInputOnChange: true },
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
  const request = form.isValid() ? designRequest(values) : undefined;
  const state = useDesign(request);
  const swaps = useSwaps(JSON.stringify(request), state.swap);
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
      const { design, changed } = state;
      return create.mutateAsync(trialsBody({ values, request, design, changed, swaps: swaps.byPlace }));
    },
    async ({ data }) => {
      draft.drop();
      showToast({ text: t('trials.saved', { count: data.length, name: data[0]?.name }) });
      await navigate(afterSaving(projectId, data));
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
  return (
    <Page
      title={t('trials.new')}
      crumbs={[
        ...crumbs,
        { label: t('nav.trials'), link: { to: '/projects/$projectId/trials', params: { projectId } } },
        { label: t('trials.new') },
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
          <DesignSection form={form} obstacles={state.obstacles} inWords={inWords} />
          <Section title={t('trials.field')} note={t('trials.fieldNote')}>
            <FieldFields form={form} />
          </Section>
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
            </div>
          </Section>
        </div>
        <div className={classes.result}>
          <NewTrialResult form={form} entries={entries} state={state} swaps={swaps} inWords={inWords} />
          <FormFooter
            submitLabel={t('trials.save', { count: Math.max(1, values.locations.length) })}
            isPending={submission.isPending}
            problem={submission.problem}
            disabledReason={missing()}
          />
        </div>
      </form>
    </Page>
  );
}

/** One trial opens; several are seen in the list. */
const afterSaving = (projectId: string, [first, ...others]: readonly Trial[]) =>
  first !== undefined && others.length === 0
    ? ({ to: '/projects/$projectId/trials/$trialId', params: { projectId, trialId: first.id } } as const)
    : ({ to: '/projects/$projectId/trials', params: { projectId } } as const);
