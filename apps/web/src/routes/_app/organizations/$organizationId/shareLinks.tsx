import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../../features/people/organizations/index.ts';
import { ShareLinksPage } from '../../../../features/people/share-links/share-links-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/shareLinks')({
  staticData: { right: 'see_share_links' },
  component: ShareLinksRoute,
});

function ShareLinksRoute() {
  const { t } = useTranslation();
  const { organizationId } = Route.useParams();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  return (
    <ShareLinksPage
      key={organizationId}
      place={{ kind: 'organization', id: organizationId }}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.shareLinks') },
      ]}
    />
  );
}
