import type { DateChoice, FileDetail } from '@heterosis/contracts/data/files';
import { type FirstRows, type MappedTable, type TableMapping } from '@heterosis/contracts/data/table-mapping';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { asProblem } from '../../../../lib/api/problem.ts';
import {
  DECIMAL_MARKS,
  HEADER_ROWS,
  mappingOf,
  missingCodesOf,
  missingRole,
  type Place,
  rolesOf,
  SEPARATORS,
  withRole,
} from './column-mapping.ts';
import { ColumnTable } from './column-table.tsx';
import { DateFields } from './date-fields.tsx';
import classes from './map-columns-modal.module.css';

interface Told {
  mapping: TableMapping;
  missing_codes: string[];
  measured_values?: string[];
  dates?: DateChoice | null;
  left_out?: null;
  remember_mapping: boolean;
}

/** Asks what the columns of a table hold, over its first rows. */
export function MappingForm<Key extends readonly unknown[]>(props: {
  table: MappedTable;
  /** Absent for germplasm, which has no numbers. */
  file?: Pick<FileDetail, 'dates' | 'measured_values'>;
  /** The start of the table, read with its header at a place. */
  firstRowsAt: (place: Place) => UseQueryOptions<FirstRows, Error, FirstRows, Key>;
  /** What is sent once every question is answered. */
  check: { mutate: (told: Told, options: { onSuccess: () => void }) => void; isPending: boolean; error: Error | null };
  close: () => Promise<void>;
}) {
  const { table, file, firstRowsAt, check, close } = props;
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place>({});
  const query = useQuery({ ...firstRowsAt(place), placeholderData: keepPreviousData });
  const [told, setTold] = useState<Readonly<Record<string, string>>>({});
  const [decimalMark, setDecimalMark] = useState<string>();
  const [codes, setCodes] = useState<string>();
  const [measured, setMeasured] = useState(file?.measured_values.join(', ') ?? '');
  const [dates, setDates] = useState(file?.dates ?? null);
  const [isRemembered, setRemembered] = useState(true);
  /** Rows and cells that were left out are places of another sheet, or of other columns. */
  const [hasMoved, setMoved] = useState(false);
  const first = query.data;
  if (first === undefined) return query.error ? <ErrorNotice error={query.error} /> : <SkeletonLines lines={8} />;
  const columns = rolesOf(first.columns, told);
  const lacking = missingRole(table, columns);
  const mark = decimalMark ?? first.decimal_mark ?? '';
  const missing = codes ?? first.missing_codes.join(', ');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (lacking !== undefined || check.isPending) return;
    check.mutate(
      {
        mapping: mappingOf(first, columns, mark),
        missing_codes: missingCodesOf(missing),
        ...(hasMoved ? { left_out: null } : {}),
        ...(table === 'PHENOTYPE' ? { measured_values: missingCodesOf(measured), dates } : {}),
        remember_mapping: isRemembered,
      },
      { onSuccess: () => void close() },
    );
  };
  return (
    <form className={formClasses.form} onSubmit={submit} noValidate>
      <p className="hx-muted">{t(table === 'GERMPLASM' ? 'files.mapping.textReview' : 'files.mapping.text')}</p>
      <div className={classes.choices}>
        {first.sheets.length > 1 && (
          <NativeSelect
            label={t('files.mapping.sheet')}
            data={first.sheets}
            value={first.sheet ?? ''}
            onChange={(event) => {
              setMoved(file !== undefined);
              setPlace({ sheet: event.currentTarget.value });
            }}
          />
        )}
        {first.separator !== null && (
          <NativeSelect
            label={t('files.mapping.separator')}
            data={SEPARATORS.map(({ value, name }) => ({ value, label: t(`files.mapping.separators.${name}`) }))}
            value={first.separator}
            onChange={({ currentTarget: { value } }) => {
              setMoved(file !== undefined);
              const separator = SEPARATORS.find((one) => one.value === value);
              setPlace(separator === undefined ? {} : { separator: separator.value });
            }}
          />
        )}
        <NativeSelect
          label={t('files.mapping.header')}
          data={[
            { value: '0', label: t('files.mapping.noHeader') },
            ...first.rows.slice(0, HEADER_ROWS).map(({ line }) => ({
              value: String(line),
              label: t('files.mapping.row', { line }),
            })),
          ]}
          value={String(first.header_line)}
          onChange={(event) => setPlace({ ...placeOf(place, first), header_line: Number(event.currentTarget.value) })}
        />
        {first.header_line > 0 && (
          <NativeSelect
            label={t('files.mapping.headerRows')}
            data={['1', '2', '3']}
            value={String(first.header_rows)}
            onChange={(event) =>
              setPlace({
                ...placeOf(place, first),
                header_line: first.header_line,
                header_rows: Number(event.currentTarget.value),
              })
            }
          />
        )}
        {table !== 'GERMPLASM' && (
          <NativeSelect
            label={t('files.mapping.decimalMark')}
            data={DECIMAL_MARKS.map(({ value, name }) => ({ value, label: t(`files.mapping.mark.${name}`) }))}
            value={mark}
            onChange={(event) => setDecimalMark(event.currentTarget.value)}
          />
        )}
        {table === 'PHENOTYPE' && (
          <TextInput
            label={t('files.mapping.missing')}
            placeholder={t('files.mapping.missingHint')}
            value={missing}
            onChange={(event) => setCodes(event.currentTarget.value)}
          />
        )}
        {table === 'PHENOTYPE' && (
          <TextInput
            label={t('files.mapping.measured')}
            placeholder={t('files.mapping.measuredHint')}
            value={measured}
            onChange={(event) => setMeasured(event.currentTarget.value)}
          />
        )}
      </div>
      {table === 'PHENOTYPE' && <DateFields value={dates} onChange={setDates} asksOrder={dates !== null} />}
      <ColumnTable
        first={first}
        fileType={table}
        columns={columns}
        onRole={(name, role) => setTold(withRole(table, columns, name, role))}
      />
      <Checkbox
        label={t('files.mapping.remember')}
        description={first.remembered ? t('files.mapping.remembered') : undefined}
        checked={isRemembered}
        onChange={(event) => setRemembered(event.currentTarget.checked)}
      />
      <FormFooter
        submitLabel={t('files.mapping.check')}
        isPending={check.isPending}
        problem={check.error ? asProblem(check.error) : undefined}
        disabledReason={lacking === undefined ? undefined : t(`files.mapping.lacking.${lacking}`)}
        onCancel={close}
      />
    </form>
  );
}

/** The sheet and the separator stay when another row is the header. */
const placeOf = (
  place: Place,
  { sheet, separator }: { sheet: string | null; separator: Place['separator'] | null },
): Place => ({
  ...place,
  ...(sheet === null ? {} : { sheet }),
  ...(separator === null || separator === undefined ? {} : { separator }),
});
