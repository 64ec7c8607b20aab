import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../../lib/api/config-query.ts';
import { OfferCard, PriceCards } from '../billing/index.ts';
import { NewOrganizationForm } from './new-organization-form.tsx';

/** Every way to a new organization: with the free seats, which need a name only, and by subscribing. */
export function NewOrganizationOffers() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery());
  return (
    <PriceCards>
      <OfferCard title={t('billing.free')}>
        {config && <p>{t('billing.freeText', { count: config.billing.free_seats })}</p>}
        <NewOrganizationForm
          onCreated={(id) =>
            navigate({
              to: '/organizations/$organizationId',
              params: { organizationId: id },
              // What it is for comes next: its first project.
              search: { modal: 'add-project', modal_id: id },
              replace: true,
            })
          }
        />
      </OfferCard>
    </PriceCards>
  );
}
