import { fieldBookQuery, type WalkOrder } from '@heterosis/contracts/data/field-books';
import type { TrialPlots } from '@heterosis/contracts/data/trials';
import { Checkbox, NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';

const { order, corner } = fieldBookQuery.shape;

export const FIRST_WALK: WalkOrder = { order: 'serpentine-rows', corner: 'top-left', all_plots: false };

/** In which order plots are printed, and which of them. */
export function WalkFields<Values extends WalkOrder>({
  form,
  plots,
}: {
  form: UseFormReturnType<Values>;
  plots: TrialPlots;
}) {
  const { t } = useTranslation();
  const hasOthers = plots.entry.includes(null);
  return (
    <>
      <NativeSelect
        label={t('print.order')}
        data={order.unwrap().options.map((value) => ({ value, label: t(`print.orders.${value}`) }))}
        {...form.getInputProps('order')}
      />
      {form.values.order !== 'plot' && (
        <NativeSelect
          label={t('print.corner')}
          data={corner.unwrap().options.map((value) => ({ value, label: t(`print.corners.${value}`) }))}
          {...form.getInputProps('corner')}
        />
      )}
      {hasOthers && <Checkbox label={t('print.allPlots')} {...form.getInputProps('all_plots', { type: 'checkbox' })} />}
    </>
  );
}
