import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import type { DesignName } from '@heterosis/statgen/designs/design-types';
import { Button, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { showToast } from '../../../../lib/browser/toast.ts';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { SizesDialog } from '../sizes/sizes-dialog.tsx';
import { DesignChoice } from './design-choice.tsx';
import { DesignField } from './design-field.tsx';
import classes from './new-trial.module.css';
import { cellIn, FIELDS_OF_DESIGN, type NewTrialValues } from './new-trial-values.ts';
import { PlacesSource } from './places-source.tsx';
import type { DesignState } from './use-design.ts';

/** The design by its picture, and what it asks for. */
export function DesignSection(props: {
  form: UseFormReturnType<NewTrialValues>;
  obstacles: DesignState['obstacles'];
  inWords: (text: string) => string;
  projectId: string;
  /** How many there are. */
  entries: number;
}) {
  const { form, obstacles, inWords, projectId, entries } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const design = form.values.design as DesignName;
  return (
    <Section
      title={textOf('design', 'label')}
      action={<SizesButton form={form} projectId={projectId} entries={entries} />}
    >
      <DesignChoice
        value={design}
        onChange={(next) => form.setFieldValue('design', next)}
        obstacles={obstacles}
        inWords={inWords}
      />
      <div className={classes.fields}>
        {FIELDS_OF_DESIGN[design]
          .filter((name) => name !== 'check_placing' || form.values.checks.length > 0)
          .map((name) =>
            name === 'main_plots' ? (
              <TagsInput
                key={name}
                className={classes.wide ?? ''}
                label={textOf('main_plots', 'label')}
                description={t('trials.mainPlotsHint')}
                acceptValueOnBlur
                {...form.getInputProps('main_plots')}
              />
            ) : (
              <DesignField key={name} name={name} form={form} />
            ),
          )}
        <DesignField name="seed" form={form} />
        {form.values.checks.length > 0 && (
          <TagsInput
            className={classes.wide ?? ''}
            label={textOf('check_plots', 'label')}
            description={t('trials.checkPlotsHint')}
            splitChars={[' ', '\n', '\t', ';']}
            isDuplicate={(value, all) => cellIn(value) === undefined || all.includes(value)}
            clearable
            {...form.getInputProps('check_plots')}
          />
        )}
        {design === 'sparse' && <PlacesSource projectId={projectId} form={form} />}
      </div>
    </Section>
  );
}

/** How many plots and places are enough, asked before the design is. */
function SizesButton(props: { form: UseFormReturnType<NewTrialValues>; projectId: string; entries: number }) {
  const { form, projectId, entries } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('trials.sizes.open')}
      </Button>
      {isOpen && (
        <SizesDialog
          projectId={projectId}
          entries={entries}
          onUse={({ places, replicates }) => {
            form.setFieldValue('replicates', replicates);
            setOpen(false);
            showToast({ text: t('trials.sizes.used', { count: places, replicates }) });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
