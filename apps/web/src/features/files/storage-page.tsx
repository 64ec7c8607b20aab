import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';

export function StoragePage({ projectId }: { projectId: string; folderId?: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <Page title={t('nav.files')} crumbs={[...crumbs, { label: t('nav.files') }]}>
      {null}
    </Page>
  );
}
