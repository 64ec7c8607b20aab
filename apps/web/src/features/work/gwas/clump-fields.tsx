import { CLUMPING, type GwasDetail } from '@heterosis/contracts/gwas';
import { Checkbox } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError } from '../../../lib/form/form.ts';

type Rule = NonNullable<GwasDetail['provenance']['parameters']['clumps']>;

/** What the dialog asks for: whether hits are put together, and how. */
export interface ClumpValues {
  isAsked: boolean;
  p1: FieldNumber;
  p2: FieldNumber;
  r2: FieldNumber;
  kb: FieldNumber;
}

const FIGURES = ['p1', 'p2', 'r2', 'kb'] as const;
const LABELS = { p1: 'gwas.clumpP1', p2: 'gwas.clumpP2', r2: 'gwas.clumpR2', kb: 'gwas.clumpKb' } as const;
const STEPS = { p1: 0.0001, p2: 0.001, r2: 0.1, kb: 50 };

/** Values to begin with: those of an earlier run, which may have had no clumps. */
export function clumpValues(source: { clumps?: Rule | undefined } | undefined): ClumpValues {
  const usual = Object.fromEntries(FIGURES.map((name) => [name, CLUMPING[name].usual])) as unknown as Rule;
  return { isAsked: source === undefined || source.clumps !== undefined, ...(source?.clumps ?? usual) };
}

const limitsOf = (name: (typeof FIGURES)[number]) => ({ min: 0, max: CLUMPING[name].largest });

const figureError = (t: TFunction, values: ClumpValues, name: (typeof FIGURES)[number]): string | undefined =>
  numberError(t, values[name], limitsOf(name));

/** Whether a threshold is wrong: then nothing can be started. */
export const hasClumpError = (t: TFunction, values: ClumpValues): boolean =>
  values.isAsked && FIGURES.some((name) => figureError(t, values, name) !== undefined);

/** For the request; undefined for no clumps. */
export const clumpsBody = ({ isAsked, p1, p2, r2, kb }: ClumpValues): Rule | undefined =>
  isAsked ? { p1: numberOf(p1), p2: numberOf(p2), r2: numberOf(r2), kb: numberOf(kb) } : undefined;

/** Whether hits in LD are put together; the thresholds are folded. */
export function ClumpFields({ values, onChange }: { values: ClumpValues; onChange: (values: ClumpValues) => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Checkbox
        label={t('gwas.clumpsOption')}
        description={t('gwas.clumpsOptionHint')}
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
            {FIGURES.map((name) => (
              <NumberField
                key={name}
                label={t(LABELS[name])}
                limits={limitsOf(name)}
                step={STEPS[name]}
                value={values[name]}
                onChange={(value) => onChange({ ...values, [name]: value })}
                error={figureError(t, values, name)}
              />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
