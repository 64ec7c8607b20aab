import { useComputedColorScheme } from '@mantine/core';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { configQuery } from '../../../lib/api/config-query.ts';
import { asProblem, Problem } from '../../../lib/api/problem.ts';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import classes from './add-credit-card-modal.module.css';
import { readSetupCredit, useCard } from './billing.api.ts';

/** Takes another card for the subscription. The number goes from the browser to Stripe and never to our server. */
export function AddCreditCardModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const { data: config, error, refetch } = useQuery(configQuery());
  const key = config?.billing.stripe_key;
  return (
    <ModalFrame title={t('billing.addCard')} onClose={close}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {config && key == null && <Notice>{t('billing.noCards')}</Notice>}
      {key != null && <CardEntry stripeKey={key} organizationId={id} close={close} />}
    </ModalFrame>
  );
}

interface CardEntryProps {
  stripeKey: string;
  organizationId: string;
  close: () => void;
}

/** Loads Stripe's script, which only Stripe may serve. */
function CardEntry({ stripeKey, ...rest }: CardEntryProps) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const [stripe, setStripe] = useState<Stripe>();
  const [failure, setFailure] = useState<Problem>();
  useEffect(() => {
    let isGone = false;
    const fail = (cause?: unknown) => {
      if (!isGone) setFailure(unreachable(t('billing.stripeUnreachable'), t('billing.stripeUnreachableTitle'), cause));
    };
    setFailure(undefined);
    loadStripe(stripeKey).then((loaded) => {
      if (isGone) return;
      if (loaded === null) fail();
      else setStripe(() => loaded);
    }, fail);
    return () => {
      isGone = true;
    };
  }, [stripeKey, attempt, t]);
  if (failure) return <ErrorNotice error={failure} onRetry={() => setAttempt(attempt + 1)} />;
  if (!stripe) return <SkeletonLines lines={2} />;
  return (
    <Elements stripe={stripe}>
      <CardForm {...rest} />
    </Elements>
  );
}

const unreachable = (detail: string, title: string, cause?: unknown) =>
  new Problem({ code: 'client/stripe-unreachable', title, detail }, cause);

function CardForm({ organizationId, close }: Omit<CardEntryProps, 'stripeKey'>) {
  const { t } = useTranslation();
  const stripe = useStripe();
  const elements = useElements();
  const save = useCard(organizationId);
  const isDark = useComputedColorScheme() === 'dark';
  const [isComplete, setComplete] = useState(false);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const card = elements?.getElement(CardElement);
    if (isPending || !isComplete || !stripe || !card) return;
    setPending(true);
    setProblem(undefined);
    try {
      const secret = await readSetupCredit(organizationId);
      const { setupIntent, error } = await stripe.confirmCardSetup(secret, { payment_method: { card } });
      const method = setupIntent?.payment_method;
      if (error || method == null)
        throw new Problem({
          code: 'client/card-refused',
          title: t('billing.cardRefused'),
          detail: error?.message ?? t('billing.cardRefused'),
        });
      await save.mutateAsync(typeof method === 'string' ? method : method.id);
      close();
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };
  return (
    <form className={formClasses.form} onSubmit={(event) => void submit(event)}>
      <div className={classes.field}>
        <CardElement
          options={{
            hidePostalCode: true,
            disabled: isPending,
            style: { base: { fontSize: '15px', color: isDark ? '#dcdcda' : '#1d1d1c', iconColor: '#757572' } },
          }}
          onReady={(element) => element.focus()}
          onChange={({ complete }) => setComplete(complete)}
        />
      </div>
      <p className={classes.note}>{t('billing.cardNote')}</p>
      <FormFooter
        submitLabel={t('word.confirm')}
        isPending={isPending}
        problem={problem}
        disabledReason={isComplete ? undefined : t('billing.completeCard')}
        onCancel={close}
      />
    </form>
  );
}
