import { Input, SegmentedControl } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
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
      <NumberField label={t('gwas.fixed')} limits={LIMITS.fixed} {...form.getInputProps('fixed')} />
      <NumberField label={t('gwas.maf')} limits={LIMITS.thresh_maf} step={0.01} {...form.getInputProps('thresh_maf')} />
      <NumberField
        label={t('gwas.callRate')}
        limits={LIMITS.thresh_callrate}
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
      <NumberField
        label={t('gwas.permutations')}
        description={t('gwas.permutationsHint')}
        placeholder={t('gwas.none')}
        limits={LIMITS.permutations}
        step={100}
        startValue={1000}
        {...form.getInputProps('permutations')}
      />
      <NumberField
        label={t('gwas.stepwise')}
        description={t(form.values.loco ? 'gwas.stepwiseNotLoco' : 'gwas.stepwiseHint')}
        placeholder={t('gwas.none')}
        limits={LIMITS.stepwise}
        startValue={10}
        disabled={form.values.loco}
        {...form.getInputProps('stepwise')}
      />
    </div>
  );
}
