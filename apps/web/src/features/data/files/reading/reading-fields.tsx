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

/** Formats that hold genotypes in several fields; null where a file could not be read. */
export const hasGenotypeFields = (format: string | null): boolean =>
  format === 'vcf' || format === 'dart' || format === 'long-dosages';

/** Ploidy and, of a VCF or the like, whose plants and which field genotypes are read from. */
export function ReadingFields(props: {
  value: Reading;
  hasField: boolean;
  /** Of which file, where several are chosen: labels then stand within the fields. */
  name?: string;
  onChange: (value: Reading) => void;
}) {
  const { value, hasField, name, onChange } = props;
  const { t } = useTranslation();
  const labelled = (label: string) => (name === undefined ? { label } : { 'aria-label': `${label}: ${name}` });
  const ofFile = (label: string) => within(label, t('files.reading.asFile'));
  const within = (label: string, text: string): string => (name === undefined ? text : `${label}: ${text}`);
  return (
    <div className={classes.fields}>
      <NativeSelect
        size="xs"
        {...labelled(t('files.reading.ploidy'))}
        value={value.ploidy ?? ''}
        onChange={(event) => {
          const chosen = ploidy.safeParse(Number(event.currentTarget.value));
          onChange({ ...value, ploidy: chosen.success ? chosen.data : null });
        }}
        data={[
          { value: '', label: ofFile(t('files.reading.ploidy')) },
          ...PLOIDIES.map((one) => ({
            value: String(one),
            label: within(t('files.reading.ploidy'), t(`files.ploidyOf.${one}`)),
          })),
        ]}
      />
      {hasField && (
        <NativeSelect
          size="xs"
          {...labelled(t('files.reading.plants'))}
          value={value.samples_of_ploidy ?? ''}
          onChange={(event) => {
            const chosen = ploidy.safeParse(Number(event.currentTarget.value));
            onChange({ ...value, samples_of_ploidy: chosen.success ? chosen.data : null });
          }}
          data={[
            { value: '', label: within(t('files.reading.plants'), t('files.reading.allPlants')) },
            ...PLOIDIES.map((one) => ({
              value: String(one),
              label: within(
                t('files.reading.plants'),
                t('files.reading.ofPloidy', { ploidy: t(`files.ploidyOf.${one}`) }),
              ),
            })),
          ]}
        />
      )}
      {hasField && (
        <NativeSelect
          size="xs"
          {...labelled(t('files.reading.field'))}
          value={value.genotype_field ?? ''}
          onChange={(event) => {
            const chosen = genotypeField.safeParse(event.currentTarget.value);
            onChange({ ...value, genotype_field: chosen.success ? chosen.data : null });
          }}
          data={[
            { value: '', label: ofFile(t('files.reading.field')) },
            ...genotypeField.options.map((one) => ({
              value: one,
              label: within(t('files.reading.field'), t(`files.reading.fieldOf.${one}`)),
            })),
          ]}
        />
      )}
    </div>
  );
}
