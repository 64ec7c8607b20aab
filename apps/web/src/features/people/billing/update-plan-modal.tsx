import { type Billing, MAXIMUM_SEATS, MINIMUM_SEATS, type Subscription } from '@heterosis/contracts/people/billing';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../lib/form/form.ts';
import { formatCount, formatMoney } from '../../../lib/format/format.ts';
import { billingQuery, useChangeSeats } from './billing.api.ts';

/** Adds seats to the plan of an organization, or gives some up. */
export function UpdatePlanModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  return (
    <EditDialog title={t('billing.updatePlan')} close={close} query={useQuery(billingQuery(id))}>
      {(billing) =>
        billing.subscription === null ? (
          <Notice>{t('billing.noSubscription')}</Notice>
        ) : (
          <PlanForm billing={billing} subscription={billing.subscription} close={close} />
        )
      }
    </EditDialog>
  );
}

interface PlanFormProps {
  billing: Billing;
  subscription: Subscription;
  close: () => void;
}

function PlanForm({ billing, subscription, close }: PlanFormProps) {
  const { t } = useTranslation();
  const change = useChangeSeats(billing.organization_id);
  const { quantity, plan } = subscription;
  const limits = { min: MINIMUM_SEATS - quantity, max: MAXIMUM_SEATS - quantity, isWhole: true };
  const form = useForm<{ extra: FieldNumber }>({ initialValues: { extra: 0 } });
  const extra = numberOf(form.values.extra);
  const error = numberError(t, form.values.extra, limits);
  const submission = useSubmission(
    form,
    () =>
      change.mutateAsync({
        quantity: quantity + extra,
        organization_id: billing.organization_id,
        price_id: plan.id,
        expected_quantity: quantity,
      }),
    close,
  );
  const yearly = (seats: number) => formatMoney(plan.amount * seats, plan.currency);
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <FactsStrip
        facts={[
          { label: t('billing.currentSeats'), value: formatCount(quantity) },
          { label: t('billing.seatsInUse'), value: formatCount(billing.seat_usage) },
          { label: t('billing.yearlyPrice'), value: yearly(quantity) },
        ]}
      />
      <NumberField
        label={t('billing.extraSeats')}
        description={t('billing.extraSeatsHint', { price: formatMoney(plan.amount, plan.currency) })}
        limits={limits}
        maw="22rem"
        data-autofocus
        {...form.getInputProps('extra', { withFocus: false })}
        error={error ?? (form.isTouched('extra') && extra === 0 ? t('billing.enterSeats') : undefined)}
      />
      {error === undefined && extra !== 0 && (
        <p role="status" style={{ margin: 0 }}>
          {t(extra > 0 ? 'billing.afterMore' : 'billing.afterFewer', {
            seats: t('billing.seatCount', { count: quantity + extra }),
            amount: yearly(quantity + extra),
          })}
        </p>
      )}
      <FormFooter
        submitLabel={t('word.confirm')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={
          error !== undefined || (extra === 0 && form.isTouched('extra'))
            ? t('form.correctFields')
            : extra === 0
              ? t('billing.enterSeats')
              : undefined
        }
        onCancel={close}
      />
    </form>
  );
}
