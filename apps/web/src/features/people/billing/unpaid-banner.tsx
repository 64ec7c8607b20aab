import type { Role } from '@heterosis/contracts/common';
import type { BillingState } from '@heterosis/contracts/people/billing';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './unpaid-banner.module.css';

interface UnpaidBannerProps {
  organizationId: string;
  state: BillingState | null;
  /** In the organization; null for others. */
  role: Role | null;
}

/** Above every page of an organization that can only be read, and of its projects. */
export function UnpaidBanner({ organizationId, state, role }: UnpaidBannerProps) {
  const { t } = useTranslation();
  if (state === null || state === 'active') return null;
  return (
    <p role="status" className={classes.banner}>
      <strong>{t(`billing.banner.${state}`)}</strong> {t('billing.banner.readOnly')}{' '}
      {role === 'OWNER' ? (
        <Link to="/organizations/$organizationId/billing" params={{ organizationId }} className="hx-link">
          {t(`billing.banner.mend.${state}`)}
        </Link>
      ) : (
        t('billing.banner.askOwner')
      )}
    </p>
  );
}
