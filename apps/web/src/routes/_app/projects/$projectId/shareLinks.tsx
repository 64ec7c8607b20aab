import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useProjectCrumbs } from '../../../../features/people/projects/index.ts';
import { ShareLinksPage } from '../../../../features/people/share-links/share-links-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/shareLinks')({ component: ShareLinksRoute });

function ShareLinksRoute() {
  const { t } = useTranslation();
  const { projectId } = Route.useParams();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <ShareLinksPage
      key={projectId}
      place={{ kind: 'project', id: projectId }}
      crumbs={[...crumbs, { label: t('nav.shareLinks') }]}
    />
  );
}
