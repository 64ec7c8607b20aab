import {
  type Checkout,
  confirmCheckoutBody,
  MAXIMUM_SEATS,
  MINIMUM_SEATS,
  type Price,
} from '@heterosis/contracts/people/billing';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { PageNotFound } from '../../../components/page/page-not-found.tsx';
import { asProblem, isNotFound } from '../../../lib/api/problem.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { checkoutQuery, useConfirmCheckout } from './billing.api.ts';

/** Where a checkout is confirmed, and where the payment service sends the browser back to. */
export function CheckoutPage({ checkoutId }: { checkoutId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: checkout, error, refetch } = useQuery(checkoutQuery(checkoutId));
  const open = (organizationId: string) =>
    navigate({ to: '/organizations/$organizationId', params: { organizationId }, replace: true });
  if (isNotFound(error)) return <PageNotFound />;
  return (
    <Page title={t('billing.checkoutTitle')} width="form">
      {error && !checkout && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!checkout && !error && <SkeletonLines lines={4} />}
      {checkout && (checkout.status === 'complete' || !checkout.confirmed_here) && (
        <Arriving checkout={checkout} onDone={open} />
      )}
      {checkout?.status === 'open' &&
        checkout.confirmed_here &&
        (checkout.price === null ? (
          <Notice kind="warning">{t('billing.priceGone')}</Notice>
        ) : (
          <ConfirmForm checkout={checkout} price={checkout.price} onDone={open} />
        ))}
    </Page>
  );
}

const SEATS = { min: MINIMUM_SEATS, max: MAXIMUM_SEATS, isWhole: true };

const ASK_AGAIN_MS = 2_000;

/** The payment service has the money, or is about to: asks until the organization is there. */
function Arriving({ checkout, onDone }: { checkout: Checkout; onDone: (organizationId: string) => Promise<void> }) {
  const { t } = useTranslation();
  const confirm = useConfirmCheckout(checkout.id);
  const { mutate, isIdle, isError, error, data } = confirm;
  const isWaiting = isError && asProblem(error).code === 'billing/not-paid';
  useEffect(() => {
    if (isIdle) mutate({});
    if (!isWaiting) return;
    const timer = setTimeout(() => mutate({}), ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isIdle, isWaiting, mutate]);
  const organizationId = data?.organization_id;
  useEffect(() => {
    if (organizationId !== undefined) void onDone(organizationId);
  });
  if (isError && !isWaiting) return <ErrorNotice error={error} onRetry={() => mutate({})} />;
  return <Notice>{t('billing.arriving')}</Notice>;
}

interface ConfirmFormProps {
  checkout: Checkout;
  price: Price;
  onDone: (organizationId: string) => Promise<void>;
}

function ConfirmForm({ checkout, price, onDone }: ConfirmFormProps) {
  const { t } = useTranslation();
  const confirm = useConfirmCheckout(checkout.id);
  const isNew = checkout.organization_id === null;
  const form = useForm<{ organization_name: string; quantity: FieldNumber }>({
    initialValues: { organization_name: '', quantity: MINIMUM_SEATS },
    validate: ({ organization_name, quantity }) => ({
      ...schemaErrors(confirmCheckoutBody, { ...(isNew ? { organization_name } : {}), quantity: numberOf(quantity) }),
      quantity: numberError(t, quantity, SEATS),
    }),
  });
  const submission = useSubmission(
    form,
    ({ organization_name, quantity }) =>
      confirm.mutateAsync({ quantity: numberOf(quantity), ...(isNew ? { organization_name } : {}) }),
    ({ organization_id }) => onDone(organization_id),
  );
  const seats = numberOf(form.values.quantity);
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p>
        {t('billing.confirmText', {
          plan: price.nickname ?? t('billing.unnamedPlan'),
          amount: formatMoney(price.unit_amount, price.currency),
        })}
      </p>
      {isNew ? (
        <TextInput
          label={t('organization.name')}
          autoComplete="organization"
          autoFocus
          {...form.getInputProps('organization_name')}
        />
      ) : (
        <p>{t('billing.confirmFor', { name: checkout.organization_name })}</p>
      )}
      <NumberField
        label={t('word.seats')}
        description={t('billing.seatsHint', { count: MINIMUM_SEATS })}
        limits={SEATS}
        maw="22rem"
        {...form.getInputProps('quantity')}
      />
      <p>
        <strong>
          {t('billing.yearlyTotal', {
            amount: formatMoney(price.unit_amount * (Number.isFinite(seats) ? seats : 0), price.currency),
          })}
        </strong>{' '}
        {t('billing.paidOutside')}
      </p>
      <FormFooter
        submitLabel={t('billing.confirm')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={isNew && form.values.organization_name.trim() === '' ? t('organization.nameNeeded') : undefined}
      />
    </form>
  );
}
