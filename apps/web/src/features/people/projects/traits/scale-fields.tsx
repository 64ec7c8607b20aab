import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../../components/form/number-field.tsx';
import classes from '../trait-settings-modal.module.css';
import { LIMITS, SCALE_KINDS, type ScaleKind, scaleError, type TraitRow } from './trait-values.ts';

/** What values a trait takes, and how it is measured. */
export function ScaleFields({ trait, onChange }: { trait: TraitRow; onChange: (trait: TraitRow) => void }) {
  const { t } = useTranslation();
  const { name, scale, details } = trait;
  const set = (change: Partial<TraitRow['scale']>): void => onChange({ ...trait, scale: { ...scale, ...change } });
  const error = scaleError(t, scale);
  return (
    <div className={classes.scale}>
      <NativeSelect
        size="xs"
        label={t('traits.values')}
        aria-label={t('traits.valuesOf', { trait: name })}
        data={SCALE_KINDS.map((value) => ({ value, label: t(`traits.scales.${value}`) }))}
        value={scale.kind}
        onChange={({ currentTarget }) => set({ kind: currentTarget.value as ScaleKind })}
      />
      {(scale.kind === 'numeric' || scale.kind === 'integer') && (
        <>
          <NumberField
            size="xs"
            label={t('traits.min')}
            limits={LIMITS}
            value={scale.min}
            onChange={(min) => set({ min })}
          />
          <NumberField
            size="xs"
            label={t('traits.max')}
            limits={LIMITS}
            value={scale.max}
            onChange={(max) => set({ max })}
          />
        </>
      )}
      {scale.kind === 'categories' && (
        <Textarea
          size="xs"
          className={classes.wide ?? ''}
          autosize
          minRows={2}
          maxRows={10}
          label={t('traits.categories')}
          description={t('traits.categoriesHint')}
          value={scale.categories}
          onChange={({ currentTarget }) => set({ categories: currentTarget.value })}
        />
      )}
      <TextInput
        size="xs"
        className={classes.wide ?? ''}
        label={t('traits.details')}
        maxLength={5000}
        value={details ?? ''}
        onChange={({ currentTarget }) => onChange({ ...trait, details: currentTarget.value || null })}
      />
      {error !== null && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
