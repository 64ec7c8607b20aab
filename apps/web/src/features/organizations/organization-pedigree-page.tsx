import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { NotInThisVersion } from '../../components/not-in-this-version.tsx';
import { organizationQuery } from './organizations.api.ts';

export function OrganizationPedigreePage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  return (
    <NotInThisVersion
      title={t('nav.pedigree')}
      text={t('pedigree.notYet')}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.pedigree') },
      ]}
    />
  );
}
