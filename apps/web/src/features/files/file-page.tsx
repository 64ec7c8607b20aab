import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';

export function FilePage({ projectId }: { projectId: string; fileId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  return (
    <Page title={t('nav.files')} crumbs={[...crumbs, { label: t('nav.files') }]}>
      {null}
    </Page>
  );
}
