import { type GenotypeField, genotypeField, type Ploidy, ploidy } from '@heterosis/contracts/data/file-formats';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { PLOIDIES } from '@heterosis/contracts/data/format-names';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './reading-fields.module.css';

/** How a genotype is read; absent or null: as the file tells. */
export interface Reading {
  ploidy?: Ploidy | null;
  /** Null: plants of any ploidy. */
  samples_of_ploidy?: Ploidy | null;
  genotype_field?: GenotypeField | null;
}

/** How a genotype was read, as the fields ask for it. */
export const readingOf = (file: FileDetail): Reading => ({
  // Where plants differ their calls tell the ploidy of each.
  ploidy: file.ploidies === null && file.samples_of_ploidy === null ? file.ploidy : null,
  samples_of_ploidy: file.samples_of_ploidy,
  genotype_field: file.genotype_field,
});

/** Formats that hold genotypes in several fields. */
const WITH_FIELDS = new Set(['vcf', 'dart', 'long-dosages']);

/** Ploidy; of what holds several fields, the one that is read; of a VCF, whose plants are read. */
export function ReadingFields(props: {
  value: Reading;
  /** Null where it is not known. */
  format: string | null;
  /** Of which file, where several are chosen: labels then stand within the fields. */
  name?: string;
  onChange: (value: Reading) => void;
}) {
  const { value, format, name, onChange } = props;
  const { t } = useTranslation();
  const asFile = t('files.reading.asFile');
  const field = (label: string, otherwise: string, options: readonly (readonly [string | number, string])[]) => {
    const within = (text: string): string => (name === undefined ? text : `${label}: ${text}`);
    return {
      size: 'xs',
      ...(name === undefined ? { label } : { 'aria-label': `${label}: ${name}` }),
      data: [
        { value: '', label: within(otherwise) },
        ...options.map(([one, text]) => ({ value: String(one), label: within(text) })),
      ],
    };
  };
  const ploidyOf = (chosen: string): Ploidy | null => ploidy.safeParse(Number(chosen)).data ?? null;
  return (
    <div className={classes.fields}>
      <NativeSelect
        {...field(
          t('files.reading.ploidy'),
          asFile,
          PLOIDIES.map((one) => [one, t(`files.ploidyOf.${one}`)]),
        )}
        value={value.ploidy ?? ''}
        onChange={(event) => onChange({ ...value, ploidy: ploidyOf(event.currentTarget.value) })}
      />
      {format === 'vcf' && (
        <NativeSelect
          {...field(
            t('files.reading.plants'),
            t('files.reading.allPlants'),
            PLOIDIES.map((one) => [one, t('files.reading.ofPloidy', { ploidy: t(`files.ploidyOf.${one}`) })]),
          )}
          value={value.samples_of_ploidy ?? ''}
          onChange={(event) => onChange({ ...value, samples_of_ploidy: ploidyOf(event.currentTarget.value) })}
        />
      )}
      {format !== null && WITH_FIELDS.has(format) && (
        <NativeSelect
          {...field(
            t('files.reading.field'),
            asFile,
            genotypeField.options.map((one) => [one, t(`files.reading.fieldOf.${one}`)]),
          )}
          value={value.genotype_field ?? ''}
          onChange={(event) =>
            onChange({ ...value, genotype_field: genotypeField.safeParse(event.currentTarget.value).data ?? null })
          }
        />
      )}
    </div>
  );
}
