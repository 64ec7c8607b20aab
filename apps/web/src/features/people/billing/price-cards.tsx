import type { Price } from '@heterosis/contracts/people/billing';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { configQuery } from '../../../lib/api/config-query.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { pricesQuery, useSubscribe } from './billing.api.ts';
import classes from './price-cards.module.css';

const MONTHS = 12;

/**
 * The plans, the most expensive first, and the way to other arrangements. Without an organization: for a new one.
 * `children` are cards that need no price and stand first, whatever becomes of the prices.
 */
export function PriceCards({ organizationId, children }: { organizationId?: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const { data: prices, error, refetch } = useQuery(pricesQuery());
  const subscribe = useSubscribe(organizationId);
  const sorted = [...(prices ?? [])].sort((a, b) => b.unit_amount - a.unit_amount);
  return (
    <div className={classes.cards}>
      {children}
      {!prices && (
        <div className={classes.failure}>
          {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={4} />}
        </div>
      )}
      {subscribe.isError && (
        <div className={classes.failure}>
          <ErrorNotice error={subscribe.error} />
        </div>
      )}
      {sorted.map((price, index) => (
        <PriceCard
          key={price.id}
          hasFocus={index === 0 && children === undefined}
          price={price}
          isPending={subscribe.isPending && subscribe.variables === price.id}
          isDisabled={subscribe.isPending}
          onSubscribe={() => subscribe.mutate(price.id)}
        />
      ))}
      {/* Behind the prices, so that it does not move when they come. */}
      {(prices || error) && (
        <OfferCard title={t('billing.otherOptions')}>
          <p>{t('billing.otherOptionsText')}</p>
          <ContactLink />
        </OfferCard>
      )}
    </div>
  );
}

/** One way to have an organization. */
export function OfferCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface PriceCardProps {
  price: Price;
  /** In a dialog. */
  hasFocus: boolean;
  isPending: boolean;
  isDisabled: boolean;
  onSubscribe: () => void;
}

function PriceCard({ price, hasFocus, isPending, isDisabled, onSubscribe }: PriceCardProps) {
  const { t } = useTranslation();
  const name = price.nickname ?? t('billing.unnamedPlan');
  return (
    <OfferCard title={name}>
      <p className={classes.amount}>
        <strong>{formatMoney(Math.round(price.unit_amount / MONTHS), price.currency)}</strong>{' '}
        {t('billing.perSeatAndMonth')}
      </p>
      <p className={classes.annually}>{t('billing.billedAnnually')}</p>
      {price.metadata.notes !== null && <p>{price.metadata.notes}</p>}
      {price.metadata.features.length > 0 && (
        <ul>
          {price.metadata.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      )}
      <Button
        className={classes.action ?? ''}
        onClick={onSubscribe}
        loading={isPending}
        disabled={isDisabled && !isPending}
        aria-label={t('billing.subscribeTo', { plan: name })}
        data-autofocus={hasFocus || undefined}
      >
        {t('billing.subscribe')}
      </Button>
    </OfferCard>
  );
}

function ContactLink() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  if (!config) return null;
  const { contact } = config.billing;
  if (contact === null) return <p>{t('billing.contactOperator')}</p>;
  return (
    <Button
      component="a"
      className={classes.action ?? ''}
      variant="default"
      href={contact}
      {...(contact.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' })}
    >
      {t('billing.contactUs')}
    </Button>
  );
}
