import { CLUMPING_OPTIONS } from '@heterosis/contracts/options/clumping';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { Checkbox } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../../components/form/form-columns.module.css';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { OptionField, optionBody, optionErrors, optionValues } from '../../run-dialog/index.ts';

type Rule = GwasDetail['provenance']['parameters']['clumps'];

/** What the dialog asks for: whether hits are put together, and how. */
export interface ClumpValues extends ReturnType<typeof optionValues<typeof CLUMPING_OPTIONS>> {
  isAsked: boolean;
}

/** Values to begin with: those of an earlier run, which may have had no clumps. */
export const clumpValues = (source: { clumps?: Rule } | undefined): ClumpValues => ({
  isAsked: source === undefined || source.clumps !== undefined,
  ...optionValues(CLUMPING_OPTIONS, source?.clumps),
});

/** Whether a threshold is wrong: then nothing can be started. */
export const hasClumpError = (t: TFunction, values: ClumpValues): boolean =>
  values.isAsked && Object.keys(optionErrors(t, CLUMPING_OPTIONS, { ...values })).length > 0;

/** For the request; undefined for no clumps. */
export const clumpsBody = (values: ClumpValues): Rule =>
  values.isAsked ? optionBody(CLUMPING_OPTIONS, { ...values }) : undefined;

/** Whether hits in LD are put together; the thresholds are folded. */
export function ClumpFields({ values, onChange }: { values: ClumpValues; onChange: (values: ClumpValues) => void }) {
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const [isOpen, setOpen] = useState(false);
  const errors: Record<string, string | undefined> = optionErrors(t, CLUMPING_OPTIONS, { ...values });
  const form = {
    values: { ...values },
    getInputProps: (name: string) => ({
      value: { ...values }[name as keyof ClumpValues],
      onChange: (value: unknown) => onChange({ ...values, [name]: value }),
      error: errors[name],
    }),
  };
  return (
    <>
      <Checkbox
        label={textOf('clumps', 'label')}
        description={textOf('clumps', 'hint')}
        checked={values.isAsked}
        onChange={(event) => onChange({ ...values, isAsked: event.currentTarget.checked })}
      />
      {values.isAsked && (
        <details
          className={classes.folded}
          open={isOpen || hasClumpError(t, values)}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{t('gwas.clumpsAdvanced')}</summary>
          <div className={classes.pair}>
            {(Object.keys(CLUMPING_OPTIONS) as (keyof typeof CLUMPING_OPTIONS)[]).map((name) => (
              <OptionField key={name} analysis="clumping" table={CLUMPING_OPTIONS} {...{ name, form }} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
