import type { DateChoice } from '@heterosis/contracts/data/files';
import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './date-fields.module.css';

const WAYS = ['days_after_sowing', 'day_of_year'] as const;
const ORDERS = ['day_first', 'month_first'] as const;

/** How the dates of a table become numbers; null leaves them as they are. */
export function DateFields(props: {
  value: DateChoice | null;
  onChange: (value: DateChoice | null) => void;
  /** Whether 01/02/2025 occurs and can be two days. */
  asksOrder: boolean;
}) {
  const { value, onChange, asksOrder } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('files.dates.as')}
        value={value?.as ?? ''}
        data={[
          { value: '', label: t('files.dates.words') },
          ...WAYS.map((way) => ({ value: way, label: t(`files.dates.${way}`) })),
        ]}
        onChange={(event) => {
          const as = WAYS.find((way) => way === event.currentTarget.value);
          onChange(as === undefined ? null : { ...value, as });
        }}
      />
      {value?.as === 'days_after_sowing' && (
        <TextInput
          type="date"
          label={t('files.dates.sowing')}
          description={t('files.dates.sowingHint')}
          value={value.sowing_date ?? ''}
          onChange={(event) => {
            const { sowing_date: _before, ...rest } = value;
            const date = event.currentTarget.value;
            onChange(date === '' ? rest : { ...rest, sowing_date: date });
          }}
        />
      )}
      {value !== null && (asksOrder || value.order !== undefined) && (
        <NativeSelect
          label={t('files.dates.order')}
          value={value.order ?? ''}
          data={[
            { value: '', label: t('files.dates.found') },
            ...ORDERS.map((order) => ({ value: order, label: t(`files.dates.${order}`) })),
          ]}
          onChange={(event) => {
            const { order: _before, ...rest } = value;
            const order = ORDERS.find((one) => one === event.currentTarget.value);
            onChange(order === undefined ? rest : { ...rest, order });
          }}
        />
      )}
    </div>
  );
}
