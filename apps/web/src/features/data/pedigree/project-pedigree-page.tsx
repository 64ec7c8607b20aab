import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { projectQuery, useProjectCrumbs } from '../../people/projects/index.ts';
import { pedigreeQuery } from './pedigree.api.ts';
import { PedigreeView } from './pedigree-view.tsx';

/** What a project uses and all its ancestors, or the whole crop. */
export function ProjectPedigreePage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const { data: project } = useQuery(projectQuery(projectId));
  const [isWholeCrop, setWholeCrop] = useState(false);
  const place = { kind: 'project', id: projectId } as const;
  const query = useQuery(pedigreeQuery(place, { whole_crop: isWholeCrop ? 'true' : undefined }));
  return (
    <Page title={t('nav.pedigree')} crumbs={[...crumbs, { label: t('nav.pedigree') }]}>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonLines lines={10} />}
      {query.data && (
        <PedigreeView
          // Another list is another graph; positions in it move when lines are added.
          key={`${projectId} ${isWholeCrop} ${query.data.individuals.length}`}
          place={place}
          name={project?.name ?? ''}
          pedigree={query.data}
          filters={
            <Switch
              label={t('pedigree.wholeCrop')}
              checked={isWholeCrop}
              onChange={(event) => setWholeCrop(event.currentTarget.checked)}
            />
          }
        />
      )}
    </Page>
  );
}
