import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { setCurrentCrop, useCurrentCrop } from '../../../lib/session/current-crop.ts';
import { cropsQuery } from '../../people/crops/index.ts';
import { organizationQuery } from '../../people/organizations/index.ts';
import { pedigreeQuery } from './pedigree.api.ts';
import { NoParents, PedigreeView } from './pedigree-view.tsx';

/** The pedigree of one crop of an organization. */
export function OrganizationPedigreePage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const { data: crops } = useQuery(cropsQuery(organizationId));
  const crop = useCurrentCrop(organizationId, crops);
  const place = { kind: 'organization', id: organizationId } as const;
  const query = useQuery({ ...pedigreeQuery(place, { crop_id: crop?.id }), enabled: crop !== undefined });
  const chooseCrop = crops !== undefined && crops.length > 1 && (
    <NativeSelect
      label={t('column.crop')}
      value={crop?.id}
      data={crops.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => setCurrentCrop(organizationId, event.currentTarget.value)}
    />
  );
  return (
    <Page
      title={t('nav.pedigree')}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.pedigree') },
      ]}
    >
      {crops?.length === 0 && <NoParents place={place} />}
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {crop !== undefined && query.isPending && <SkeletonLines lines={10} />}
      {query.data && (
        <PedigreeView
          key={`${crop?.id} ${query.data.individuals.length}`}
          place={place}
          name={crop?.name ?? ''}
          pedigree={query.data}
          filters={chooseCrop}
        />
      )}
    </Page>
  );
}
