import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';

export function ModelDetailPage({ projectId }: { projectId: string; modelId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <Page title={t('nav.models')} crumbs={[...crumbs, { label: t('nav.models') }]}>
      {null}
    </Page>
  );
}
