import { Input, NumberInput, SegmentedControl } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { type GwasValues, LIMITS } from './gwas-form.ts';

/** The test of a marker, what it is corrected for, and which markers are tested. */
export function TestFields({ form }: { form: UseFormReturnType<GwasValues> }) {
  const { t } = useTranslation();
  return (
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
        min={LIMITS.fixed.min}
        max={LIMITS.fixed.max}
        {...form.getInputProps('fixed')}
      />
      <NumberInput
        label={t('gwas.maf')}
        min={LIMITS.thresh_maf.min}
        max={LIMITS.thresh_maf.max}
        step={0.01}
        {...form.getInputProps('thresh_maf')}
      />
      <NumberInput
        label={t('gwas.callRate')}
        min={LIMITS.thresh_callrate.min}
        max={LIMITS.thresh_callrate.max}
        step={0.01}
        {...form.getInputProps('thresh_callrate')}
      />
    </div>
  );
}

/** What is computed beside the test of each marker: a threshold by permutations, and the multi-locus model. */
export function SearchFields({ form }: { form: UseFormReturnType<GwasValues> }) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <NumberInput
        label={t('gwas.permutations')}
        description={t('gwas.permutationsHint')}
        placeholder={t('gwas.none')}
        min={LIMITS.permutations.min}
        max={LIMITS.permutations.max}
        step={100}
        startValue={1000}
        {...form.getInputProps('permutations')}
      />
      <NumberInput
        label={t('gwas.stepwise')}
        description={t(form.values.loco ? 'gwas.stepwiseNotLoco' : 'gwas.stepwiseHint')}
        placeholder={t('gwas.none')}
        min={LIMITS.stepwise.min}
        max={LIMITS.stepwise.max}
        startValue={10}
        disabled={form.values.loco}
        {...form.getInputProps('stepwise')}
      />
    </div>
  );
}
